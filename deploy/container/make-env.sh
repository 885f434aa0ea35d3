#!/bin/sh
# Creates the settings that deploy/container/compose.yaml reads in addition to the image and certificates, with new keys:
#
#   deploy/container/make-env.sh FOLDER
#
# The script creates FOLDER/{fantail,migrate,database,outside,gateway,sms}.env, FOLDER/roles.sql, FOLDER/{proxy,desk}.conf and
# FOLDER/provider, a copy of PROVIDER_FOLDER (by default the demo's). It stops if FOLDER/fantail.env exists, so existing keys are kept. The
# gateway simulator creates the card encryption key at its first start: copy the key from the simulator's log to CARD_PUBLIC_KEY.
set -eu
umask 077
folder=${1:?FOLDER is missing: the folder that contains the certificates}
here=$(cd "$(dirname "$0")/.." && pwd)
host=${FANTAIL_HOST:-proxy}
desk=${FANTAIL_DESK_HOST:-desk.$host}
[ ! -e "$folder/fantail.env" ] || { echo "$folder/fantail.env already exists: its keys are kept" >&2; exit 1; }
mkdir -p "$folder"
key() { openssl rand -hex "$1"; }

owner=$(key 24) product=$(key 24)
cat > "$folder/roles.sql" <<SQL
create role fantail_owner login password '$owner';
create role fantail login password '$product';
create database fantail owner fantail_owner;
\\connect fantail
alter schema public owner to fantail_owner;
revoke create on schema public from public;
SQL
echo "POSTGRES_PASSWORD=$(key 24)" > "$folder/database.env"
tls='sslmode=verify-full&sslrootcert=/tls/ca.crt'
echo "MIGRATION_DATABASE_URL=postgres://fantail_owner:$owner@database/fantail?$tls" > "$folder/migrate.env"

card=$(key 16) hmac=$(key 32) client=$(key 16) sms=$(key 16)
cat > "$folder/fantail.env" <<ENV
MARKET=NZ
PUBLIC_URL=https://$host
DESK_URL=https://$desk
TRUSTED_PROXIES=172.30.0.10
PROVIDER_DIR=/provider
ERASURES_FILE=/erasures/erasures.jsonl
DATABASE_URL=postgres://fantail:$product@database/fantail?$tls
SECRET_KEY=$(key 32)
CARD_GATEWAY=adyen
CARD_URL=https://outside:4410
CARD_API_KEY=$card
CARD_MERCHANT_ACCOUNT=FantailTrial
CARD_HMAC_KEY=$hmac
CARD_PUBLIC_KEY=${CARD_PUBLIC_KEY:-}
NETWORK_URL=https://outside:4420
NETWORK_CALLBACK_SECRET=$(key 16)
NETWORK_AUTH=oauth2
NETWORK_TOKEN_URL=https://outside:4440/token
NETWORK_CLIENT_ID=fantail
NETWORK_CLIENT_SECRET=$client
NETWORK_TLS_CERT=/tls/web.crt
NETWORK_TLS_KEY=/tls/web.key
NETWORK_TLS_CA=/tls/ca.crt
SMTP_URL=smtps://outside:4465
MAIL_FROM=Fantail Mobile <hello@example.nz>
SMS_URL=https://outside:4450
SMS_API_KEY=$sms
SMS_SENDER=Fantail
NODE_EXTRA_CA_CERTS=/tls/ca.crt
OPERATOR_MAIL=${OPERATOR_MAIL:-}
SIM_STOCK_LEVEL=${SIM_STOCK_LEVEL:-100}
ENV
cat > "$folder/outside.env" <<ENV
MERCHANT_ACCOUNT=FantailTrial
HMAC_KEY=$hmac
WEBHOOK_URL=https://proxy/callbacks/card/
TOKEN_SECRET=$(key 16)
CLIENT_ID=fantail
CLIENT_SECRET=$client
NODE_EXTRA_CA_CERTS=/tls/ca.crt
ENV
# Two simulators read API_KEY, with different values, so each gets its own file.
echo "API_KEY=$card" > "$folder/gateway.env"
printf 'API_KEY_HEADER=Authorization\nAPI_KEY=Bearer %s\n' "$sms" > "$folder/sms.env"

cp -r "${PROVIDER_FOLDER:-$here/../demo/providers/fantail}/." "$folder/provider"
sed -e "s|my\\.example\\.nz|$host|g" -e "s|127\\.0\\.0\\.1:300\\([12]\\)|web-\\1:3000|" "$here/nginx/fantail.conf" > "$folder/proxy.conf"
sed -e "s|desk\\.example\\.nz|$desk|g" -e "s|127\\.0\\.0\\.1:320\\([12]\\)|web-\\1:3200|" "$here/nginx/desk.conf" > "$folder/desk.conf"
# The product's user in the container has another user id and must read these files, but not the authority's key.
chmod -R a+rX "$folder/provider"
chmod a+r "$folder/proxy.conf" "$folder/desk.conf" "$folder/roles.sql"
if [ -d "$folder/tls" ]; then chmod a+x "$folder" "$folder/tls" && chmod a+r "$folder/tls/web.key"; fi
