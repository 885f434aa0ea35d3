#!/bin/sh
# Creates your own certificate authority, for TLS between your own machines and for trials:
#
#   deploy/make-ca.sh FOLDER NAME...
#
# The script creates FOLDER/ca.crt, which clients and servers must trust, and for each NAME a certificate and its key, FOLDER/NAME.crt and
# FOLDER/NAME.key, for use by servers and clients. NAME is a host name, an IP address, or any word for a client. Existing files are kept:
# delete a certificate's files to replace them. Keep the authority's key, FOLDER/ca.key, off all servers.
set -eu
umask 077

folder=${1:?FOLDER is missing: the folder for the certificates}
shift
[ $# -gt 0 ] || { echo 'NAME is missing: the host or client that needs a certificate' >&2; exit 1; }
mkdir -p "$folder"

if [ ! -e "$folder/ca.key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -sha256 \
    -subj '/CN=Fantail, own authority' -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
fi

for name in "$@"; do
  case $name in
    *[!A-Za-z0-9.:_-]* | '' | .* | -*) echo "$name is neither a host name nor an IP address" >&2; exit 1 ;;
  esac
  [ -e "$folder/$name.crt" ] && [ -e "$folder/$name.key" ] && continue
  case $name in
    *:* | *[0-9].[0-9]*.[0-9]*.[0-9]*) names="IP:$name" ;;
    # A certificate for localhost also includes its IP addresses.
    localhost) names='DNS:localhost,IP:127.0.0.1,IP:::1' ;;
    *) names="DNS:$name" ;;
  esac
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
    -keyout "$folder/$name.key" -out "$folder/$name.csr" 2>/dev/null
  printf '%s\n' "subjectAltName=$names" 'basicConstraints=CA:FALSE' 'keyUsage=critical,digitalSignature' \
    'extendedKeyUsage=serverAuth,clientAuth' > "$folder/$name.ext"
  openssl x509 -req -sha256 -days 397 -in "$folder/$name.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial \
    -extfile "$folder/$name.ext" -out "$folder/$name.crt" 2>/dev/null
  rm "$folder/$name.csr" "$folder/$name.ext"
done
chmod 644 "$folder"/*.crt
