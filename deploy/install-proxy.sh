#!/bin/sh
# Puts the portal's site into nginx's folder, with the host, the ports and the places that these variables name, if they do.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nginx=${FANTAIL_NGINX:-/etc/nginx}

mkdir -p "${FANTAIL_NGINX_CACHE:-/var/cache/nginx}"
sed -e "s|my\\.example\\.nz|${FANTAIL_HOST:-my.example.nz}|g" \
  -e "s|/etc/fantail|${FANTAIL_ETC:-/etc/fantail}|g" \
  -e "s|/var/cache/nginx|${FANTAIL_NGINX_CACHE:-/var/cache/nginx}|g" \
  -e "s|/var/log/nginx|${FANTAIL_NGINX_LOG:-/var/log/nginx}|g" \
  -e "s|\\(listen.*[ :]\\)80;|\\1${FANTAIL_HTTP_PORT:-80};|" \
  -e "s|\\(listen.*[ :]\\)443 |\\1${FANTAIL_HTTPS_PORT:-443} |" \
  -e "s|127\\.0\\.0\\.1:30|127.0.0.1:${FANTAIL_PORTS:-30}|" \
  "$here/nginx/fantail.conf" > "$nginx/conf.d/fantail.conf"
