#!/bin/bash
# Runs the documented jobs in a real Slurm of one node that exists for the time of this script: an array job of
# 'voussoir sweep --slurm', and the job of docs/scale.md, which is signalled in the middle, queues itself again, is
# submitted once more with another number of ranks, and must end with all frames.
# usage: tools/try_slurm.sh [--build DIR]
#   --build DIR  a build with voussoir and voussoir-mpi; default: build/dev of this checkout
# Must be run as root on a machine without another Slurm, with the packages slurmctld, slurmd, slurm-client, munge and
# openmpi-bin. Takes a minute. Not part of .ci/run.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
build=$source_dir/build/dev
while [[ $# -gt 0 ]]; do
    case $1 in
    --build) build=$(cd "$2" && pwd); shift ;;
    *) sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0"; exit 1 ;;
    esac
    shift
done
fail() { echo "try_slurm: $*" >&2; exit 1; }
[[ $(id -u) -eq 0 ]] || fail "must be run as root, to start the daemons of Slurm"
for tool in munged slurmctld slurmd sbatch mpirun; do
    command -v "$tool" >/dev/null || fail "$tool is missing; install slurmctld, slurmd, slurm-client, munge, openmpi-bin"
done
[[ -x $build/app/voussoir && -x $build/app/voussoir-mpi ]] || fail "no voussoir and voussoir-mpi in $build/app"

work=$(mktemp -d)
pids=()
finish() {
    local code=$?
    if [[ $code -ne 0 ]]; then tail -n 5 "$work"/*.log "$work"/run/*.log >&2 || true; fi
    scancel --user root 2>/dev/null || true
    for ((k = ${#pids[@]} - 1; k >= 0; k--)); do kill "${pids[k]}" 2>/dev/null || true; done
    wait
    rm -rf "$work"
    exit "$code"
}
trap finish EXIT

# ---- a Slurm of one node, on the loopback device --------------------------------------------------------------------

chmod 755 "$work"
mkdir -p "$work"/{munge,state,spool,run}
chmod 700 "$work"/munge
dd if=/dev/urandom of="$work/munge/key" bs=64 count=1 status=none
chmod 400 "$work/munge/key"
munged --force --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
pids+=($!)
port=$((20000 + RANDOM % 20000))
cat >"$work/slurm.conf" <<CONF
ClusterName=try
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SwitchType=switch/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,requeue_setup_env_fail
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$work/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$work/slurmd.log" 2>&1 &
pids+=($!)

# until COMMAND…: it succeeds within ten minutes
until_true() {
    for _ in {1..1200}; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.5
    done
    fail "'$*' did not happen within ten minutes"
}
is_idle() { [[ $(sinfo -h -o %t) == idle ]]; }
until_true is_idle
state_of() { scontrol -o show job "$1" | sed -nE 's/.*JobState=([A-Z]+).*/\1/p' | sort -u; }
ended() { ! state_of "$1" | grep -qE 'PENDING|RUNNING|COMPLETING|CONFIGURING|REQUEUED'; }
in_state() { state_of "$1" | grep -q "$2"; }
printf 'slurm of one node: %s\n' "$(sinfo --version)"

# ---- an array job ---------------------------------------------------------------------------------------------------

export PATH=$build/app:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
cd "$work/run"
voussoir sweep arch --grid mu=0.2:0.8:8 --duration 0.1 --slurm 4 --submit -o sweep >submitted.log
job=$(grep -oE '[0-9]+$' submitted.log | tail -n 1)
until_true ended "$job"
[[ $(state_of "$job") == COMPLETED ]] || fail "the array job ended as $(state_of "$job")"
voussoir sweep arch --grid mu=0.2:0.8:8 --duration 0.1 -o serial --quiet
rows() { cut -d, -f1-6 "$1"; }
diff <(rows sweep/runs.csv) <(rows serial/runs.csv) || fail "the array job has another table than one process"
printf 'array job %s: 4 tasks, the table of one process\n' "$job"

# ---- a job that continues itself ------------------------------------------------------------------------------------

awk '/^```sh$/ { inside = 1; text = ""; next } /^```$/ { if (text ~ /#SBATCH --requeue/) print text; inside = 0 }
     inside { text = text (text == "" ? "" : "\n") $0 }' "$source_dir/docs/scale.md" >balls.sbatch
grep -q 'voussoir-mpi run balls-in-box' balls.sbatch || fail "docs/scale.md has no job script"
# long enough to be interrupted; the rest of it is cut short below
sed -i 's/run balls-in-box/run balls-in-box --set count=64 --duration 20 --frame 0.02/' balls.sbatch
job=$(sbatch --parsable --ntasks=2 balls.sbatch)
until_true test -s balls.h5
sleep 3
scancel --batch --signal=USR1 "$job"
until_true in_state "$job" PENDING
[[ -s balls.ck ]] || fail "the job was signalled and left no checkpoint"
time=$(voussoir info balls.ck | sed -nE 's/.*checkpoint +at ([0-9.]+) s.*/\1/p' | head -n 1)
printf 'job %s: signalled, wrote a checkpoint at %s s, queues again\n' "$job" "$time"
scancel "$job"
until_true ended "$job"
last=$(awk -v t="$time" 'BEGIN { print int(t / 0.02) + 5 }')
sed -i "s/--duration 20/--duration $(awk -v n="$last" 'BEGIN { print n * 0.02 }')/" balls.sbatch
job=$(sbatch --parsable --ntasks=3 balls.sbatch)
until_true ended "$job"
[[ $(state_of "$job") == COMPLETED ]] || fail "the continued job ended as $(state_of "$job")"
frames=$(voussoir info balls.h5 | sed -nE 's/.*trajectory +([0-9]+) frames.*/\1/p' | head -n 1)
[[ $frames -eq $((last + 1)) ]] || fail "the run has $frames frames instead of $((last + 1))"
printf 'job %s: continued on 3 ranks to its end, %s frames\n' "$job" "$frames"
