# SPDX-License-Identifier: LGPL-2.1-or-later
# In a pid namespace that has the /proc of the one above, as a container with the host's /proc:
# what is asked by way of /proc is asked with its numbers. Where nothing else is said, the lines
# are strace 7.2's.
. "$SRC/tests/lib.sh"
program pidns

if ! unshare -Urpf true 2>/dev/null; then
	skip "a pid namespace without its /proc" "user namespaces are not allowed"
	exit
fi

# log OPTIONS: the lines of all processes, in the order of their pids.
log() {
	rm -f log.*
	unshare -Urpf sh -c ": && \"\$@\"; exit" sh "$TRACER" -f -ff -a1 -o log $1 "$WORK/bin/pidns"
	cat log.* | sed -E 's/[0-9]+( in strace|<pidns>)/P\1/g; s/\[[0-9]+\]/[INODE]/; s/0x[0-9a-f]+/ADDR/g'
}

log "-y -e trace=fchdir,close" | grep 'null' >got
printf '%s\n' 'fchdir(3</dev/null>) = -1 ENOTDIR (Not a directory)' 'close(3</dev/null>) = 0' >want
same "-y" got want

# Where there is no getpgrp(2), the C library calls getpgid(2) for it.
log "--decode-pids=pidns -e trace=setsid,?getpgrp,getpgid,kill -e signal=none -e status=successful" |
	sed '/+++/d; s/^getpgid(0)/getpgrp()/' >got
printf '%s\n' 'setsid() = 1' "getpgrp() = 1 /* P in strace's PID NS */" \
	"kill(1 /* P in strace's PID NS */, 0) = 0" >want
same "--decode-pids=pidns" got want

log "--decode-pids=pidns -e trace=prctl,connect -e signal=none" | grep -E '^(prctl|connect).* in ' >got
for type in "0 /* PIDTYPE_PID */" "ADDR /* PIDTYPE_TGID */" "ADDR /* PIDTYPE_PGID */" "ADDR /* PIDTYPE_SID */"; do
	echo "prctl(PR_SCHED_CORE, ADDR /* PR_SCHED_CORE_??? */, 1 /* P in strace's PID NS */, $type, 0) = -1 EINVAL (Invalid argument)"
done >want
echo "connect(-1, {sa_family=AF_NETLINK, nl_pid=1 /* P in strace's PID NS */, nl_groups=00000000}, 12) = -1 EBADF (Bad file descriptor)" >>want
same "--decode-pids=pidns: kinds of ids" got want

# strace 7.2 looks for its own numbers in the other /proc, and shows the names of other programs.
log "-Y -e trace=kill,getpid -e signal=none" | grep -E 'kill|getpid' | sed -E 's/= [0-9]+</= P</' >got
printf '%s\n' 'getpid() = P<pidns>' 'getpid() = P<pidns>' 'getpid() = P<pidns>' 'kill(P<pidns>, 0) = 0' | sort >want
sort -o got got
same "-Y" got want

log "-e namespace=new -e trace=unshare -e signal=none" | grep unshare >got
like "-e namespace=new" "$(cat got)" '^unshare\(CLONE_NEWPID\) = 0 \(pid:\[INODE\]\)$'

log "-k -e trace=fchdir -e signal=none" >got
like "-k" "$(cat got)" '/pidns\(main\+ADDR\)'
