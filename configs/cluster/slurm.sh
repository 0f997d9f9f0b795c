#!/bin/bash
# Submits a tournament as a Slurm job array, and a job that merges it:
#   slurm.sh CONFIG.toml SHARDS OUT
# Not run by us. The folder has to be on a file system that all nodes share, with locks that hold between nodes.
# Environment: CORES of a shard (default 4), TIME of a task (default 04:00:00).
set -euo pipefail
if [ $# != 3 ]; then
    echo "usage: slurm.sh CONFIG.toml SHARDS OUT" >&2
    exit 2
fi
config=$(realpath "$1") shards=$2 out=$(realpath -m "$3")
# The largest index of an array is one less than MaxArraySize.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
if [ -z "$most" ]; then
    echo "slurm.sh: scontrol show config names no MaxArraySize" >&2
    exit 2
fi
if [ "$shards" -ge "$most" ]; then
    echo "slurm.sh: $shards shards: this cluster takes at most $((most - 1)) (MaxArraySize = $most)" >&2
    exit 2
fi
cores=${CORES:-4}

# Five minutes before the time limit arbiter gets SIGINT: the running games end, and the task is queued again. A task
# whose node died is queued again by Slurm. Either goes on from the journal. While an earlier run of the same task
# still plays, arbiter ends with status 3, and the task is queued again too.
array=$(sbatch --parsable --job-name=arbiter --array="1-$shards" --cpus-per-task="$cores" \
    --time="${TIME:-04:00:00}" --signal=INT@300 --requeue --open-mode=append --output="$out.slurm-%a.log" <<TASK
#!/bin/bash
srun arbiter tournament '$config' --shard "\$SLURM_ARRAY_TASK_ID/$shards" --out '$out'".shard-\$SLURM_ARRAY_TASK_ID" \
    --roster '$out.roster' --concurrency $cores ${FROM:+--from '$FROM'}
status=\$?
if [ "\$status" = 130 ] || [ "\$status" = 3 ]; then
    # Not for ever: a disk that is full stays full.
    [ "\${SLURM_RESTART_COUNT:-0}" -lt 20 ] && scontrol requeue "\${SLURM_ARRAY_JOB_ID}_\$SLURM_ARRAY_TASK_ID"
fi
exit "\$status"
TASK
)
# afterany: what a lost shard has played counts, and the merge lists the rest.
sbatch --job-name=arbiter-merge --dependency="afterany:$array" --output="$out.slurm-merge.log" <<MERGE
#!/bin/bash
arbiter merge '$out'.shard-* --out '$out'
MERGE
echo "array $array; $out.slurm-merge.log ends with what is missing. In a Swiss tournament or a knockout the next round is"
echo "FROM='$out' $0 $1 $shards $3"
