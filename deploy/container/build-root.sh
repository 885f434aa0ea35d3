#!/bin/sh
# Makes what a container of the product has in it: Debian, the product of this checkout's HEAD, its packages and the built portal.
# As root, with debootstrap, git and npm:
#
#   deploy/container/build-root.sh FOLDER      leaves FOLDER/root, and FOLDER/root.tar for deploy/container/Containerfile
#
# The root is one that runs as it is, too: `chroot FOLDER/root …`. SUITE and MIRROR name another Debian.
set -eu
folder=${1:?FOLDER is missing: where to leave the root}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
root=$(cd "$folder" && pwd)/root
[ ! -e "$root" ] || { echo "$root is there already: delete it, or name another folder" >&2; exit 1; }

debootstrap --variant=minbase --include=ca-certificates,libatomic1 "${SUITE:-bookworm}" "$root" "${MIRROR:-http://deb.debian.org/debian}"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
# The same number in every build: a volume that one has written another must be able to read.
chroot "$root" useradd --system --uid 990 --home-dir /var/lib/fantail --shell /usr/sbin/nologin fantail
install -d -m 700 -o 990 -g 990 "$root/var/lib/fantail" "$root/erasures"

mkdir -p "$root/opt/fantail"
git -C "$here" archive HEAD | tar -x -C "$root/opt/fantail"
(cd "$root/opt/fantail" && npm ci --omit=dev && npm run build)
# Nobody but root may write there, and everybody may read.
chown -R root:root "$root/opt/fantail"
chmod -R u=rwX,go=rX "$root/opt/fantail"

tar -C "$root" --one-file-system --numeric-owner -cf "$folder/root.tar" .
echo "$folder/root.tar is ready."
