#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh [CLIENT...]: installs programs that use Vulkan (apt, npm), starts each on Kiln's driver in an X server that shows on no
# screen, and looks at their pictures; without names all that clients.py lists. Needs root or sudo, and about 1.5 GB of disk;
# packages of npm and pictures go to build/clients.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
work=$root/build/clients
# libx11-xcb-dev: SDL loads libX11-xcb.so by the name that only this package has, for drivers without VK_KHR_xlib_surface.
packages=(ffmpeg glmark2-x11 gtk-4-examples libx11-xcb-dev mesa-utils mpv nodejs npm supertuxkart vkd3d-demos vulkan-tools weston
  xvfb)
webgpu=webgpu@0.6

missing=()
for package in "${packages[@]}"; do
  case $package in
    nodejs | npm) command -v "${package/nodejs/node}" >/dev/null || missing+=("$package") ;; # from elsewhere is as good
    *) dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package") ;;
  esac
done
if ((${#missing[@]})); then
  sudo=()
  ((EUID == 0)) || sudo=(sudo)
  "${sudo[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
fi
mkdir -p "$work"
[[ -d $work/node_modules/webgpu ]] || (cd "$work" && npm install --no-fund --no-audit --no-save --prefix . "$webgpu")
"$root/kiln" build -- kiln_icd
exec python3 "$root/test/icd/xvfb.py" python3 "$root/test/clients/clients.py" \
  --icd "$root/build/icd/kiln_icd.json" --work "$work" "$@"
