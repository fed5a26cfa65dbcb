# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Packages of other suites than the machine's, unpacked anywhere: apt works on a private sources
# list, private index files and a private cache, all below one folder; the mirror is the one that the
# machine itself uses; nothing outside of that folder is written.

# Prints the URI of the mirror the machine takes its own Debian release from. Other archives
# (security, backports, third parties) have other suite names.
machineMirror() {
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-bookworm}")
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v c="$codename" '
      $2 == "main" && ($1 == c || $1 == "stable" || $1 == "oldstable") { print $3; exit }'
}

# usePrivateApt FOLDER SUITE: reads the suite's package index. FOLDER is made anew, and the caller
# removes it. Returns 1 when the mirror has no such suite.
usePrivateApt() {
  privateApt=$1
  local mirror
  mirror=$(machineMirror)
  [[ -n $mirror ]] || return 1
  rm -rf "$privateApt"
  mkdir -p "$privateApt"/{etc,lists/partial,cache/archives/partial,debs}
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
    "$mirror" "$2" >"$privateApt/etc/sources.list"
  aptOptions=(
    -o "Dir::Etc::SourceList=$privateApt/etc/sources.list"
    -o "Dir::Etc::SourceParts=/dev/null"
    -o "Dir::Etc::Preferences=/dev/null"
    -o "Dir::Etc::PreferencesParts=/dev/null"
    -o "Dir::State::Lists=$privateApt/lists"
    -o "Dir::Cache=$privateApt/cache"
    -o "Acquire::Languages=none"
    -o "Acquire::Retries=3"
    -o "APT::Sandbox::User=$(id -un)" # a checkout below a private home is closed to user _apt
    -o "APT::Update::Error-Mode=any"
  )
  apt-get "${aptOptions[@]}" -qq update </dev/null
}

# unpackPrivately FOLDER PACKAGE...: of the suite that usePrivateApt() read.
unpackPrivately() {
  local folder=$1 deb
  shift
  rm -f "$privateApt"/debs/*.deb
  (cd "$privateApt/debs" && apt-get "${aptOptions[@]}" -qq download "$@" </dev/null) || return 1
  mkdir -p "$folder"
  for deb in "$privateApt"/debs/*.deb; do
    dpkg -x "$deb" "$folder" || return 1
  done
}
