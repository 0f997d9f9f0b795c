#!/bin/sh
# Plays a tournament as an array of HyperQueue tasks, and merges it: hyperqueue.sh CONFIG.toml SHARDS OUT
# Not run by us. The server and its workers run already, and share this folder.
set -u
if [ $# != 3 ]; then
    echo "usage: hyperqueue.sh CONFIG.toml SHARDS OUT" >&2
    exit 2
fi
export CONFIG="$1" SHARDS="$2" OUT="$3"
# shellcheck disable=SC2016 # the task expands them
hq submit --wait --array "1-$SHARDS" --cpus "${CORES:-4}" --crash-limit 10 \
    --env CONFIG="$CONFIG" --env SHARDS="$SHARDS" --env OUT="$OUT" --env CORES="${CORES:-4}" -- \
    sh -c 'exec arbiter tournament "$CONFIG" --shard "$HQ_TASK_ID/$SHARDS" --out "$OUT.shard-$HQ_TASK_ID" \
        --roster "$OUT.roster" --concurrency "$CORES"'
arbiter merge "$OUT".shard-* --out "$OUT"
