#!/bin/bash
# SPDX-License-Identifier: MIT
# parallel.sh RUN TASKS [OPTIONS OF GNU PARALLEL...]: compiles the plan in RUN, a folder that all machines see, by TASKS tasks:
#   parallel.sh run 8 -j2                          on this machine
#   parallel.sh /shared/run 32 -S 4/node1,4/node2  on others, which have kiln-farm
# Tasks that have failed are done again when it is started again. docs/farm.md.
set -euo pipefail
run=$(realpath "$1")
tasks=$2
shift 2
seq 0 $((tasks - 1)) |
  parallel --joblog "$run/parallel.log" --resume-failed --retries 3 "$@" \
    kiln-farm run "$run" --task={}/"$tasks" -j1 --quiet
