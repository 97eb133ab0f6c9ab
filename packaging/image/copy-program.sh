#!/bin/sh
# Copies the built program, without its packages, into a new folder.
set -eu
target=$1
mkdir -p "$target/web/dashboard" "$target/web/phone"
cp -R package.json bin src migrations packaging/image/check-health.ts "$target"
cp -R web/dashboard/dist "$target/web/dashboard/"
cp -R web/phone/dist "$target/web/phone/"
# Whatever the umask of the working folder was.
chmod -R a+rX,go-w "$target"
