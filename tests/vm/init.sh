#!/bin/busybox sh
# The first process of the virtual machine: makes a small Linux around the host's files, then runs what it is told.
#
# The host's / is at /root, read-only; /mnt/share in there is shared with the host and writable. Commands come as lines on the
# serial port, each a name: the script /mnt/share/NAME.sh is run and its output goes to the same port, ended by a line
# that starts with a byte that no text has, with the name and the exit status.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
for module in /modules/*; do insmod "$module" || echo "insmod $module failed"; done

mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro host /root
for folder in proc sys dev; do mount --rbind /$folder /root/$folder; done
mkdir -p /root/dev/shm /root/dev/pts
mount -t tmpfs shm /root/dev/shm
mount -t devpts -o ptmxmode=666 pts /root/dev/pts
mount -t tmpfs run /root/run
mount -t tmpfs mnt /root/mnt
mount -t configfs config /root/sys/kernel/config
mkdir -p /root/mnt/share /root/mnt/disk
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 share /root/mnt/share
ip link set lo up

exec < /dev/ttyS0 > /dev/ttyS0 2>&1
stty raw -echo
printf '\001ready %s\n' "$(cut -d' ' -f1 /proc/uptime)"
while read -r name; do
    # nothing of the host's environment is right in here
    chroot /root /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/dev/shm TMPDIR=/dev/shm LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
        /bin/bash "/mnt/share/$name.sh" < /dev/null
    printf '\001done %s %s\n' "$name" "$?"
done
poweroff -f
