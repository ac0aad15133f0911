# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf, if the kernel permits it, shows the same lines as ptrace, counts all lost events,
# and leaves no BPF objects in the kernel.
. "$SRC/tests/lib.sh"
program bpf || exit

# Without the privileges, a one-line message reports what is missing.
refused() {
	like "$1" "$(cat stderr)" "^[^:]*: --engine=bpf $2.*--engine=ptrace\$"
}
if [ "$(id -u)" -ne 0 ]; then
	"$TRACER" --engine=bpf true 2>stderr
	is "an ordinary user: status 1" $? 1
elif setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	# An ordinary user may not have access to the build tree. Then setpriv fails.
	setpriv --reuid=65534 --regid=65534 --clear-groups "$TRACER" --engine=bpf true 2>stderr
	if grep -q 'setpriv' stderr; then
		skip "an ordinary user" "the build tree is closed to others"
	else
		refused "an ordinary user" "(needs CAP|needs Linux|does not support)"
	fi
else
	skip "an ordinary user" "setpriv does not work here"
fi
if unshare -Ur true 2>/dev/null; then
	unshare -Ur "$TRACER" --engine=bpf true 2>stderr
	refused "in a user namespace" "(cannot run inside a user|needs Linux|does not support)"
else
	skip "in a user namespace" "user namespaces are not allowed"
fi
# Some kernels interpret BPF programs if the JIT is turned off. Only do that in an emulated machine
# (tests/arch).
if [ -n "${PREBUILT-}" ] && echo 0 >/proc/sys/net/core/bpf_jit_enable; then
	timeout -k 5 60 "$TRACER" --engine=bpf true 2>stderr
	refused "where programs are interpreted" "needs compiled BPF programs"
	echo 1 >/proc/sys/net/core/bpf_jit_enable
else
	skip "where programs are interpreted" "only done in an emulated machine"
fi 2>/dev/null

if ! timeout -k 5 60 "$TRACER" --engine=bpf -o log true 2>stderr; then
	skip "the engine" "$(cat stderr)"
	exit
fi

# Options that this engine does not support are refused, and the message names them.
for option in "-e inject=getpid:retval=1" "-e inject=getpid:signal=USR1" "-b execve" "--kill-on-exit" \
	"-D" "-e namespace=new" "--seccomp-bpf -f -e trace=getpid"; do
	timeout -k 5 60 "$TRACER" --engine=bpf $option -o log true 2>stderr
	like "$option" "$?:$(cat stderr)" "^1:[^:]*: -.* requires --engine=ptrace\$"
done
timeout -k 5 60 "$TRACER" --buffer-size=1M -o log true 2>stderr
like "--buffer-size" "$?:$(cat stderr)" "^1:[^:]*: --buffer-size requires --engine=bpf\$"

