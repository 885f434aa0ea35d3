#!/bin/sh
# Reads or writes a setting in a settings file:
#
#   deploy/setting.sh FILE NAME          prints the value
#   deploy/setting.sh FILE NAME VALUE    sets the value
#
# The file keeps its owner and permissions, and is replaced atomically.
set -eu
file=${1:?FILE is missing} name=${2:?NAME is missing}
case $name in *[!A-Z0-9_]* | '') echo "$name is not a valid name for a setting" >&2; exit 1 ;; esac

if [ $# -eq 2 ]; then
  sed -n "s/^$name=\"\\(.*\\)\"\$/\\1/p; s/^$name=\\([^\"].*\\)\$/\\1/p" "$file"
  exit
fi
# These characters are rejected, because a shell, systemd and Node read them differently.
case $3 in *[\"\\\$\`]* | *'
'*) echo 'a value cannot contain a double quote, a backslash, $, ` or a line break' >&2; exit 1 ;; esac
new=$(mktemp "$file.XXXXXX")
trap 'rm -f "$new"' EXIT
cp -p "$file" "$new"
{ grep -v "^$name=" "$file" || :; printf '%s="%s"\n' "$name" "$3"; } > "$new"
mv "$new" "$file"
