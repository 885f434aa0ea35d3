#!/bin/sh
# Restarts the processes of this host one after another, so that customers notice nothing. Each waits until the previous one is ready.
#
#   deploy/rolling-restart.sh [UNIT...]     default: fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2
#
# Before a web process stops, nginx is told to leave it out, so that no connection is waiting in the kernel when the port closes.
# If a process is not ready within two minutes, the script stops. nginx then still leaves that process out, and the remaining processes
# were not restarted.
set -eu
[ $# -gt 0 ] || set -- fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2
site=${FANTAIL_NGINX:-/etc/nginx}/conf.d/fantail.conf

# Tells whether nginx has another process to send requests to.
has_another() {
  [ -w "$site" ] && grep '^ *server [0-9.]*:[0-9]* max_fails' "$site" | grep -qv ":$1 "
}
tell_nginx() {
  sed -i "s|^\\( *server 127\\.0\\.0\\.1:$1\\) [^;]*;|\\1 $2;|" "$site"
  systemctl reload nginx
}

for unit in "$@"; do
  number=${unit#*@}
  left_out=no
  case $unit in
    fantail-web@[1-9])
      port=${FANTAIL_PORTS:-30}0$number
      if has_another "$port"; then
        tell_nginx "$port" down
        left_out=yes
        # Requests that nginx has already sent get a second to arrive.
        sleep 1
      fi
      ;;
    fantail-worker@[1-9]) port=${FANTAIL_PORTS:-30}1$number ;;
    *) echo "$unit is not a unit of Fantail" >&2; exit 1 ;;
  esac
  systemctl restart "$unit"
  tries=0
  until curl --silent --fail --max-time 3 --output /dev/null "http://127.0.0.1:$port/readyz"; do
    tries=$((tries + 1))
    if [ $tries -ge 240 ]; then
      echo "$unit is not ready after two minutes: see journalctl -u $unit. The remaining units were not restarted." >&2
      exit 1
    fi
    sleep 0.5
  done
  [ $left_out = no ] || tell_nginx "$port" max_fails=0
  echo "$unit is ready."
done
