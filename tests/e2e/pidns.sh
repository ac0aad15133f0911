# SPDX-License-Identifier: LGPL-2.1-or-later
# In a pid namespace whose /proc belongs to the parent namespace, as in a container with the host's
# /proc. Lookups in /proc must use the numbers of that /proc. The expected lines are those of strace
# 7.2, unless stated otherwise.
. "$SRC/tests/lib.sh"
program pidns

if ! unshare -Urpf true 2>/dev/null; then
	skip "a pid namespace without its /proc" "user namespaces are not allowed"
	exit
fi

# log OPTIONS: prints the lines of all processes in the order of their pids.
log() {
	rm -f log.*
	unshare -Urpf sh -c ": && \"\$@\"; exit" sh "$TRACER" -f -ff -a1 -o log $1 "$WORK/bin/pidns"
	cat log.* | sed -E 's/[0-9]+( in strace|<pidns>)/P\1/g; s/\[[0-9]+\]/[INODE]/; s/0x[0-9a-f]+/ADDR/g'
}

log "-y -e trace=fchdir,close" | grep 'null' >got
printf '%s\n' 'fchdir(3</dev/null>) = -1 ENOTDIR (Not a directory)' 'close(3</dev/null>) = 0' >want
same "-y" got want

# On machines without getpgrp(2), the C library calls getpgid(2) instead.
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

# strace 7.2 looks for its own numbers in the wrong /proc, and shows the names of other programs.
log "-Y -e trace=kill,getpid -e signal=none" | grep -E 'kill|getpid' | sed -E 's/= [0-9]+</= P</' >got
printf '%s\n' 'getpid() = P<pidns>' 'getpid() = P<pidns>' 'getpid() = P<pidns>' 'kill(P<pidns>, 0) = 0' | sort >want
sort -o got got
same "-Y" got want

log "-e namespace=new -e trace=unshare -e signal=none" | grep unshare >got
like "-e namespace=new" "$(cat got)" '^unshare\(CLONE_NEWPID\) = 0 \(pid:\[INODE\]\)$'

log "-k -e trace=fchdir -e signal=none" >got
like "-k" "$(cat got)" '/pidns\(main\+ADDR\)'
