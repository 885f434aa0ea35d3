#!/bin/sh
# Restarts every process of this host, one after the other, each once the one before it is ready again: customers notice nothing.
#
#   deploy/rolling-restart.sh [UNIT...]     fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2, unless others are named
#
# nginx is told to leave out who is about to serve no more, so that no connection waits in the kernel when its port closes. It stops
# at the first one that does not get ready within two minutes: that one stays left out, and those after it run as they did.
set -eu
[ $# -gt 0 ] || set -- fantail-worker@1 fantail-worker@2 fantail-web@1 fantail-web@2
site=${FANTAIL_NGINX:-/etc/nginx}/conf.d/fantail.conf

# Whether nginx has another process to send calls to.
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
        # For what is between the two.
        sleep 1
      fi
      ;;
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
  [ $left_out = no ] || tell_nginx "$port" max_fails=0
  echo "$unit is ready."
done
