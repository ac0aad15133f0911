# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf --cgroup traces the processes of a control group, including a process that joins the group later.
. "$SRC/tests/lib.sh"
can_bpf || exit 0

groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -z "$groups" ]; then
	groups=$PWD/groups
	mkdir groups && mount -t cgroup2 none groups 2>/dev/null && mounted=1 || groups=/none
fi
group=$groups/tracer-test.$$
if mkdir "$group" 2>/dev/null; then
	mkfifo hold
	(echo "$BASHPID" >"$group/cgroup.procs" && exec cat hold >/dev/null) &
	inside=$!
	exec 8>hold
	for ((i = 0; i < 3000; i++)); do
		grep -qx "$inside" "$group/cgroup.procs" && [ "$(cat /proc/$inside/comm)" = cat ] && break
		sleep 0.02
	done
	rm -f log
	"$TRACER" --engine=bpf --cgroup="$group" -e trace=read,getcwd -o log 2>messages 8>&- &
	tracer=$!
	for ((i = 0; i < 3000; i++)); do
		grep -q "Process $inside attached" messages && break
		sleep 0.02
	done
	(echo "$BASHPID" >"$group/cgroup.procs" && exec /bin/pwd >/dev/null) 8>&-
	echo >&8
	exec 8>&-
	wait "$inside" 2>/dev/null
	for ((i = 0; i < 3000; i++)); do
		grep -q getcwd log && grep -q "^$inside .*exited" log && break
		sleep 0.02
	done
	kill -INT "$tracer"
	wait "$tracer"
	like "a control group: a process that was in it" "$(grep -cE "^$inside +read" log)" '[1-9]'
	like "a control group: a process that entered it" "$(grep -c getcwd log)" '[1-9]'
	rmdir "$group"
else
	skip "a control group" "cannot be created here"
fi
[ -z "${mounted-}" ] || umount groups
