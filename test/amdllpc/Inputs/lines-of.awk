# Assembly -> one line for each instruction: file, line of the source, instruction.
$1 == ".file" { name = $NF; gsub(/"/, "", name); files[$2] = name }
$1 == ".loc" { place = files[$2] " " $3 }
/^\t[a-z][a-z0-9]*_[a-z0-9_]+ / || /^\ts_endpgm/ { print place, $1 }
