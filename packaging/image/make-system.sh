#!/bin/sh
# Unpacks the Debian packages that the program needs into an empty root.
set -eu
root=$1
# glibc and libstdc++ are for Node and PostgreSQL, busybox for `bin/parley` and the operator's shell,
# libnss-wrapper gives a name to users without one (src/platform/embedded-postgres/run-as.ts).
packages="base-files busybox-static libc6 libgcc-s1 libnss-wrapper libstdc++6 tini"

mkdir -p "$root/var/lib/dpkg/status.d"
cd "$(mktemp -d)"
apt-get update
# shellcheck disable=SC2086
apt-get download $packages
for package in *.deb; do
  dpkg-deb --extract "$package" "$root"
  # Scanners of images look here.
  dpkg-deb --field "$package" > "$root/var/lib/dpkg/status.d/$(dpkg-deb --field "$package" Package)"
done
rm -rf "$root"/usr/share/doc "$root"/usr/share/man "$root"/usr/share/locale "$root"/usr/share/lintian

for applet in $("$root/usr/bin/busybox" --list); do
  [ -e "$root/usr/bin/$applet" ] || ln -s busybox "$root/usr/bin/$applet"
done

cat > "$root/etc/passwd" <<END
root:x:0:0:root:/:/bin/sh
parley:x:10001:10001:Parley:/var/lib/parley:/bin/sh
nobody:x:65534:65534:nobody:/:/bin/false
END
cat > "$root/etc/group" <<END
root:x:0:
parley:x:10001:
nogroup:x:65534:
END
# A container's own file covers it.
printf '127.0.0.1 localhost\n::1 localhost\n' > "$root/etc/hosts"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
# Any user and group may create its data here. What is in it belongs to its user alone.
mkdir -p "$root/var/lib/parley"
chmod 1777 "$root/var/lib/parley" "$root/tmp"
