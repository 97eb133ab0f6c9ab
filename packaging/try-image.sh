#!/bin/sh
# Builds the image from the Dockerfile and tries it: see packaging/image/try-container.ts. Needs no container engine
# and no registry of images, but root on Debian with buildah, bubblewrap and mmdebstrap.
set -eu
cd "$(dirname "$0")/.."
storage=${IMAGE_STORAGE:-/var/tmp/parley-image}
base=docker.io/library/node:24-trixie-slim
image=localhost/parley

run_buildah() {
  buildah --root "$storage/images" --runroot "$storage/run" --storage-driver overlay "$@"
}

mkdir -p "$storage"
if ! run_buildah inspect --type image "$base" > "$storage/inspected" 2>&1 && ! run_buildah pull "$base"; then
  [ -e "$storage/node/usr/local/etc/npmrc" ] || {
    rm -rf "$storage/node"
    packaging/image/make-node-image.sh "$storage/node" .
  }
  container=$(run_buildah from scratch)
  run_buildah copy --quiet "$container" "$storage/node" /
  run_buildah commit --quiet "$container" "$base"
  run_buildah rm "$container"
fi
# The format of Docker, because that of OCI has no HEALTHCHECK.
run_buildah build --isolation chroot --format docker --pull-never --layers --tag "$image" \
  --build-arg "REVISION=$(git rev-parse --short=12 HEAD)" .

container=$(run_buildah from --pull-never "$image")
# Where any user can reach it: the storage is private to root.
root=$(mktemp -d)
chmod 755 "$root"
trap 'umount "$root"; rmdir "$root"; run_buildah rm "$container"' EXIT
mount --bind "$(run_buildah mount "$container")" "$root"
run_buildah inspect --type image "$image" > "$storage/image.json"
node_modules/.bin/node packaging/image/try-container.ts "$root" "$storage/image.json"
