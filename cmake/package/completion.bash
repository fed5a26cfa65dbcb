# SPDX-License-Identifier: MIT
# Completion of Kiln's tools for bash: options are those that the tool's --help names, everything else is files.
_kiln() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [[ $word == -* ]]; then
    local options
    options=$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -oE '(^|[ ,[])--?[a-zA-Z][a-zA-Z0-9-]*=?' | tr -d ' ,[' | sort -u)
    [[ $word == --* ]] && options=$(sed -E 's/^-([^-])/--\1/' <<<"$options")
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return
  fi
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _kiln amdllpc kiln-replay kiln-cache kiln-pcc kiln-farm pal-verify kiln-bench kiln-cl kiln-debug isa-opcodes lgc-opt
