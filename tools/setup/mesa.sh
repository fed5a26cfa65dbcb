# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Part of setup.sh: Mesa's Vulkan drivers. lavapipe runs shaders on the CPU, tests compare with it;
# RADV compiles without a GPU, `./kiln bench` compares with it.
#
# Debian 12's Mesa 22.3 is too old for both (lavapipe lacks 8- and 16-bit types); its backports have
# 25.0. Where backports are not
# configured, they are read through private sources and index files below build/peers, so that the
# machine's own apt configuration stays as it is; the packages themselves are installed.

minMesa=25.0

# Prints the line for a private sources file: backports of the mirror the machine itself uses.
backportsSource() {
  local codename=$1
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v c="$codename" '
      $1 == c "-backports" { found = 1 }
      $2 == "main" && $1 == c && uri == "" { uri = $3 }
      END {
        if (found) print "configured"
        else if (uri != "")
          print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " uri " " c "-backports main"
      }'
}

installFromBackports() {
  local codename=$1 source private=$root/build/peers options=()
  shift
  source=$(backportsSource "$codename")
  [[ -n $source ]] || fail "no Debian mirror found in the apt configuration of this machine"
  say "installing from $codename-backports: $*"
  [[ -z $dryRun ]] || return 0
  if [[ $source != configured ]]; then
    # The system's own sources stay in use for the dependencies; only one list is added.
    rm -rf "$private"
    mkdir -p "$private"/{lists/partial,cache/archives/partial}
    if [[ -f /etc/apt/sources.list ]]; then
      cat /etc/apt/sources.list >"$private/sources.list"
    fi
    printf '%s\n' "$source" >>"$private/sources.list"
    options=(-o "Dir::Etc::SourceList=$private/sources.list" -o "Dir::State::Lists=$private/lists"
      -o "Dir::Cache=$private/cache" -o "Acquire::Languages=none" -o "APT::Sandbox::User=root")
  fi
  aptGet "${options[@]}" update
  aptGet "${options[@]}" install -y --no-install-recommends -t "$codename-backports" "$@" ||
    fail "installing from $codename-backports failed"
  [[ $source == configured ]] || asRoot rm -rf "$private"
}

# mesaVersion: of the installed drivers, or nothing.
mesaVersion() {
  dpkg-query -W -f='${db:Status-Status} ${Version}\n' mesa-vulkan-drivers 2>/dev/null |
    awk '$1 == "installed" { print $2 }'
}

setupMesa() {
  local candidate codename
  if dpkg --compare-versions "$(mesaVersion)" ge "$minMesa"; then
    return 0
  fi
  candidate=$(apt-cache policy mesa-vulkan-drivers | awk '/Candidate:/{ print $2 }')
  if dpkg --compare-versions "$candidate" ge "$minMesa"; then
    install mesa-vulkan-drivers
  else
    codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-bookworm}")
    installFromBackports "$codename" mesa-vulkan-drivers
  fi
  say "mesa-vulkan-drivers $(mesaVersion) is installed"
}
