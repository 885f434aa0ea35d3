#!/bin/sh
# Reads or writes one setting of a settings file:
#
#   deploy/setting.sh FILE NAME          prints its value
#   deploy/setting.sh FILE NAME VALUE    puts it in the place of the one before, or at the end
#
# The file keeps its owner and rights, and is there as a whole at every moment.
set -eu
file=${1:?FILE is missing} name=${2:?NAME is missing}
case $name in *[!A-Z0-9_]* | '') echo "$name is no name of a setting" >&2; exit 1 ;; esac

if [ $# -eq 2 ]; then
  sed -n "s/^$name=\"\\(.*\\)\"\$/\\1/p; s/^$name=\\([^\"].*\\)\$/\\1/p" "$file"
  exit
fi
# What a shell, systemd and node read alike.
case $3 in *[\"\\\$\`]* | *'
'*) echo 'a value cannot hold a quote, a backslash, $, ` or the end of a line' >&2; exit 1 ;; esac
new=$(mktemp "$file.XXXXXX")
trap 'rm -f "$new"' EXIT
cp -p "$file" "$new"
{ grep -v "^$name=" "$file" || :; printf '%s="%s"\n' "$name" "$3"; } > "$new"
mv "$new" "$file"
