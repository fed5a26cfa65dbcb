#!/bin/bash
# SPDX-License-Identifier: MIT
# fetch-headers.sh OUTDIR: puts the Vulkan and SPIR-V headers of Debian 13 under OUTDIR/usr.
#
# Why: the headers of Debian 12 know neither VK_KHR_pipeline_binary nor newer SPIR-V grammar
# entries. The two packages hold headers only, so they can be unpacked anywhere.
set -euo pipefail

outDir=$1
suite=trixie
packages=(libvulkan-dev spirv-headers)

say() { printf 'setup: %s\n' "$*"; }

# shellcheck source=private-apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/private-apt.sh"

if [[ -z $(machineMirror) ]]; then
  echo "setup: error: no Debian mirror found in the apt configuration of this machine" >&2
  exit 1
fi
mkdir -p "$outDir"
outDir=$(cd "$outDir" && pwd)
rm -rf "$outDir/unpacked"

say "reading the package index of Debian $suite (private to $outDir)"
if ! usePrivateApt "$outDir/apt" "$suite"; then
  echo "setup: error: the mirror '$(machineMirror)' gives no Debian $suite; put newer Vulkan and" \
    "SPIR-V headers under $outDir/usr/include yourself, or install libvulkan-dev 1.4.309 or newer" >&2
  exit 1
fi
say "downloading ${packages[*]} of Debian $suite"
unpackPrivately "$outDir/unpacked" "${packages[@]}"
# The headers and the XML registry only: the package's libvulkan.so must never be linked.
# Moved into place in one step, so that an interrupted run is started again the next time.
mkdir -p "$outDir/unpacked/new/share"
mv "$outDir/unpacked/usr/include" "$outDir/unpacked/new/include"
mv "$outDir/unpacked/usr/share/vulkan" "$outDir/unpacked/new/share/vulkan"
rm -rf "${outDir:?}/usr"
mv "$outDir/unpacked/new" "$outDir/usr"
rm -rf "$outDir/apt" "$outDir/unpacked"
say "headers are in $outDir/usr/include"
