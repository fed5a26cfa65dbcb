#!/bin/bash
# SPDX-License-Identifier: MIT
# fetch-headers.sh OUTDIR: puts the Vulkan and SPIR-V headers of Debian 13 under OUTDIR/usr.
#
# Why: the headers of Debian 12 know neither VK_KHR_pipeline_binary nor newer SPIR-V grammar
# entries. The two packages hold headers only, so they can be unpacked anywhere. apt works here on a
# private sources list, private index files and a private cache (all under OUTDIR/apt, removed at the
# end); the mirror is the one the machine itself uses; nothing outside OUTDIR is written.
set -euo pipefail

outDir=$1
suite=trixie
packages=(libvulkan-dev spirv-headers)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf 'setup: %s\n' "$*"; }

# Prints the URI of the mirror the machine takes its own Debian release from. Other archives
# (security, backports, third parties) have other suite names.
machineMirror() {
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-bookworm}")
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v c="$codename" '
      $2 == "main" && ($1 == c || $1 == "stable" || $1 == "oldstable") { print $3; exit }'
}

mirror=$(machineMirror)
if [[ -z $mirror ]]; then
  echo "setup: error: no Debian mirror found in the apt configuration of this machine" >&2
  exit 1
fi
mkdir -p "$outDir"
outDir=$(cd "$outDir" && pwd)
rm -rf "$outDir/apt" "$outDir/unpacked"
mkdir -p "$outDir"/apt/{etc,lists/partial,cache/archives/partial,debs} "$outDir/unpacked"
printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite" \
  >"$outDir/apt/etc/sources.list"

aptOptions=(
  -o "Dir::Etc::SourceList=$outDir/apt/etc/sources.list"
  -o "Dir::Etc::SourceParts=/dev/null"
  -o "Dir::Etc::Preferences=/dev/null"
  -o "Dir::Etc::PreferencesParts=/dev/null"
  -o "Dir::State::Lists=$outDir/apt/lists"
  -o "Dir::Cache=$outDir/apt/cache"
  -o "Acquire::Languages=none"
  -o "Acquire::Retries=3"
  -o "APT::Sandbox::User=$(id -un)" # a checkout below a private home is closed to user _apt
  -o "APT::Update::Error-Mode=any"
)

say "reading the package index of Debian $suite (private to $outDir)"
if ! apt-get "${aptOptions[@]}" -qq update </dev/null; then
  echo "setup: error: the mirror '$mirror' gives no Debian $suite; put newer Vulkan and SPIR-V" \
    "headers under $outDir/usr/include yourself, or install libvulkan-dev 1.4.309 or newer" >&2
  exit 1
fi
say "downloading ${packages[*]} of Debian $suite"
(cd "$outDir/apt/debs" && apt-get "${aptOptions[@]}" -qq download "${packages[@]}" </dev/null)
for deb in "$outDir"/apt/debs/*.deb; do
  dpkg -x "$deb" "$outDir/unpacked"
done
# The headers and the XML registry only: the package's libvulkan.so must never be linked.
# Moved into place in one step, so that an interrupted run is started again the next time.
mkdir -p "$outDir/unpacked/new/share"
mv "$outDir/unpacked/usr/include" "$outDir/unpacked/new/include"
mv "$outDir/unpacked/usr/share/vulkan" "$outDir/unpacked/new/share/vulkan"
rm -rf "${outDir:?}/usr"
mv "$outDir/unpacked/new" "$outDir/usr"
rm -rf "$outDir/apt" "$outDir/unpacked"
say "headers are in $outDir/usr/include"
