#!/bin/bash
# SPDX-License-Identifier: MIT
# slurm.sh RUN TASKS [OPTIONS OF MERGE...]: compiles the plan in RUN, a folder that all nodes see, by TASKS tasks of an array,
# then puts the results together. Prints the numbers of both jobs. docs/farm.md.
set -euo pipefail
run=$(realpath "$1")
tasks=$2
shift 2
log=$run/log
mkdir -p "$log"
# A task that could not write is tried again by "75" in RequeueExit of slurm.conf; kiln-farm gives up after the third time.
# What the engine does twice, or at the same time, does no harm.
array=$(sbatch --parsable --array="0-$((tasks - 1))" --requeue --output="$log/%a" <<TASK
#!/bin/bash
exec kiln-farm run "$run" --task=\$SLURM_ARRAY_TASK_ID/$tasks -j "\${SLURM_CPUS_PER_TASK:-1}" \
  --attempt="\${SLURM_RESTART_COUNT:-0}" --quiet
TASK
)
# Not for ever, if a task has failed: then the second job goes away.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$log/merge" <<MERGE
#!/bin/bash
exec kiln-farm merge "$run" --quiet ${*@Q}
MERGE
)
echo "$array $merge"
