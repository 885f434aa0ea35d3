#!/bin/sh
# A certificate authority of one's own, for TLS between one's own machines, and for trying things out:
#
#   deploy/make-ca.sh FOLDER NAME...
#
# leaves FOLDER/ca.crt, which is to be trusted, and for each NAME a certificate and its key, FOLDER/NAME.crt and FOLDER/NAME.key, good for
# servers and for clients. NAME is a host's name, an address, or, for a client, any word. What is there already stays: a
# certificate is made anew once its files are deleted. The authority's key, FOLDER/ca.key, belongs on no server.
set -eu
umask 077

folder=${1:?FOLDER is missing: where to leave the certificates}
shift
[ $# -gt 0 ] || { echo 'NAME is missing: whom to make a certificate for' >&2; exit 1; }
mkdir -p "$folder"

if [ ! -e "$folder/ca.key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -sha256 \
    -subj '/CN=Fantail, own authority' -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
fi

for name in "$@"; do
  case $name in
    *[!A-Za-z0-9.:_-]* | '' | .* | -*) echo "$name is no name of a host, and no address" >&2; exit 1 ;;
  esac
  [ -e "$folder/$name.crt" ] && [ -e "$folder/$name.key" ] && continue
  case $name in
    *:* | *[0-9].[0-9]*.[0-9]*.[0-9]*) names="IP:$name" ;;
    # Whoever is this machine is so by its address, too.
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
