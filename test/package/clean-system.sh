#!/bin/bash
# SPDX-License-Identifier: MIT
# clean-system.sh SUITE PACKAGES WORK: installs the Debian packages of a folder in a Debian (bookworm, trixie) that has
# nothing else, uses them, removes them, and looks at what is left. Needs root and debootstrap; takes the mirror that this
# machine has. By hand, after `(cd build && cpack -B packages)`:
#
#   sudo test/package/clean-system.sh bookworm build/packages /var/tmp/kiln-clean
#
# WORK/SUITE is the system; one that is there from an earlier run is taken again.
set -euo pipefail
suite=$1 packages=$(realpath "$2") work=$3
root=$work/$suite
project=$(realpath "$(dirname "$0")/../..")

# The archive's address for a release of this machine (main) and its security updates.
address() {
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v want="$1" '$2 == "main" && $1 == want { print $3; exit }'
}
codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
mirror=$(address "$codename")
security=$(address "$codename-security")
[[ -n $mirror ]] || { echo "clean-system: no mirror of Debian $codename in apt's configuration" >&2; exit 1; }

inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
say() { printf 'clean-system: %s: %s\n' "$suite" "$*"; }
# What is on the disk, without what apt and dpkg keep for themselves.
listing() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./root \
    -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/lib/dpkg -o -path ./var/log \) -prune -o -print | LC_ALL=C sort)
}

if [[ ! -d $root/usr ]]; then
  mkdir -p "$work"
  debootstrap --variant=minbase "$suite" "$root" "$mirror"
fi
{
  printf 'deb %s %s main\n' "$mirror" "$suite"
  [[ -z $security ]] || printf 'deb %s %s-security main\n' "$security" "$suite"
} >"$root/etc/apt/sources.list"
# Pages of the manual are among what is tried.
rm -f "$root/etc/dpkg/dpkg.cfg.d/docker"
inside apt-get -qq update
mount --bind /proc "$root/proc"
trap 'umount "$root/proc"' EXIT
listing >"$work/$suite.before"
inside dpkg-query -W -f '${Package}\n' | sort >"$work/$suite.packages-before"

mkdir -p "$root/tmp/packages"
cp "$packages"/*.deb "$root/tmp/packages/"
cp "$project/examples/blur.comp" "$root/tmp/"
cp -r "$project/examples/library" "$root/tmp/"
say "install"
inside sh -c 'apt-get -qq install -y --no-install-recommends /tmp/packages/*.deb man-db vulkan-tools libvulkan1 bash-completion g++ cmake ninja-build pkg-config glslang-tools' >"$work/$suite.install" 2>&1 ||
  { tail -20 "$work/$suite.install"; exit 1; }

say "amdllpc"
inside amdllpc --version
inside amdllpc -gfxip=gfx1030,gfx1201 -o /tmp/out/ /tmp/blur.comp
inside sh -c 'pal-verify /tmp/out/*.elf && cd /tmp/out && amdllpc -s vk-offline -c gfx1100 --isa isa.txt --comp /tmp/blur.comp && test -s gfx1100_isa_comp.txt'
say "man amdllpc"
inside sh -c 'MANPAGER=cat man amdllpc' | grep -q 'compile Vulkan shaders and pipelines for AMD GPUs'
say "the driver under vulkaninfo"
inside env KILN_DEVICES=gfx1100 VK_DRIVER_FILES=/usr/share/vulkan/icd.d/kiln_icd.json VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/kiln_icd.json \
  XDG_RUNTIME_DIR=/tmp vulkaninfo --summary | grep 'deviceName.*Kiln gfx1100'
say "the example of the libraries, static and shared"
inside glslangValidator --target-env vulkan1.3 -o /tmp/blur.spv /tmp/blur.comp
inside sh -c 'cmake -S /tmp/library -B /tmp/library/build -G Ninja && cmake --build /tmp/library/build && /tmp/library/build/compile /tmp/blur.spv /tmp/static.elf' |
  tail -1
inside sh -c 'c++ /tmp/library/main.cpp -o /tmp/shared $(pkg-config --cflags --libs kiln) && ldd /tmp/shared | grep libkiln.so.0.1 && /tmp/shared /tmp/blur.spv /tmp/shared.elf && cmp /tmp/static.elf /tmp/shared.elf'
say "licences"
for package in kiln-tools kiln-vulkan-driver libkiln0.1 libkiln-dev; do
  inside grep -q 'SPDX-License-Identifier: MIT' "/usr/share/doc/$package/copyright"
done

say "remove"
inside sh -c "dpkg-query -W -f '\${Package}\n' | sort" >"$work/$suite.packages-after"
added=$(comm -13 "$work/$suite.packages-before" "$work/$suite.packages-after")
inside apt-get -qq purge -y kiln-tools kiln-vulkan-driver libkiln0.1 libkiln-dev >/dev/null 2>&1
left=$(inside sh -c 'dpkg -l | grep -i kiln || true; find / -xdev -iname "*kiln*" -not -path "/proc/*" -not -path "/tmp/*" -not -path "$HOME/*"; find / -xdev -name "*amdllpc*" -not -path "/proc/*" -not -path "/tmp/*" -not -path "/var/cache/man/*"')
# shellcheck disable=SC2086
inside apt-get -qq purge -y $added >/dev/null 2>&1 || true
inside apt-get -qq autoremove --purge -y >/dev/null 2>&1
listing >"$work/$suite.after"
rm -rf "$root"/tmp/*
if [[ -n $left ]]; then
  printf 'clean-system: %s: left behind:\n%s\n' "$suite" "$left" >&2
  exit 1
fi
say "nothing is left of Kiln; $(comm -13 "$work/$suite.before" "$work/$suite.after" | wc -l) files are of other packages"
