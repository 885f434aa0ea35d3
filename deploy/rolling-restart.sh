#!/bin/sh
# Restarts every process of this host, one after the other, each once the one before it is ready again: customers notice nothing.
#
#   deploy/rolling-restart.sh [UNIT...]     fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2, unless others are named
#
# It stops at the first one that does not get ready within two minutes; those after it still run as they did.
set -eu
[ $# -gt 0 ] || set -- fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2

for unit in "$@"; do
  number=${unit#*@}
  case $unit in
    fantail-web@[1-9]) port=${FANTAIL_PORTS:-30}0$number ;;
    fantail-worker@[1-9]) port=${FANTAIL_PORTS:-30}1$number ;;
    *) echo "$unit is no unit of Fantail's" >&2; exit 1 ;;
  esac
  systemctl restart "$unit"
  tries=0
  until curl --silent --fail --max-time 3 --output /dev/null "http://127.0.0.1:$port/readyz"; do
    tries=$((tries + 1))
    if [ $tries -ge 240 ]; then
      echo "$unit is not ready after two minutes: journalctl -u $unit says why. Those after it were left as they are." >&2
      exit 1
    fi
    sleep 0.5
  done
  echo "$unit is ready."
done
