# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf: recordings, signals, 32-bit calls, calls that seccomp answers, and dumps are the same as
# with ptrace.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
program fork
can_bpf || exit 0

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

# If a signal kills a process without a core dump, the kernel reports only SIGKILL for the thread.
printf '%s\n' 'sh -c "kill -HUP \$\$"' 'sh -c "sleep 60 & kill -USR1 \$!; wait"' true >die.sh
for engine in ptrace bpf; do
	timeout -k 5 60 "$TRACER" --engine=$engine -f -e trace=none -e signal=HUP,USR1 -o die sh ./die.sh 2>/dev/null
	sed -E 's/[0-9]{2,} */N /g' die | sort >"die.$engine"
done
same "signals that kill" die.bpf die.ptrace

if can_int80 2>/dev/null; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -o log "$WORK/bin/bpf_calls" int80 2>/dev/null
		sed '1,/syscall_0xbeef/d' log | "$SRC/tests/mask" >"int80.$engine"
	done
	same "i386 calls of a 64-bit program" int80.bpf int80.ptrace
	if [ "$(uname -m)" = x86_64 ]; then
		like "calls within socketcall and ipc" "$(cat int80.bpf)" 'setsockopt\(.*select\(.*semop\(.*msgsnd\('
		for engine in ptrace bpf; do
			timeout -k 5 60 "$TRACER" --engine=$engine -e trace=semop,setsockopt -o log "$WORK/bin/bpf_calls" int80 2>/dev/null
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
	timeout -k 5 60 "$TRACER" --engine=$engine -f -a1 -e trace=mkdirat,chdir,pipe2 -e signal=none -o log "$WORK/bin/bpf_calls" denied 2>/dev/null
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

"$WORK/bin/bpf_calls" arm arm
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
