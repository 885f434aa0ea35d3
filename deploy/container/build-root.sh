#!/bin/sh
# Creates the root file system of the container image: Debian, the product at this checkout's HEAD, its packages and the built portal.
# Run this script as root. It needs debootstrap, git and npm:
#
#   deploy/container/build-root.sh FOLDER      creates FOLDER/root, and FOLDER/root.tar for deploy/container/Containerfile
#
# The root also works without a container: `chroot FOLDER/root …`. The variables SUITE and MIRROR select another Debian.
set -eu
folder=${1:?FOLDER is missing: the folder for the root file system}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
root=$(cd "$folder" && pwd)/root
[ ! -e "$root" ] || { echo "$root already exists: delete it, or name another folder" >&2; exit 1; }

debootstrap --variant=minbase --include=ca-certificates,libatomic1 "${SUITE:-bookworm}" "$root" "${MIRROR:-http://deb.debian.org/debian}"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
# The user id is the same in every build, so that a later image can read volumes that an earlier image has written.
chroot "$root" useradd --system --uid 990 --home-dir /var/lib/fantail --shell /usr/sbin/nologin fantail
install -d -m 700 -o 990 -g 990 "$root/var/lib/fantail" "$root/erasures"

mkdir -p "$root/opt/fantail"
git -C "$here" archive HEAD | tar -x -C "$root/opt/fantail"
(cd "$root/opt/fantail" && npm ci --omit=dev && npm run build)
# Only root may write to the product's files, and everybody may read them.
chown -R root:root "$root/opt/fantail"
chmod -R u=rwX,go=rX "$root/opt/fantail"

tar -C "$root" --one-file-system --numeric-owner -cf "$folder/root.tar" .
echo "$folder/root.tar is ready."
