#!/bin/sh
# Plays a tournament in shards with GNU parallel, round after round where rounds depend on each other, and merges them:
#   parallel.sh CONFIG.toml SHARDS OUT
# Environment: JOBS, the shards that run at a time (default: all); SSH, arguments such as "--sshlogin n1,n2 --workdir ."
# for machines that share this folder. The same command continues it after any interruption.
set -u
if [ $# != 3 ]; then
    echo "usage: parallel.sh CONFIG.toml SHARDS OUT" >&2
    exit 2
fi
config=$1 shards=$2 out=$3
before=
set --
while :; do
    # A shard that fails is found by the merge, which lists the games that are missing.
    # shellcheck disable=SC2086 # SSH is several words
    seq "$shards" | parallel --will-cite --quote --jobs "${JOBS:-$shards}" ${SSH:-} \
        arbiter tournament "$config" --shard "{}/$shards" --out "$out.shard-{}" --roster "$out.roster" \
        --concurrency "${CONCURRENCY:-1}" "$@" >&2
    arbiter merge "$out".shard-* --out "$out"
    status=$?
    # 4: no game is missing, and another round follows. 1: games are missing; they are tried again, until that finds none
    # of them, because those of a lost shard may belong to several rounds.
    missing=$(cat "$out/missing.txt" 2>/dev/null)
    if [ "$status" != 4 ] && { [ "$status" != 1 ] || [ "$missing" = "$before" ]; }; then
        exit "$status"
    fi
    before=$missing
    set -- --from "$out"
done
