#!/bin/sh
# Installs the portal's nginx site. The variables below change the host, ports and folders.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nginx=${FANTAIL_NGINX:-/etc/nginx}

mkdir -p "${FANTAIL_NGINX_CACHE:-/var/cache/nginx}"
# Copies a site with these variables filled in. The desk's site is only installed if FANTAIL_DESK_HOST is set.
fill() {
  sed -e "s|my\\.example\\.nz|${FANTAIL_HOST:-my.example.nz}|g" \
    -e "s|desk\\.example\\.nz|${FANTAIL_DESK_HOST:-desk.example.nz}|g" \
    -e "s|/etc/fantail|${FANTAIL_ETC:-/etc/fantail}|g" \
    -e "s|/var/cache/nginx|${FANTAIL_NGINX_CACHE:-/var/cache/nginx}|g" \
    -e "s|/var/log/nginx|${FANTAIL_NGINX_LOG:-/var/log/nginx}|g" \
    -e "s|\\(listen.*[ :]\\)80;|\\1${FANTAIL_HTTP_PORT:-80};|" \
    -e "s|\\(listen.*[ :]\\)443 |\\1${FANTAIL_HTTPS_PORT:-443} |" \
    -e "s|127\\.0\\.0\\.1:30|127.0.0.1:${FANTAIL_PORTS:-30}|" \
    -e "s|127\\.0\\.0\\.1:320|127.0.0.1:${FANTAIL_DESK_PORTS:-32}0|" \
    "$here/nginx/$1" > "$nginx/conf.d/$2"
}

fill fantail.conf fantail.conf
if [ -n "${FANTAIL_DESK_HOST:-}" ]; then fill desk.conf fantail-desk.conf; fi