# log_of NAME ENGINE DIR: runs the program of another test with an engine and writes the log to
# DIR.log. Two things are masked, because the BPF programs cannot see them: group-stops, and memory
# that is not present when execve is called ("again" in thread_exec).
log_of() {
	local name=$1 engine=$2 dir=$3 options=-f args= status f

	if [ -f "$SRC/tests/e2e/$name.args" ]; then
		options=$(<"$SRC/tests/e2e/$name.args")
		[[ $options == *" -- "* ]] && args=${options#* -- } && options=${options%% -- *}
	fi
	mkdir "$dir" && cd "$dir" || exit
	ln -s "$WORK/bin/$name" "./$name"
	printf '%s\n' "timeout -k 5 60 $TRACER --engine=$engine -o log $options ./$name $args" >script
	env -i PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC "ASAN_OPTIONS=${ASAN_OPTIONS-}" \
		sh ./script >stdout 2>stderr </dev/null
	status=$?
	for f in $(ls -v log.[0-9]* 2>/dev/null); do
		[ ! -s log ] || echo "=== next"
		cat "$f"
	done >>log
	{
		tac log | sed '/syscall_0xbeef/,$d' | tac
		# Drop the shell's messages about signals, which differ.
		sed -E '/^(.*script: line [0-9]+: +[0-9]+ )?(Segmentation fault|Aborted|Terminated|Killed)/d; s/^/stderr: /' stderr
		[ "$status" -eq 0 ] || echo "status: $status"
	} | sed "s,$(pwd -P),DIR,g; s,$PWD,DIR,g" | "$SRC/tests/mask" | sed '/^--- stopped by/d; s/"again"/ADDR/' >"../$dir.log"
	cd ..
}
# The expected logs are for x86_64 and one C library. On other machines, compare with ptrace. If
# memory is scarce, more pages may be missing, so try three times.
compare_log() {
	local name=$1 try

	program "$name" 2>/dev/null || {
		skip "the log of $name" "it cannot be built for $(uname -m)"
		return
	}
	for try in 1 2 3; do
		log_of "$name" bpf "bpf.$name.$try"
		if [ "$(uname -m)" = x86_64 ] && [ -z "${PREBUILT-}" ]; then
			sed '/^--- stopped by/d; s/"again"/ADDR/' "$SRC/tests/e2e/$name.expect" >want
		else
			log_of "$name" ptrace "ptrace.$name.$try"
			mv "ptrace.$name.$try.log" want
		fi
		mv "bpf.$name.$try.log" got
		cmp -s got want && break
	done
	same "the log of $name" got want
}
compare_log bad_pointers
compare_log fork
compare_log signals
compare_log stop
compare_log styles
compare_log styles_fds
compare_log styles_hex
compare_log styles_names
compare_log styles_raw
compare_log styles_verbose
compare_log thread_exec
compare_log vfork

# Stacks are compared with the known stacks of the test program, and with ptrace's.
printf '%s\n' '#!/bin/sh' "exec '$TRACER' --engine=bpf \"\$@\"" >with_bpf
chmod +x with_bpf
program stacks
mkdir stacks && (cd stacks && ENGINE=bpf TRACER=$PWD/../with_bpf bash "$SRC/tests/e2e/stacks.sh") |
	sed -E 's/^((not )?ok )/\1stacks: /'
# Disable address randomization, because the dynamic linker's calls may depend on addresses.
program fork
for engine in ptrace bpf; do
	timeout -k 5 60 setarch -R "$TRACER" --engine=$engine -k -f --format=folded -o folded "$WORK/bin/fork" 2>/dev/null
	sort folded >"stacks.$engine"
done
same "stacks of processes" stacks.bpf stacks.ptrace
like "--stack-size limits the copy of a stack" "$(timeout -k 5 60 "$TRACER" --engine=bpf --stack-size=4K -k -e trace=close -o '|cat' "$WORK/bin/stacks")" \
	'the copy of the stack ends'

# A 32-bit process that exits before its stacks are walked. Each stack begins in the process's vdso.
cat >narrow.c <<'EOF'
#include <unistd.h>
__attribute__((noinline)) static int inner(void) { return close(-103) + 1; }
__attribute__((noinline)) static int outer(void) { return inner() + 1; }
int main(void) { return outer() == 99; }
EOF
if ${CC:-cc} -m32 -O1 -o narrow narrow.c 2>/dev/null && ./narrow; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -k -a1 -e trace=close -o "narrow.$engine" ./narrow 2>/dev/null
	done
	same "stacks of a 32-bit process" narrow.bpf narrow.ptrace
	like "stacks of a 32-bit process are complete" "$(cat narrow.bpf)" '\(inner\+.*\(outer\+.*\(main\+.*\(_start\+'
else
	skip "stacks of a 32-bit process" "cannot be created here"
fi

# Descriptors have the same names as under ptrace, and JSON marks none of them as looked up late.
program fds
for engine in ptrace bpf; do
	mkdir "fds.$engine" && cd "fds.$engine" || exit
	timeout -k 5 60 "$TRACER" --engine=$engine -a1 -y -e trace=fcntl,openat,close,chdir -e signal=none -o log "$WORK/bin/fds" 2>/dev/null
	sed "s,$(pwd -P),DIR,g; s,$PWD,DIR,g" log | "$SRC/tests/mask" | grep -v execve >../names.$engine
	timeout -k 5 60 "$TRACER" --engine=$engine -y --format=json -e trace=openat,close,read -o json "$WORK/bin/fds" 2>/dev/null
	timeout -k 5 60 "$TRACER" --engine=$engine -P /etc/hostname -o log cat /etc/hostname 2>/dev/null
	grep -oE '^[a-z0-9]+\(' log >../path.$engine
	cd ..
done
same "names of descriptors" names.bpf names.ptrace
is "names of descriptors: none is marked as late" "$(grep -c '"late":true' fds.bpf/json)" 0
same "-P selects the same calls" path.bpf path.ptrace

# Addresses of sockets and the results of socketpair(2) are the same, too, although the sockets are
# closed right away.
cat >sockets.py <<'EOF'
import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.bind((address, 0))
    except OSError:
        continue  # IPv6 is not available
    listening.listen()
    client = socket.create_connection(listening.getsockname()[:2])
    server, _ = listening.accept()
    client.send(b"x")
    for s in client, server, listening:
        s.close()
    udp = socket.socket(family, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    udp.sendto(b"y", udp.getsockname()[:2])
    udp.close()
one, other = socket.socketpair()
one.close()
other.close()
for name in "\0abstract", "socket":
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(name)
    listening.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect(name)
    server, _ = listening.accept()
    for s in client, server, listening:
        s.close()
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
netlink.bind((0, 0))
netlink.close()
EOF
if python3 -c 'import socket' 2>/dev/null; then
	# Before Linux 6.8, sock_diag(7) does not list sockets that are only bound.
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -a1 -yy -e trace=socket,socketpair,bind,connect,sendto,close -e signal=none -o log \
			python3 -I sockets.py 2>/dev/null
		grep -E '<(TCP|UDP|UNIX|NETLINK)' log |
			sed -E 's/:[0-9]{2,5}\b/:PORT/g; s/htons\([0-9]+\)/htons(PORT)/g; s/\b[0-9]+->[0-9]+/N->N/g; s/\b[0-9]{4,}/N/g; s/(UNIX-STREAM:\[)[0-9]+/\1N/' \
				>"sockets.$engine"
		rm -f socket
	done
	if grep -q '127.0.0.1:PORT->' sockets.ptrace && grep -q '<NETLINK:\[R' sockets.ptrace; then
		same "addresses of sockets" sockets.bpf sockets.ptrace
	else
		skip "addresses of sockets" "ptrace cannot look them up, because this kernel has no sock_diag(7)"
	fi
	like "addresses of sockets are shown" "$(cat sockets.bpf)" '127.0.0.1:PORT->127.0.0.1:PORT'
	like "addresses of sockets: AF_UNIX" "$(cat sockets.bpf)" 'socketpair\(.*<UNIX-STREAM:\[N->N.*close\([0-9]+<UNIX-STREAM:\[N,@"abstract"\]>'
	like "addresses of sockets: AF_NETLINK" "$(cat sockets.bpf)" 'close\([0-9]+<NETLINK:\[ROUTE:'
	timeout -k 5 60 "$TRACER" --engine=bpf -yy --format=json -e trace=socketpair,close -e signal=none -o json python3 -I sockets.py 2>/dev/null
	rm -f socket
	is "addresses of sockets: none is marked as late" "$(grep -c '"late":true' json)" 0
else
	skip "addresses of sockets" "python3 is missing"
fi

# Netlink messages are decoded without -y, although the sockets are closed right away.
cat >netlink.py <<'EOF'
import socket
import struct
for _ in range(20):
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.bind((0, 0))
    s.send(struct.pack("IHHIIBxxx", 20, 18, 0x301, 1, 0, 0))
    s.recv(65536)
    s.close()
one, other = socket.socketpair()
one.send(b"no netlink")
other.recv(10)
EOF
if python3 -c 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)' 2>/dev/null; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -a1 -e trace=sendto,recvfrom -e signal=none -o log python3 -I netlink.py 2>/dev/null
		sed -nE 's/^([a-z]+\([0-9]+, \[*\{nlmsg_len=)[0-9]+(, nlmsg_type=[A-Z_]+).*/\1N\2/p; t; /^[a-z]+\(/p' log >"netlink.$engine"
	done
	if grep -q 'nlmsg_type=RTM_' netlink.ptrace; then
		same "messages of netlink sockets" netlink.bpf netlink.ptrace
	else
		skip "messages of netlink sockets" "ptrace cannot look them up, because this kernel has no sock_diag(7)"
	fi
	is "messages of netlink sockets are decoded" "$(grep -c 'nlmsg_type=RTM_' netlink.bpf)" 40
else
	skip "messages of netlink sockets" "python3 or netlink is missing"
fi

# Ids of another pid namespace are translated even if the process has exited before the line is written.
if unshare -pf true 2>/dev/null; then
	timeout -k 5 60 "$TRACER" --engine=bpf -f -a1 --decode-pids=pidns -e trace=wait4,kill -e signal=none -o log \
		unshare -pf sh -c '(exit 3) & wait; kill -0 $$' 2>/dev/null
	like "an id in a pid namespace" "$(cat log)" "kill\\(1 /\\* [0-9]+ in strace's PID NS \\*/, 0\\) = 0"
	like "the id of a child that has exited" "$(cat log)" "= 3\\}\\], .* = [0-9]+ /\\* [0-9]+ in strace's PID NS"
else
	skip "ids in a pid namespace" "cannot be created here"
fi

# Reading a recorded trace gives the same output, also with options that show more details.
timeout -k 5 60 "$TRACER" --engine=bpf -f -y -k --write-trace=trace -o live "$WORK/bin/fork" 2>/dev/null
timeout -k 5 60 "$TRACER" --read-trace=trace -y -k -o read
same "a recorded trace shows the same" read live
timeout -k 5 60 "$TRACER" --engine=bpf -f --write-trace=trace -e trace=none "$WORK/bin/fork" 2>/dev/null
timeout -k 5 60 "$TRACER" --read-trace=trace -e trace=wait4 -o read
is "a trace contains calls that were not shown" "$(grep -c 'wait4(' read)" 2
for engine in ptrace bpf; do
	timeout -k 5 60 setarch -R "$TRACER" --engine=$engine -f -c -U calls,errors,name -S name -o "sum.$engine" "$WORK/bin/fork" 2>/dev/null
done
same "-c with CPU times: the calls" sum.bpf sum.ptrace

# A signal that kills without a core dump: the kernel reports only SIGKILL for the thread.
printf '%s\n' 'sh -c "kill -HUP \$\$"' 'sh -c "sleep 60 & kill -USR1 \$!; wait"' true >die.sh
for engine in ptrace bpf; do
	timeout -k 5 60 "$TRACER" --engine=$engine -f -e trace=none -e signal=HUP,USR1 -o die sh ./die.sh 2>/dev/null
	sed -E 's/[0-9]{2,} */N /g' die | sort >"die.$engine"
done
same "signals that kill" die.bpf die.ptrace

# With --cgroup, the processes of a control group are traced, including a process that joins the group later.
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

if can_int80 2>/dev/null; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -o log "$WORK/bin/bpf" int80 2>/dev/null
		sed '1,/syscall_0xbeef/d' log | "$SRC/tests/mask" >"int80.$engine"
	done
	same "i386 calls of a 64-bit program" int80.bpf int80.ptrace
	if [ "$(uname -m)" = x86_64 ]; then
		like "calls within socketcall and ipc" "$(cat int80.bpf)" 'setsockopt\(.*select\(.*semop\(.*msgsnd\('
		for engine in ptrace bpf; do
			timeout -k 5 60 "$TRACER" --engine=$engine -e trace=semop,setsockopt -o log "$WORK/bin/bpf" int80 2>/dev/null
			"$SRC/tests/mask" <log >"inner.$engine"
		done
		same "only some calls within socketcall and ipc" inner.bpf inner.ptrace
		is "calls within socketcall and ipc are shown" "$(grep -c '^se' inner.bpf)" 2
	fi
else
	skip "i386 calls of a 64-bit program" "this kernel does not support i386 calls"
fi

# A seccomp filter answers these calls, so the kernel reports only their return.
for engine in ptrace bpf; do
	timeout -k 5 60 "$TRACER" --engine=$engine -f -a1 -e trace=mkdirat,chdir,pipe2 -e signal=none -o log "$WORK/bin/bpf" denied 2>/dev/null
	sed -E 's/^[0-9]+ +//' log | "$SRC/tests/mask" | sort >"denied.$engine"
done
same "calls that seccomp answers" denied.bpf denied.ptrace
like "calls that seccomp answers are shown" "$(cat denied.bpf)" 'mkdirat\(AT_FDCWD, "/no/such", 0700\) = -1 EPERM'

# The dump of sent data is read when the call returns.
for engine in ptrace bpf; do
	timeout -k 5 60 "$TRACER" --engine=$engine -f -a1 -e trace=write,read -e signal=none -e write=1 -e read=0 -o log \
		sh -c 'read -r line; echo "$line"; seq 1 2000' <<<"some input" >/dev/null 2>&1
	"$TRACER" --engine=$engine -e trace=write -e raw=write -e write=1 -o raw echo "in hexadecimal" >/dev/null
	{
		sed -E 's/^[0-9]+ +//' log
		grep -F '|' raw
	} >"dumps.$engine"
done
same "dumps" dumps.bpf dumps.ptrace
like "dumps are shown" "$(cat dumps.bpf)" 'in hexadecimal'

"$WORK/bin/bpf" arm arm
if [ "$(uname -m)" = aarch64 ] && ./arm; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -i -a1 -o log ./arm 2>/dev/null
		sed 1d log | "$SRC/tests/mask" >"arm.$engine"
	done
	same "calls of a 32-bit Arm program" arm.bpf arm.ptrace
	like "calls of a 32-bit Arm program: the arguments" "$(cat arm.bpf)" 'close\(-1\).*open\("/narrow", O_RDONLY\).*iov_base="/narrow", iov_len=7.*ftruncate64\(-1, 25769803781\).*set_tls\(0x7\)'
else
	skip "calls of a 32-bit Arm program" "there is no such program on $(uname -m)"
fi

# Every call is in the log or counted as lost. The first buffer is large enough, the second is not.
count() {
	timeout -k 5 100 "$TRACER" -f --engine=bpf $1 -e trace=lseek -e signal=none --format=json -o log \
		"$WORK/bin/bpf" count 6 8 "$2" 2>stderr
	seen=$(grep -c '"name":"lseek"' log)
	lost=$(sed -nE 's/.*"type":"lost".*"count":([0-9]+),"cause":"the.*/\1/p' log | awk '{ n += $1 } END { print n + 0 }')
}
count "--buffer-size=64M --write-trace=trace" 500
is "48 threads: all calls are seen" "$seen" 24000
# Times in a block are relative, so each stop takes only a few bytes.
size=$(stat -c %s trace)
[ "$size" -lt 1500000 ] && ok "a trace is small" || not_ok "a trace is small: $size bytes"
count --buffer-size=1M 20000
is "48 threads: seen and lost calls add up" "$((seen + lost))" 960000
if [ "$lost" -gt 0 ]; then
	like "a message reports the losses" "$(cat stderr)" "[0-9]+ events? (was|were) lost"
fi

# Only the changed parts of a stack are recorded. All stacks in the log must nevertheless be
# correct, although other threads run on the same CPU and most records are lost here.
timeout -k 5 100 "$TRACER" -f -k --engine=bpf --buffer-size=1M -e trace=lseek -e signal=none --format=json -o log \
	"$WORK/bin/bpf" deep 20000 2>stderr
awk '/"name":"lseek"/ {
		n++
		match($0, /"offset":[0-9]+,"whence/)
		want = substr($0, RSTART + 9) + 0
		wrong += gsub(/"symbol":"down"/, "") != want || !/"stack_status":"complete"/
	}
	END { print (n > 100 && !wrong) ? "all right" : n + 0 " calls, " wrong " wrong" }' log >stacks.right
is "stacks of which only the changed part was recorded" "$(cat stacks.right)" "all right"

# wait_for CONDITION: waits at most ten seconds until CONDITION is true.
wait_for() {
	local i

	for ((i = 0; i < 500; i++)); do
		eval "$1" && return
		sleep 0.02
	done
	echo "# never: $1"
	return 1
}
mkfifo end
"$WORK/bin/bpf" wait <end >ready &
app=$!
exec 7>end
trap 'kill -9 $app 2>/dev/null' EXIT
wait_for '[ -s ready ]'
rm -f log
"$TRACER" -f --engine=bpf -e trace=lseek -o log -p $app 2>stderr &
tracer=$!
# The main thread waits for input and makes no calls.
wait_for 'grep -q "needs Linux 6.9" stderr || [ "$(grep -oE "^[0-9]+" log 2>/dev/null | sort -u | wc -l)" -ge 20 ]'
old=$(grep "needs Linux 6.9" stderr)
if [ -n "$old" ]; then
	like "attached: a message counts the threads that are not traced" "$old" ": 20 threads of process $app are not traced: "
else
	is "attached: the log has calls of all threads" "$(grep -oE '^[0-9]+' log | sort -u | wc -l)" 20
fi
ids=$(sed -n 's/^prog_id:\t//p' /proc/$tracer/fdinfo/* 2>/dev/null | sort -u)
[ -n "$ids" ] && ok "the ids of tracer's BPF programs are found" || not_ok "the ids of tracer's BPF programs are found"
kill -INT "$tracer"
wait "$tracer"
is "an interrupt ends tracer with status 130" "$?" 130
wait_for '"$WORK/bin/bpf" gone $ids'
is "no BPF program is left behind" $? 0
is "all threads continue after the interrupt" "$(ls /proc/$app/task | wc -l)" 21
echo >&7
wait "$app"
is "the process ends normally" "$?" 0

# The last thread's exit is lost, because the events of its children have filled the buffer. The
# first thread's exit was reported long before.
mkfifo lines
rm -f stderr # it has the messages of another run
"$WORK/bin/bpf" heir 4000 <lines >ready &
app=$!
exec 8>lines
"$TRACER" -f --engine=bpf -e trace=lseek -e signal=none -o log -p $app 2>stderr &
tracer=$!
wait_for 'grep -q attached stderr'
echo >&8
wait_for '[ -s ready ]'
kill -STOP "$tracer"
echo >&8
wait "$app"
kill -CONT "$tracer"
wait_for '! kill -0 $tracer 2>/dev/null'
like "the exit of a process is shown although its last thread's was lost" "$(cat log)" "$app +\\+\\+\\+ exited with 0 \\+\\+\\+"
kill -9 "$tracer" 2>/dev/null
if [ -n "$old" ]; then
	skip "the lost exit is reported" "$old"
else
	like "the lost exit is reported" "$(cat log stderr)" "lost [0-9]+ events: .*\(threads and signals\).*events were lost"
fi
