#!/bin/sh
# Makes what stands for the image node:24-trixie-slim where no registry of images can be reached: Debian, the
# project's Node.js and this machine's npm. Arguments: an empty folder, and the project with its packages installed.
set -eu
root=$1
project=$2
mmdebstrap --variant=minbase --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' trixie "$root"
cp -L "$project/node_modules/.bin/node" "$root/usr/local/bin/node"
npm_folder=$(npm root --global)/npm
mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc" "$root/etc/ssl/certs"
cp -R "$npm_folder" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
# A company's own certificate authority, if this machine has one.
certificates=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
cp -L "$certificates" "$root/etc/ssl/certs/ca-certificates.crt"
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$root/usr/local/etc/npmrc"
