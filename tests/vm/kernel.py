"""A kernel and a first file system for the virtual machine, made once from Debian's own packages and kept.

Debian's kernels can drive GPIO lines but come without the simulated chip (gpio-sim), so that module is built here from Debian's
kernel source. Packages are only unpacked, never installed; the programs that do the work (`PROGRAMS`) are installed when they
are missing and the tests run as root, else the error names the command.
"""

from __future__ import annotations

import ctypes.util
import fcntl
import gzip
import hashlib
import lzma
import os
import platform
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "cpio": "cpio",
    "depmod": "kmod",
    "gcc": "gcc",
    "make": "make",
    "mkfs.ext4": "e2fsprogs",
    "udevadm": "udev",
}
"""What must be installed on the host, and the Debian package of each."""

MODULES = ("virtio_pci", "virtio_blk", "ext4", "9pnet_virtio", "9p", "configfs", "xhci_pci", "ftdi_sio")
"""Kernel modules loaded at boot, beside gpio-sim; what they depend on is found by modprobe."""

SIMULATOR_SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")

INIT = (Path(__file__).parent / "init.sh").read_text()

PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
"""Debian keeps mkfs and depmod where the PATH of an ordinary user doesn't look."""


class CannotBuild(Exception):
    """The machine lacks something; the sentence names it and the command that gets it."""


@dataclass(frozen=True)
class Kernel:
    """What QEMU boots."""

    abi: str
    image: Path
    initrd: Path


def missing() -> str | None:
    """What this host lacks for virtual machines and can't get by itself, as a sentence; None if nothing."""
    if platform.machine() != "x86_64" or not shutil.which("apt-get"):
        return "the virtual machine is made of Debian's amd64 packages and runs on such a host alone"
    packages = _missing_packages()
    if packages and os.geteuid() != 0:
        return f"not installed: apt-get install {' '.join(packages)}"
    return None


def _missing_packages() -> list[str]:
    packages = [package for program, package in PROGRAMS.items() if not shutil.which(program, path=PATH)]
    if not ctypes.util.find_library("elf"):
        packages.append("libelf1")  # the kernel's objtool wants it
    return packages


def cache() -> Path:
    """Where the kernel is kept between runs."""
    outside = os.environ.get("XDG_CACHE_HOME")
    return Path(outside) / "tablemarker" / "vm" if outside else Path(__file__).parents[2] / ".cache" / "vm"


@contextmanager
def only_one() -> Iterator[None]:
    """Held while a machine is built or runs: two at once on a small host only make both time out."""
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def kernel() -> Kernel:
    """The kernel and initrd to boot, built if they aren't there yet. Raises `CannotBuild`. Wants `only_one`."""
    if reason := missing():
        raise CannotBuild(f"no virtual machine on this host: {reason}")
    if packages := _missing_packages():
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    abi = _current_abi()
    recipe = hashlib.sha256((Path(__file__).read_text() + INIT).encode()).hexdigest()[:8]
    folder = cache() / f"{abi}-{recipe}"
    built = Kernel(abi, folder / "vmlinuz", folder / "initrd")
    if not folder.exists():
        work = cache() / "building"
        shutil.rmtree(work, ignore_errors=True)
        (work / "out").mkdir(parents=True)
        _build(abi, work)
        for old in cache().glob("*/vmlinuz"):
            shutil.rmtree(old.parent)
        (work / "out").rename(folder)  # at the end, so that a folder with that name is a finished one
        shutil.rmtree(work)
    return built


def _current_abi() -> str:
    """The version and flavour of Debian's newest kernel here, as in `linux-image-6.1.0-57-amd64`."""
    find = re.compile(r"Depends: linux-image-(\d\S+)")
    found = find.search(_run("apt-cache", "depends", "linux-image-amd64"))
    if not found and os.geteuid() == 0:
        _run("apt-get", "update", "-qq")
        found = find.search(_run("apt-cache", "depends", "linux-image-amd64"))
    if not found:
        raise CannotBuild("apt knows no package linux-image-amd64: this isn't Debian, or its lists are empty (apt-get update)")
    return found[1]


