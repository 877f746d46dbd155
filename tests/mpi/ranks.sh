# What the scripts here share, sourced: `several` is the command that mpirun starts.
export OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
checks=0
failures=0

# verdict WHAT COMMAND…: the command must succeed
verdict() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || { failures=$((failures + 1)); echo "FAILED: $what" >&2; }
}

# ranks N ARGUMENT…: the command on so many ranks
ranks() {
    local n=$1
    shift
    mpirun --allow-run-as-root --oversubscribe --bind-to none --timeout 600 -np "$n" "$several" "$@"
}

# kill_a_rank JOB: kills one process of a job in the background and waits for its end; `begin` and `code` tell when it was
# killed (SECONDS) and how the job ended
kill_a_rank() {
    local victim
    victim=$(pgrep -P "$(pgrep -P "$1" mpirun || echo "$1")" | tail -n 1)
    begin=$SECONDS
    kill -9 "$victim"
    wait "$1"
    code=$?
}
