#!/bin/sh
# Installs Debian packages that are missing, where that is allowed; else names the command and ends with 1.
#
#   .ci/debian.sh PACKAGE[=PROGRAM[,PROGRAM…]]…     a package isn't missing where one of its programs, or a file by its full path, is there
set -u
PATH=$PATH:/usr/sbin:/sbin

found() {
    for program in $(echo "$1" | tr , ' '); do
        { command -v "$program" >/dev/null || [ -e "$program" ]; } && return 0
    done
    return 1
}

missing=
for wanted; do
    package=${wanted%%=*}
    programs=${wanted#"$package"}
    found "${programs#=}" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "These are missing, by their names in Debian:$missing" >&2
    exit 1
elif [ "$(id -u)" = 0 ]; then
    sudo=
elif sudo -n true 2>/dev/null; then
    sudo="sudo -n"
else
    echo "Some Debian packages are missing. To install them: sudo apt-get install$missing" >&2
    exit 1
fi
echo "Installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# The lists may be old or absent; a list that can't be fetched isn't always one that is needed.
$sudo apt-get update -qq || true
# shellcheck disable=SC2086 # several packages, and perhaps no sudo
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null </dev/null
