#!/bin/bash
# SPDX-License-Identifier: MIT
# fetch-opencl.sh OUTDIR: what OpenCL kernels are compiled with besides clang, as far as the mirror
# has it: OUTDIR/bin/llvm-spirv-22 (SPIRV-LLVM-Translator) and OUTDIR/spirv64-mesa3d-.spv (libclc).
#
# Both are optional: clang writes SPIR-V too, and only some of OpenCL C's functions need a library.
# The translator for LLVM 22 is in Debian sid alone, and wants a newer libc than Debian 12 has: there
# it is started by the loader of Debian 13's libc, which lies beside it; the system's LLVM serves.
# The library of sid is the better one (more functions, closer results), that of Debian 13 stays.
# A warning, and exit code 0, when something is not to be had.
set -euo pipefail

outDir=$1
minLibc=2.38
libraryFile=usr/lib/clc/spirv64-mesa3d-.spv

say() { printf 'setup: %s\n' "$*"; }
warn() { printf 'setup: warning: %s\n' "$*" >&2; }

# shellcheck source=private-apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/private-apt.sh"

mkdir -p "$outDir"
outDir=$(cd "$outDir" && pwd)
rm -rf "$outDir/new" "$outDir/bin" "$outDir/lib" "$outDir/libc" "$outDir"/*.spv
new=$outDir/new

# newLibc: does the system's libc start programs of sid?
newLibc() {
  dpkg --compare-versions "$(dpkg-query -W -f='${Version}' libc6 2>/dev/null || echo 0)" ge $minLibc
}

# takeLibrary SUITE PACKAGE
takeLibrary() {
  unpackPrivately "$new/$1" "$2" && [[ -f $new/$1/$libraryFile ]] || return 1
  mv "$new/$1/$libraryFile" "$outDir/"
  say "built-in functions of OpenCL C: $2 of Debian $1"
}

# Paths are relative to the script, so that the folder may be moved.
writeStarter() {
  local libc=$1
  mkdir -p "$outDir/bin"
  {
    printf '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")/..\n'
    printf 'system=/usr/lib/llvm-22/lib:/usr/lib/x86_64-linux-gnu\n'
    if [[ -n $libc ]]; then
      printf 'exec "$here/libc/ld-linux-x86-64.so.2" --library-path "$here/lib:$here/libc:$system" '
    else
      printf 'LD_LIBRARY_PATH="$here/lib:$system" exec '
    fi
    printf '"$here/lib/llvm-spirv-22" "$@"\n'
  } >"$outDir/bin/llvm-spirv-22"
  chmod +x "$outDir/bin/llvm-spirv-22"
}

translator=''
library=''
say "reading the package index of Debian sid (private to $outDir)"
if usePrivateApt "$new/apt" sid; then
  ! takeLibrary sid libclc-22 || library=1
  if unpackPrivately "$new/translator" llvm-spirv-22 libllvmspirvlib22.1; then
    mkdir -p "$outDir/lib"
    mv "$new/translator/usr/bin/llvm-spirv-22" "$outDir/lib/"
    mv "$new"/translator/usr/lib/x86_64-linux-gnu/libLLVMSPIRVLib.so.* "$outDir/lib/"
    translator=1
  fi
fi
libc=''
newLibc || libc=1
if [[ -z $library || (-n $translator && -n $libc) ]]; then
  say "reading the package index of Debian trixie (private to $outDir)"
  if usePrivateApt "$new/apt" trixie; then
    [[ -n $library ]] || ! takeLibrary trixie libclc-19 || library=1
    if [[ -n $translator && -n $libc ]] && unpackPrivately "$new/libc" libc6; then
      mkdir -p "$outDir/libc"
      mv "$new"/libc/usr/lib/x86_64-linux-gnu/*.so.* "$outDir/libc/"
    fi
  fi
fi
if [[ -n $translator ]]; then
  writeStarter "$libc"
  if "$outDir/bin/llvm-spirv-22" --version >/dev/null 2>&1; then
    say "SPIRV-LLVM-Translator is in $outDir/bin"
  else
    rm -rf "$outDir/bin" "$outDir/lib" "$outDir/libc"
    translator=''
  fi
fi
rm -rf "$new"
[[ -n $translator ]] || warn "no SPIRV-LLVM-Translator 22: clang writes the SPIR-V of OpenCL kernels"
[[ -n $library ]] || warn "no built-in library for OpenCL kernels: functions such as sin are missing"
# So that a machine without them does not look at every call.
touch "$outDir/looked"
