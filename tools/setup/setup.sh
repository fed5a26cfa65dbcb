#!/bin/bash
# SPDX-License-Identifier: MIT
# setup.sh [--dry-run] [--tests]: makes a Debian 12 or 13 machine able to build Kiln, and to test it.
#
# Installs the packages below that are missing, with --tests also those that only tests need, and on
# systems whose Vulkan and SPIR-V headers are too old unpacks newer ones under build/headers. What OpenCL kernels are compiled with goes
# to build/opencl, where it is to be had. Prints what it does, and nothing when there is nothing to do. `--peers` is accepted and means nothing more: Mesa's drivers are always installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
headersDir=$root/build/headers
openClDir=$root/build/opencl
minVulkanHeaders=309 # VK_HEADER_VERSION of 1.4.309, the first with VK_KHR_pipeline_binary

packages=(
  llvm-22-dev llvm-22-tools llvm-22 lld-22 clang-22 libclang-rt-22-dev clang-format-22 clang-tidy-22
  ccache cmake ninja-build g++ git python3 dpkg-dev help2man pkg-config
  spirv-tools spirv-headers glslang-tools glslang-dev
  libxxhash-dev libzstd-dev libsqlite3-dev libssl-dev zlib1g-dev nlohmann-json3-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  libvulkan-dev libvulkan1 libpng-dev vulkan-tools vulkan-validationlayers
  chromium # opens reports
  libxcb1-dev xvfb xauth libwayland-client0 libwayland-server0
)
# Some start services when they are installed, which nobody wants who only compiles a shader. Tests
# without them say so, and are skipped.
testPackages=(
  redis-server openssl # farm-server, farm-tls, farm-driver
  parallel # farm-parallel
  munge slurmctld slurmd slurm-client slurm-wlm-basic-plugins # farm-slurm
)

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$*" >&2
  exit 2
}

dryRun=''
withTests=''
for argument in "$@"; do
  case $argument in
    --peers) ;;
    --dry-run) dryRun=1 ;;
    --tests) withTests=1 ;;
    *) fail "unknown argument '$argument'" ;;
  esac
done

# asRoot COMMAND...: apt never asks anything and never reads our standard input.
asRoot() {
  local prefix=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || fail "needs root or sudo to run: $*"
    prefix=(sudo)
  fi
  "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a LC_ALL=C "$@" </dev/null
}

aptGet() {
  asRoot apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# missingOf PACKAGE...: prints those that are not installed.
missingOf() {
  local installed package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || printf '%s\n' "$package"
  done
}

# install PACKAGE...: from the configured archives; the index is read again first.
install() {
  say "installing: $*"
  [[ -z $dryRun ]] || return 0
  say "apt-get update"
  aptGet update || say "warning: apt-get update had errors"
  say "apt-get install --no-install-recommends $*"
  aptGet install -y --no-install-recommends "$@" ||
    fail "apt-get install failed; on Debian 12 and 13 LLVM 22 comes from the security archive," \
      "is it configured?"
}

headersVersion() {
  local file=$1/vulkan/vulkan_core.h
  if [[ -f $file ]]; then
    awk '/^#define VK_HEADER_VERSION /{ print $3; exit }' "$file"
  else
    echo 0
  fi
}

setupPackages() {
  local missing
  [[ -z $withTests ]] || packages+=("${testPackages[@]}")
  mapfile -t missing < <(missingOf "${packages[@]}")
  ((${#missing[@]} == 0)) || install "${missing[@]}"
}

setupHeaders() {
  if (($(headersVersion "$headersDir/usr/include") >= minVulkanHeaders)); then
    return 0
  fi
  # Debian 13: the distribution's own packages are new enough.
  local candidate
  candidate=$(apt-cache policy libvulkan-dev 2>/dev/null | awk '/Candidate:/{ print $2 }')
  if [[ -n $candidate ]] && dpkg --compare-versions "$candidate" ge 1.4.$minVulkanHeaders; then
    [[ -z $(missingOf libvulkan-dev) ]] || install libvulkan-dev
    return 0
  fi
  say "the distribution's Vulkan and SPIR-V headers are too old (libvulkan-dev ${candidate:-none})"
  [[ -n $dryRun ]] || "$here/fetch-headers.sh" "$headersDir"
}

# Optional, so nothing of it fails. It looks once; remove the folder to look again.
setupOpenCl() {
  [[ ! -f $openClDir/looked ]] || return 0
  say "looking for SPIRV-LLVM-Translator and libclc, for OpenCL kernels"
  [[ -n $dryRun ]] || "$here/fetch-opencl.sh" "$openClDir" ||
    say "warning: OpenCL kernels have no translator and no built-in library"
}

command -v apt-get >/dev/null || fail "only Debian 12 and 13 (apt) are supported"
setupPackages
setupHeaders
# shellcheck source=mesa.sh
. "$here/mesa.sh"
setupMesa
setupOpenCl
