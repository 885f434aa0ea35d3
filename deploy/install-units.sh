#!/bin/sh
# Installs the systemd units. The variables below change folders, ports and the user.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
units=${FANTAIL_UNITS:-/etc/systemd/system}

for unit in 'fantail-web@' 'fantail-worker@' fantail-migrate; do
  sed -e "s|/opt/fantail|${FANTAIL_HOME:-/opt/fantail}|g" \
    -e "s|/etc/fantail|${FANTAIL_ETC:-/etc/fantail}|g" \
    -e "s|/var/lib/fantail|${FANTAIL_STATE:-/var/lib/fantail}|g" \
    -e "s|^User=fantail$|User=${FANTAIL_USER:-fantail}|" -e "s|^Group=fantail$|Group=${FANTAIL_USER:-fantail}|" \
    -e "s|PORT=30\\([01]\\)%i|PORT=${FANTAIL_PORTS:-30}\\1%i|" \
    -e "s|PORT=320%i|PORT=${FANTAIL_DESK_PORTS:-32}0%i|" \
    -e "s|PORT=31\\([01]\\)%i|PORT=${FANTAIL_OPS_PORTS:-31}\\1%i|" \
    "$here/systemd/$unit.service" > "$units/$unit.service"
  chmod 644 "$units/$unit.service"
done
