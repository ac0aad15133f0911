# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows the files of descriptors at the time of the call, although the descriptors are
# closed right afterwards. The lines are the same as those of ptrace, which looks descriptors up
# while the program is stopped. JSON marks descriptors that were looked up late.
. "$SRC/tests/lib.sh"
program bpf_fds || exit
cd "$(pwd -P)" || exit # because tracer shows paths without symbolic links
app=$WORK/bin/bpf_fds

can_bpf || exit 0

# masked LOG: prints the lines after the marker, and masks everything that differs between runs.
masked() {
	sed -E '1,/syscall_0xbeef/d; /^--- SIGCHLD/d; /programs were interrupted/d
		s/([A-Za-z0-9]):\[[0-9]+\]/\1:[N]/g
		s/(127\.0\.0\.1|\[::1\]):[0-9]+/\1:PORT/g
		s/(pid:|pidfd_open\(|wait4\(|= |nlmsg_pid=|ROUTE:|child_tidptr=)(0x)?[0-9a-f]{3,}/\1N/g
		s/0x[0-9a-f]{8,}/ADDR/g
		s@(eventfd-id=|/dev/pts/|char 136:|TIOCGPTN, \[)[0-9]+@\1N@g
		s/([ti]fla_[a-z_]*|[rt]x_[a-z_]*|bytes|packets)=[0-9]+/\1=N/g' "$1"
}

# compare NAME HOW APP-ARGUMENT OPTIONS...: compares the lines of both engines, and checks that JSON
# marks nothing as late. HOW is a command that runs tracer.
compare() {
	local name=$1 how=$2 what=$3 engine

	shift 3
	for engine in ptrace bpf; do
		timeout -k 5 60 $how "$TRACER" --engine=$engine -a1 -yy "$@" -o "log.$engine" "$app" "$what" 2>/dev/null
		masked "log.$engine" | sed "$older" >"$what.$engine"
	done
	# If the kernel lacks the modules of sock_diag(7), ptrace cannot look up addresses.
	if [[ $what = sockets || $what = messages ]] && ! grep -qE 'TCP:\[127|NETLINK:\[ROUTE' "$what.ptrace"; then
		skip "$name" "ptrace cannot look up addresses here"
	else
		same "$name" "$what.bpf" "$what.ptrace"
	fi
	timeout -k 5 60 $how "$TRACER" --engine=bpf -yy "$@" --format=json -o json "$app" "$what" 2>/dev/null
	is "$name: none is marked as late" "$(sed '1,/0xbeef/d' json | grep -c '"late":true')" 0
}

# Before Linux 6.5, /proc does not show whether an eventfd is a semaphore, so ptrace cannot know it.
older=
info=$(python3 -c 'import ctypes; fd = ctypes.CDLL(None).eventfd(0, 0); print(open(f"/proc/self/fdinfo/{fd}").read())' 2>/dev/null) &&
	[[ $info != *eventfd-semaphore* ]] && older='s/eventfd-semaphore=1/eventfd-semaphore=0/'
compare "files without names, and devices" "" special -e trace=%desc,pidfd_open,ioctl -e signal=none
like "a closed eventfd" "$(cat special.bpf)" 'close\([0-9]+<\{eventfd-count=0x8, '
like "a closed signalfd" "$(cat special.bpf)" 'close\([0-9]+<signalfd:\[USR1 CHLD\]>\)'
like "a closed pidfd, and one of a process that has exited" "$(cat special.bpf)" 'close\([0-9]+<pid:N>\).*close\([0-9]+<anon_inode:\[pidfd\]>\)'
like "a closed device" "$(cat special.bpf)" 'close\([0-9]+</dev/null<char 1:3>>\)'

# The right to create ping sockets is a setting of the network namespace.
how=
if unshare -n sh -c 'echo 0 4294967294 >/proc/sys/net/ipv4/ping_group_range' 2>/dev/null; then
	printf '%s\n' '#!/bin/sh' 'echo 0 4294967294 >/proc/sys/net/ipv4/ping_group_range' 'exec "$@"' >with_pings
	chmod +x with_pings
	how="unshare -n ./with_pings"
fi
compare "sockets" "$how" sockets -e trace=socket,bind,dup,close
like "a socket of another protocol" "$(cat sockets.bpf)" 'close\([0-9]+<RAW:\[N\]>\)'
compare "descriptors that are waited for" "" waits -v -e trace=%desc
like "descriptors that are waited for are shown" "$(cat waits.bpf)" 'ppoll\(\[\{fd=[0-9]+</dev/null<char 1:3>>, .*pselect6\(901, \[[0-9]+</dev/null<char 1:3>> [0-9]+</etc/passwd>\]'
compare "messages of sockets" "" messages -e trace=%network,close
like "messages of sockets are decoded" "$(cat messages.bpf)" 'recvfrom\([0-9]+<NETLINK:\[ROUTE:N\]>, \[+\{nlmsg_len=[0-9]+, nlmsg_type=RTM_NEWLINK'

# A recorded trace contains these facts, too.
timeout -k 5 60 "$TRACER" --engine=bpf -yy --write-trace=trace -o live "$app" special 2>/dev/null
timeout -k 5 60 "$TRACER" --read-trace=trace -yy -o read
same "a recorded trace shows the same" read live

# trace_until WHAT FILE CALL OPTIONS...: traces the program until its last CALL is in the file json.
# The program's descriptors of FILE stay open until then.
mkfifo end
trace_until() {
	local what=$1 file=$2 call=$3 n=1 i

	shift 3
	[ "$call" = ppoll ] || n=47
	rm -f json
	exec 8<>end
	timeout -k 5 60 "$TRACER" --engine=bpf -v -yy "$@" --format=json -e trace="$call" -o json "$app" "$what" "$file" <end 2>/dev/null &
	for ((i = 0; i < 3000; i++)); do
		[ "$(grep -c "\"name\":\"$call\"" json 2>/dev/null)" = $n ] && break
		sleep 0.02
	done
	echo >&8
	wait $!
	exec 8>&-
}

# The kernel reports the first 64 of these 70 descriptors, and JSON marks the others as late.
trace_until many /dev/null ppoll --write-trace=trace
timeout -k 5 60 "$TRACER" --read-trace=trace -v -yy --format=json -e trace=ppoll -o read
for log in json read; do
	is "descriptors that were looked up late are marked: $log" "$(grep '"name":"ppoll"' $log |
		grep -o '"fd":{"fd":[0-9]*,"path":"/dev/null","device":[^}]*},"late":true' | wc -l)" 6
done
# If paths are long, fewer descriptors fit into the record. The other descriptors are marked as
# late, and the data after them are complete.
deep=$(printf 'x/%.0s' {1..60})
mkdir -p "$deep" && touch "$deep/file"
trace_until many "$deep/file" ppoll -k
grep '"name":"ppoll"' json >line
is "long paths: all descriptors have one" "$(grep -o "\"path\":\"$PWD/${deep}file\"" line | wc -l)" 70
is "long paths: some are marked as late" "$(($(grep -o '"late":true' line | wc -l) > 6))" 1
like "long paths: the stack after them is complete" "$(sed 's/.*"stack":/"stack":/' line)" '^"stack":.*"symbol":"main".*"stack_status":"complete"'
# If a record has no room for a whole path, the record contains no part of the path.
trace_until large "$deep/file" pwrite64 -s 65535
is "large records: paths are complete or absent" "$(grep -o '"path":"[^"]*"' json | sort | uniq -c | sed 's/^ *//')" \
	"47 \"path\":\"$PWD/${deep}file\""

# In a chroot(2), paths begin at its root, which may be a plain directory or a mount point.
echo outside >outside
cat >changed.sh <<'SH'
top() {
	local path=${1#/}

	echo "${path%%/*}"
}
mkdir folder mounted
for d in bin dev etc lib lib32 lib64 libx32 proc sbin sys usr "$(top "$TRACER")" "$(top "$WORK")" "$(top "$PWD")"; do
	[ -d "/$d" ] && [ ! -e "folder/$d" ] || continue
	if [ -L "/$d" ]; then
		cp -a "/$d" folder/
	else
		mkdir "folder/$d" && mount --rbind "/$d" "folder/$d" || exit 77
	fi
done
mount --rbind / mounted || exit 77
exec 7<outside
for root in folder mounted; do
	for engine in ptrace bpf; do
		chroot "$PWD/$root" "$TRACER" --engine=$engine -a1 -y -e trace=openat,close,chdir,dup2,dup3,getcwd -e signal=none \
			-o "$PWD/$root.$engine" sh -c 'cd /etc && : <./hostname && cd / && : <&7' 2>/dev/null
		chroot "$PWD/$root" "$TRACER" --engine=$engine -a1 -y -P /etc/hostname -o "$PWD/path.$root.$engine" \
			cat /etc/hostname >/dev/null 2>&1
	done
done
exit 0
SH
unshare -m bash changed.sh 2>why
if [ $? -eq 77 ] || [ ! -s folder.ptrace ]; then
	skip "below a chroot" "nothing can be mounted here"
else
	for root in folder mounted; do
		for engine in ptrace bpf; do
			sed -E '/hostname/!d; s/0x[0-9a-f]{8,}/ADDR/g' "path.$root.$engine" >"path.$engine"
		done
		# A user lookup may use a socket.
		sed -i -E 's/socket:\[[0-9]+\]/socket:[N]/' "$root.bpf" "$root.ptrace"
		same "in a chroot ($root)" "$root.bpf" "$root.ptrace"
		like "in a chroot ($root): paths begin at its root" "$(cat "$root.bpf")" 'openat\(AT_FDCWD</etc>, "./hostname", [A-Z_|]*\) = [0-9]+</etc/hostname>'
		like "in a chroot ($root): a descriptor from outside" "$(cat "$root.bpf")" "dup[23]\\(7<$PWD/outside>, 0[,)<]"
		same "in a chroot ($root): -P" path.bpf path.ptrace
		like "in a chroot ($root): -P shows descriptors" "$(cat path.bpf)" 'close\([0-9]+</etc/hostname>\)'
	done
fi