def _build(abi: str, work: Path) -> None:
    version, series = abi.rsplit("-", 1)[0], ".".join(abi.split(".")[:2])
    packages = [f"linux-image-{abi}", f"linux-headers-{abi}", f"linux-headers-{version}-common", f"linux-kbuild-{series}"]
    download = ["apt-get", "download", "-qq", *packages, f"linux-source-{series}", "busybox-static"]
    try:
        _run(*download, cwd=work)
    except CannotBuild as failed:
        if os.geteuid() != 0:
            raise CannotBuild(f"{failed}\nIf apt's lists are old: apt-get update") from failed
        _run("apt-get", "update", "-qq")
        _run(*download, cwd=work)
    root = work / "root"
    for package in work.glob("*.deb"):
        if not package.name.startswith("linux-source"):
            _run("dpkg-deb", "-x", str(package), str(root))
    modules = root / ("usr/lib/modules" if (root / "usr/lib/modules").exists() else "lib/modules") / abi
    simulator = _build_simulator(abi, work, root)
    tree = work / "initrd"
    for folder in ("bin", "proc", "sys", "dev", "root", "modules"):
        (tree / folder).mkdir(parents=True)
    busybox = root / ("usr/bin/busybox" if (root / "usr/bin/busybox").exists() else "bin/busybox")
    shutil.copy(busybox, tree / "bin" / "busybox")
    for number, path in enumerate([*_with_dependencies(abi, modules), simulator]):
        content = path.read_bytes()
        name = f"{number:02}-{path.name.removesuffix('.xz')}"  # loaded in the order of their names
        (tree / "modules" / name).write_bytes(lzma.decompress(content) if path.suffix == ".xz" else content)
    (tree / "init").write_text(INIT)
    (tree / "init").chmod(0o755)
    names = "\0".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
    pack = ["cpio", "--create", "--null", "--format=newc", "--quiet"]
    archive = subprocess.run(pack, cwd=tree, input=names.encode(), stdout=subprocess.PIPE, check=True)
    (work / "out" / "initrd").write_bytes(gzip.compress(archive.stdout, 1))
    (work / "out" / "vmlinuz").write_bytes(_unpacked((root / "boot" / f"vmlinuz-{abi}").read_bytes()))


def _unpacked(image: bytes) -> bytes:
    """The kernel without the program that unpacks it: QEMU boots it at once, and the guest would take five seconds over it."""
    start = image.find(b"\xfd7zXZ\0")
    if start < 0:  # packed in another way: it boots all the same
        return image
    return lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(image[start:])


def _build_simulator(abi: str, work: Path, root: Path) -> Path:
    """gpio-sim for that kernel: its own if it has one, else built from source with the interrupt simulator linked in."""
    for path in root.rglob("gpio-sim.ko*"):
        return path
    build = work / "gpio-sim"
    build.mkdir()
    _unpack_sources(next(work.glob("linux-source-*.deb")), build)
    # Debian's kernel has no interrupt simulator either, and the call it makes isn't one that modules may use
    simulator = build / "irq_sim.c"
    call = "handle_simple_irq(irq_to_desc(irqnum))"
    if call not in simulator.read_text():
        raise CannotBuild(f"kernel/irq/irq_sim.c of {abi} has changed: {call} isn't there, so it can't be made into a module")
    simulator.write_text(simulator.read_text().replace(call, "generic_handle_irq(irqnum)"))
    (build / "Makefile").write_text("obj-m := gpiosim.o\ngpiosim-y := gpio-sim.o irq_sim.o\n")
    headers = root / "usr" / "src" / f"linux-headers-{abi}"
    makefile = headers / "Makefile"
    makefile.write_text(makefile.read_text().replace("/usr/src", str(root / "usr" / "src")))  # it isn't installed there
    _run("make", "-s", "-C", str(headers), f"M={build}", "modules")
    return build / "gpiosim.ko"


def _unpack_sources(package: Path, folder: Path) -> None:
    """`SIMULATOR_SOURCES` alone out of an archive of a gigabyte, which lies in another archive."""
    wanted = set(SIMULATOR_SOURCES)
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as unpack:
        with tarfile.open(fileobj=unpack.stdout, mode="r|") as outer:
            archive = next(member for member in outer if member.name.endswith(".tar.xz"))
            with tarfile.open(fileobj=outer.extractfile(archive), mode="r|xz") as inner:
                for member in inner:
                    name = member.name.partition("/")[2]
                    content = inner.extractfile(member) if name in wanted else None
                    if content:
                        (folder / Path(name).name).write_bytes(content.read())
                        wanted.remove(name)
                    if not wanted:
                        break
        unpack.kill()  # nothing more is wanted of it


def _with_dependencies(abi: str, modules: Path) -> Iterator[Path]:
    root = modules.parents[2]
    _run("depmod", "-b", str(root), abi)
    seen = set[str]()
    for module in MODULES:
        for line in _run("modprobe", "-d", str(root), "-S", abi, "--show-depends", module).splitlines():
            kind, _, path = line.strip().partition(" ")
            if kind == "insmod" and path not in seen:
                seen.add(path)
                yield Path(path.strip())


def _run(*command: str, cwd: Path | None = None) -> str:
    env = os.environ | {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotBuild(f"{' '.join(command)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
