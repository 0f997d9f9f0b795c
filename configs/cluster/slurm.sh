#!/bin/bash
# Plays a tournament as a Slurm job array of few long tasks, and merges it in a job of its own:
#   slurm.sh CONFIG.toml SHARDS OUT
# The same command continues the tournament after any interruption. The folder of OUT is on a file system that all nodes
# share, with locks that hold between nodes.
# Environment:
#   CORES    cores of a task, and the games that it plays at a time: 4
#   TIME     time limit of a task: 04:00:00. A task that reaches it is queued again, and goes on.
#   LEAD     seconds before the time limit when a task begins no further game: 300. The longest game has to fit in
#            (and in `finish` of the configuration), and TIME has to be longer.
#   RETRIES  how often a task may be queued again before one that records nothing more is given up: 20
#   FROM     from the second round of a Swiss tournament or a knockout on: OUT
#   SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_MEM_PER_CPU and others of sbatch(1)
set -euo pipefail
if [ $# != 3 ]; then
    echo "usage: slurm.sh CONFIG.toml SHARDS OUT" >&2
    exit 2
fi
if ! [[ $2 =~ ^[1-9][0-9]{0,8}$ ]]; then
    echo "slurm.sh: $2 is no number of shards" >&2
    exit 2
fi
# A task gets these with the rest of the environment, PATH included.
export CONFIG SHARDS=$2 OUT FROM="${FROM:-}" CORES="${CORES:-4}" LEAD="${LEAD:-300}" RETRIES="${RETRIES:-20}"
CONFIG=$(realpath "$1") OUT=$(realpath -m "$3")
[ -z "$FROM" ] || FROM=$(realpath "$FROM")
command -v arbiter >/dev/null || { echo "slurm.sh: arbiter is not on PATH" >&2; exit 2; }
# The largest index of an array is one less than MaxArraySize.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
if [ -z "$most" ]; then
    echo "slurm.sh: scontrol show config names no MaxArraySize" >&2
    exit 2
fi
if [ "$SHARDS" -ge "$most" ]; then
    echo "slurm.sh: $SHARDS shards: this cluster takes at most $((most - 1)) (MaxArraySize = $most)" >&2
    exit 2
fi

# B: only the shell of the task gets SIGUSR1, and sends arbiter the signal that lets games end. A signal to a job step
# would reach bots too where proctrack/linuxproc tracks processes. There is no srun, which since Slurm 22.05 does not take
# over --cpus-per-task.
array=$(sbatch --parsable --export=ALL --job-name=arbiter --array="1-$SHARDS" --ntasks=1 --cpus-per-task="$CORES" \
    --time="${TIME:-04:00:00}" --signal="B:USR1@$LEAD" --requeue --open-mode=append \
    --output="${OUT//%/%%}.slurm-%a.log" <<'TASK'
#!/bin/bash
shard=$SLURM_ARRAY_TASK_ID journal=$OUT.shard-$SLURM_ARRAY_TASK_ID/journal.jsonl
entries() { wc -l 2>/dev/null <"$journal" || echo 0; }
before=$(entries)
echo "slurm.sh: shard $shard/$SHARDS on $SLURMD_NODENAME, queued again ${SLURM_RESTART_COUNT:-0} times"
arbiter tournament "$CONFIG" --shard "$shard/$SHARDS" --out "$OUT.shard-$shard" --roster "$OUT.roster" \
    --concurrency "$CORES" ${FROM:+--from "$FROM"} &
arbiter=$!
# Before the time limit the running games may end, most of the lead long. SIGTERM is from scancel, from preemption or from
# scontrol requeue: nothing more is recorded, because bots may get the signal too.
told= limit=
trap 'told=yes limit=yes; kill -TERM "$arbiter"; (sleep $((LEAD * 9 / 10)); kill -TERM "$arbiter") &' USR1
trap 'told=yes limit=; kill -KILL "$arbiter"' TERM
wait "$arbiter"
status=$?
while [ -n "$told" ]; do # the trap ended the wait
    told=
    wait "$arbiter"
    status=$?
done
echo "slurm.sh: shard $shard/$SHARDS on $SLURMD_NODENAME ended with status $status"
# 130: stopped before the time limit. 3: the disk is full, or an earlier run of this task still plays on a node that Slurm
# has given up. What SIGTERM ended is not queued again here: scancel would have no effect.
case "$status$limit" in 130yes | 3 | 3yes)
    if [ "$(entries)" -gt "$before" ] || [ "${SLURM_RESTART_COUNT:-0}" -lt "$RETRIES" ]; then
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard" ||
            echo "slurm.sh: shard $shard/$SHARDS cannot be queued again: give the same command once more" >&2
    else
        echo "slurm.sh: shard $shard/$SHARDS is given up: it has recorded nothing more" >&2
    fi ;;
esac
exit "$status"
TASK
)
# afterany: what a lost shard has played counts, and the merge lists the rest.
merge=$(sbatch --parsable --export=ALL --job-name=arbiter-merge --dependency="afterany:${array%;*}" --ntasks=1 \
    --requeue --open-mode=append --output="${OUT//%/%%}.slurm-merge.log" <<'MERGE'
#!/bin/bash
arbiter merge "$OUT".shard-* --out "$OUT"
status=$?
echo "slurm.sh: the merge ended with status $status"
exit "$status"
MERGE
)
echo "array ${array%;*}, merge ${merge%;*}: $OUT.slurm-merge.log ends with what is missing."
echo "A task that squeue shows as held goes on after: scontrol release ${array%;*}"
echo "In a Swiss tournament or a knockout the next round is: FROM='$OUT' $0 '$1' $SHARDS '$3'"
