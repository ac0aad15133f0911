# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui of a running program: `w` shows the holders of the locks for which calls wait.
. "$SRC/tests/lib.sh"
program snapshot || exit
. "$SRC/tests/terminal.sh"

# locks NAME OPTIONS...: checks the holders that `w` shows.
locks() {
	local name=$1 holder

	shift
	rm -f ready
	begin 110x24 "'$TRACER' --tui -f $* sh -c 'echo \$\$ >pid; exec \"$WORK/bin/snapshot\" >ready'"
	wait_for 'grep -qs ready ready'
	holder=$(awk '$1 == "holder" { print $2 }' ready)
	keys w
	for kind in plain pi robust; do
		shows "$name: the holder of a $kind mutex" " $kind +\[lock held by $holder\] futex\("
	done
	keys q
	shows "$name: the end of tracer" 'status 0'
	kill -9 "$(<pid)"
}

locks ptrace
can_bpf && locks bpf --engine=bpf
"$WORK/bin/snapshot" >ready &
app=$!
trap 'kill -9 $app; tmux -L "tui$server" kill-server 2>/dev/null' EXIT
wait_for 'grep -qs ready ready'
begin 80x24 "'$TRACER' --tui -f -p $app"
shows "-p: a running process" '\| live \| process'
keys w
shows "-p: the holder" "\[lock held by $(awk '$1 == "holder" { print $2 }' ready)\]"
keys q
shows "-p: the end of tracer" 'status 0'
is "-p: the process continues" "$(sed -n 's/^TracerPid:\t//p' "/proc/$app/status")" 0

# Locks on files: flock(2), and fcntl(2), whose lock is in memory.
cat >locks.py <<-'EOP'
	import fcntl, os, time
	f = open("lockfile", "w")
	fcntl.flock(f, fcntl.LOCK_EX)
	fcntl.lockf(f, fcntl.LOCK_EX)
	for wait in (fcntl.flock, fcntl.lockf):
	    if not os.fork():
	        wait(open("lockfile", "w"), fcntl.LOCK_EX)
	        os._exit(0)
	print("holder", os.getpid(), flush=True)
	time.sleep(60)
EOP
rm -f ready
begin 110x24 "'$TRACER' --tui -f /usr/bin/env python3 -S locks.py >ready"
wait_for 'grep -qs holder ready'
holder=$(awk '{ print $2 }' ready)
keys w
shows "the holder of flock(2)" "\[lock held by $holder\] flock\("
shows "the holder of fcntl(2)" "\[lock held by $holder\] fcntl\("
keys q
pkill -P "$holder"
kill "$holder"
