# llvm-objdump -d --line-numbers -> one line for each instruction: file, line of the source, instruction without its encoding.
/^; .*:[0-9]+$/ { place = $0; sub(/^; (.*\/)?/, "", place); sub(/:/, " ", place) }
/^\t[a-z][a-z0-9]*_/ { sub(/_e(32|64)$/, "", $1); print place, $1 }
