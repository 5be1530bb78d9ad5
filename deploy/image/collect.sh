#!/bin/sh
# Collects the root file system of the image in a folder, from the image that this runs in: collect.sh FOLDER. See ../Dockerfile.
set -e
image=$1
node=$(command -v node)

mkdir -p "$image/usr/local/bin" "$image/etc" "$image/var/lib/dpkg/status.d" "$image/usr/share/doc"
install -d -m 1777 "$image/tmp"
strip -o "$image/usr/local/bin/node" "$node"

# Where the binary looks for them, without links: the image has nothing else.
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  install -D "$(readlink -f "$library")" "$image$library"
done

# Scanners learn from these what the image has.
cp -L /etc/os-release "$image/etc/os-release"
for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" >"$image/var/lib/dpkg/status.d/$package"
done
for package in libc6 gcc-12-base; do
  [ ! -f "/usr/share/doc/$package/copyright" ] ||
    install -D -m 644 "/usr/share/doc/$package/copyright" "$image/usr/share/doc/$package/copyright"
done
[ ! -f /usr/local/LICENSE ] || install -D -m 644 /usr/local/LICENSE "$image/usr/share/doc/node/copyright"

# Node knows the public certificate authorities and the time zones by itself.
echo 'ilk:x:65532:65532:ilk:/var/lib/ilk:/nonexistent' >"$image/etc/passwd"
echo 'ilk:x:65532:' >"$image/etc/group"
echo 'hosts: files dns' >"$image/etc/nsswitch.conf"

install -d -m 700 /volume/ilk
