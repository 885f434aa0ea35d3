#!/bin/sh
# Made the certificates here, and makes them anew: a CA for clients, whose key is thrown away, a client of it, one whose
# certificate has ended, and one that signed its own. Good for a hundred years, so that no test ends with them.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -days 36500 -subj '/CN=Clients of a carrier' -out client-ca.crt
touch "$work/index"
echo 01 > "$work/serial"
printf '[ca]\ndefault_ca=x\n[x]\ndatabase=%s\nserial=%s\nnew_certs_dir=%s\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n' \
  "$work/index" "$work/serial" "$work" > "$work/ca.cnf"

# The two dates are those from when and until when it is good.
client() {
  key "$1.key"
  openssl req -new -key "$1.key" -subj "/CN=$1" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.cnf" -cert client-ca.crt -keyfile "$work/ca.key" \
    -startdate "$2" -enddate "$3" -in "$work/$1.csr" -out "$1.crt"
}
client client 20260101000000Z 21260101000000Z
client ended-client 20250101000000Z 20260101000000Z

key stranger.key
openssl req -x509 -new -key stranger.key -days 36500 -subj '/CN=stranger' -out stranger.crt
