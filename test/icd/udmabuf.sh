#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage: test/icd/udmabuf.sh LINUX-IMAGE.deb [GTEST-FILTER] [FAMILIES]
# Tests of dma-bufs on machines without /dev/udmabuf: boots the kernel of a Debian package (one with CONFIG_UDMABUF=y, as those of
# Debian 13) in QEMU, without hardware virtualization, on this machine's files, which it can only read, and runs kiln-api-tests of the
# build in ./build there. Needs qemu-system-x86, busybox-static, cpio, xz-utils. Takes minutes.
set -euo pipefail
package=$(realpath "$1")
filter=${2:-*ExternalMemoryApi*:*DrmModifierApi*:*PlacedMapApi*}
families=${3:-gfx1010,gfx1201}
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

dpkg-deb -x "$package" "$folder/package"
modules=$(find "$folder/package" -type d -path '*/lib/modules/*/kernel' -print -quit)
mkdir -p "$folder"/start/{bin,modules,host,proc,dev}
cp "$(command -v busybox)" "$folder/start/bin/"
names="fs/netfs/netfs net/9p/9pnet net/9p/9pnet_virtio fs/9p/9p"
for name in $names; do
  xz -dc "$modules/$name.ko.xz" > "$folder/start/modules/${name##*/}.ko"
done
cat > "$folder/start/init" <<EOF
#!/bin/busybox sh
b=/bin/busybox
\$b mount -t proc proc /proc; \$b mount -t devtmpfs dev /dev
for name in $names; do \$b insmod /modules/\${name##*/}.ko; done
\$b mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=1048576,cache=loose host /host
\$b mount -t tmpfs tmp /host/tmp; \$b mount -t sysfs sys /host/sys
\$b mount --bind /proc /host/proc; \$b mount --bind /dev /host/dev
\$b ls -l /dev/udmabuf; \$b uname -r
\$b chroot /host /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp KILN_CACHE=off KILN_PARTS=off KILN_POISON=1 KILN_STRICT=1 \
  KILN_DEVICES=$families VK_LOADER_LAYERS_DISABLE='~implicit~' VK_DRIVER_FILES=$source/build/icd/kiln_icd.json \
  $source/build/bin/kiln-api-tests --gtest_filter='$filter'
echo "exit code \$?"
\$b poweroff -f
EOF
chmod +x "$folder/start/init"
(cd "$folder/start" && find . | cpio --quiet -o -H newc | gzip) > "$folder/start.gz"

timeout 1800 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 3G -nographic -no-reboot -net none \
  -kernel "$folder"/package/boot/vmlinuz-* -initrd "$folder/start.gz" -append "console=ttyS0 quiet panic=-1 mitigations=off no_timer_check" \
  -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=host,mount_tag=host \
  < /dev/null | tee "$folder/log"
grep -q '^exit code 0' "$folder/log"
