#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh [CLIENT...]: installs programs that use Vulkan (apt, npm), starts each on Kiln's driver in an X server that shows on no
# screen, and looks at their pictures; without names all that clients.py lists. They run under the validation layer that comes with
# Chromium, the newest that the distribution has. Needs root or sudo, and about 2.5 GB of disk; packages of npm and pictures go to
# build/clients.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
work=$root/build/clients
# libx11-xcb-dev: SDL loads libX11-xcb.so by the name that only this package has, for drivers without VK_KHR_xlib_surface.
packages=(chromium ffmpeg glmark2-x11 gtk-4-examples libx11-xcb-dev mesa-utils mpv nodejs npm supertuxkart vkd3d-demos vulkan-tools weston
  xvfb)
modules=(webgpu@0.6 three@0.187 @tensorflow/tfjs-core@4.22 @tensorflow/tfjs-backend-cpu@4.22 @tensorflow/tfjs-backend-webgpu@4.22
  node-llama-cpp@3.21.1 @node-llama-cpp/linux-x64@3.21.1 @node-llama-cpp/linux-x64-vulkan@3.21.1)

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
# node-llama-cpp would fetch its builds for all processors, and run a script that compiles one.
[[ -d $work/node_modules/@node-llama-cpp/linux-x64-vulkan ]] ||
  (cd "$work" && npm install --no-fund --no-audit --no-save --ignore-scripts --omit=optional --prefix . "${modules[@]}")
"$root/kiln" build -- kiln_icd
exec python3 "$root/test/icd/xvfb.py" python3 "$root/test/clients/clients.py" \
  --icd "$root/build/icd/kiln_icd.json" --work "$work" --layer /usr/lib/chromium/libVkLayer_khronos_validation.so "$@"
