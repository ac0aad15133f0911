# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf --all traces every process of the machine except tracer.
. "$SRC/tests/lib.sh"
"$TRACER" --all 2>err
is "ptrace cannot do this" "$(cat err)" "tracer: --all requires --engine=bpf"
can_bpf || exit 0
"$TRACER" --engine=bpf --all true 2>err
like "a command" "$(cat err)" '^tracer: --all and PROG are mutually exclusive'
if ! awk '$3 == "cgroup2" { found = 1 } END { exit !found }' /proc/self/mounts; then
	"$TRACER" --engine=bpf --all 2>err
	like "without control groups" "$(cat err)" '^tracer: --all needs control groups version 2'
	skip "--all" "control groups version 2 are not mounted"
	exit 0
fi
# One process exists before the run, the other one begins later.
sh -c 'while [ ! -e done ]; do sleep 0.1; done; /bin/pwd >/dev/null; sleep 0.3' &
before=$!
timeout -k 5 60 "$TRACER" --engine=bpf --all -e trace=getcwd,nanosleep,clock_nanosleep,write --format=json -o '|sh -c "sleep 0.5; cat; :" >json' &
tracer=$!
for ((i = 0; i < 600; i++)); do
	grep -q "\"pid\":$before," json 2>/dev/null && break
	sleep 0.1
done
me=$(pgrep -P $tracer)
# Print the descendants of a process.
descendants() {
	local child

	for child in $(pgrep -P "$1"); do
		echo "$child"
		descendants "$child"
	done
}
ours=$(echo "$me"; descendants "$me")
touch done
wait $before
# These processes have ended when tracer reads their records.
kill -STOP $me
for i in 1 2 3; do /bin/pwd >/dev/null; done
kill -CONT $me
# On a busy machine, events can be lost.
later_is_shown() { /bin/pwd >/dev/null; grep -q '"name":"getcwd"' json; }
wait_for later_is_shown
kill -INT $me
wait $tracer
like "a process that existed" "$(jq -r "select(.pid == $before and .type == \"attach\").comm" json)" .
like "processes that began later" "$(jq -r 'select(.name == "getcwd").comm' json | sort | uniq -c)" 'pwd'
like "tracer runs commands" "$ours" $'^[0-9]+\n[0-9]+\n[0-9]+'
is "tracer and its commands are not traced" "$(for pid in $ours; do jq -c "select(.pid == $pid)" json | head -1; done)" ""
is "the ids of processes that have ended" "$(jq -c 'select(.pid == 0 and .type != "lost") | [.type, .name]' json | sort -u)" ""
# Processes outside tracer's pid namespace have no ids in it, so they are not traced. In the namespace,
# tracer starts, and pwd runs after a process outside has called execve.
in_namespace='"$TRACER" --engine=bpf --all -e trace=getcwd --format=json -o "|cat >namespace" & tracer=$!
while [ ! -e outside ]; do sleep 0.1; done
/bin/pwd >/dev/null
for i in $(seq 100); do grep -q "\"name\":\"getcwd\"" namespace && break; sleep 0.1; done
kill -INT $tracer
wait'
timeout -k 5 60 unshare --pid --fork --kill-child --mount-proc sh -c "$in_namespace" &
namespace=$!
starts() { [ -s namespace ]; }
wait_for starts
/bin/pwd >/dev/null
touch outside
wait $namespace
is "in a pid namespace" "$(jq -c 'select(.name == "getcwd" or (.pid == 0 and .type != "lost")) | [.type, .name]' namespace)" '["syscall","getcwd"]'
timeout -k 5 60 "$TRACER" --engine=bpf -d --all -c -w --group-by=pid,name --format=json -o sums --stop-after=1s 2>err
like "-c counts in the kernel" "$(cat err)" 'calls are counted in the kernel'
is "several processes" "$(jq -r .group.pid sums | sort -u | awk 'END { print (NR > 1) }')" 1
