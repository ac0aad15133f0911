# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes tracer's own syscalls fail, with the help of a second tracer. The program must run to its
# end, or not start at all. If the log is incomplete, a message must say why. The log must end with
# a complete line.
. "$SRC/tests/lib.sh"
# LeakSanitizer uses ptrace, which does not work in a tracer that is traced itself.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}

# fault OPTIONS INJECTION [OUTER-OPTION...]: prints everything that is wrong.
fault() {
	local status begun

	rm -f log* begun ended err
	timeout -s KILL "${E2E_TIMEOUT:-120}" "$TRACER" -qq -o outer -e "trace=${2%%:*}" -e signal=none -e "inject=$2" "${@:3}" \
		"$TRACER" $1 -o log sh -c ': >begun; cd /; cd /tmp; (cd /); '"$more"'cd "$0"; : >ended' "$PWD" >out 2>err
	status=$?
	[ -e begun ] && begun=yes
	# If tracer gives up, the program continues without it.
	for _ in {1..600}; do
		[ -z "$begun" ] || [ -e ended ] || sleep 0.1
	done
	[ -z "$begun" ] || [ -e ended ] || echo "the program did not end; "
	[ "$status" -lt 128 ] || echo "status $status; "
	[ "$status" -eq 0 ] || [ -s err ] || echo "status $status without a message; "
	[ "$status" -ne 0 ] || [ -n "$begun" ] || echo "the program was not begun; "
	[ ! -s log ] || [ "$(tail -c 1 log | od -An -c | tr -d ' ')" = '\n' ] || echo "half a line: $(tail -n 1 log); "
	[[ $1 != *json* || ! -s log ]] || python3 -c 'import json, sys
for line in open("log"): json.loads(line)' 2>&1 | tail -n 1
}

more=
# make check-faults: makes each syscall of tracer fail with each possible error: first each
# occurrence, later every seventh occurrence.
errors_of() {
	case $1 in
	brk) echo retval=1 ;; # the kernel's brk(2) returns the old end if it fails
	mmap | mremap | madvise) echo error=ENOMEM ;;
	write | pwrite64 | writev | sendmsg | sendto) echo error=ENOSPC error=EIO error=EINTR ;;
	openat | open | openat2) echo error=EMFILE error=EIO error=EINTR ;;
	socket | socketpair | pipe | pipe2 | dup | dup2 | dup3 | fcntl | memfd_create | timerfd_create | pidfd_open | \
		inotify_init1 | eventfd2 | epoll_create1 | timer_create) echo error=EMFILE ;;
	read | pread64 | poll | ppoll | recvmsg | recvfrom | futex | nanosleep | clock_nanosleep | wait4 | waitid | \
		rt_sigtimedwait | select | pselect6) echo error=EINTR error=EIO ;;
	clone | clone3 | fork | vfork) echo error=EAGAIN error=ENOMEM ;;
	*stat | statx | lseek | readlink* | getdents64 | ftruncate | fsync | access | faccessat*) echo error=EIO ;;
	process_vm_readv | move_pages | kcmp) echo error=EPERM error=ENOMEM ;;
	esac
}

# Excluded are calls of the dynamic linker and calls that cannot fail. The second brk(NULL) belongs
# to the first malloc(), at which tracer itself begins.
every_fault() {
	local name count error when bad first

	"$TRACER" -qq -o whole -e signal=none "$TRACER" $1 -o log sh -c 'cd /; cd /tmp; (cd /)'
	# wait4() never returns EIO, and neither does a futex call that does not wait.
	while read -r count name; do
		for error in $(errors_of "$name"); do
			case $name:$error in wait4:error=EIO | futex:error=EIO | poll:error=EIO | ppoll:error=EIO) continue ;; esac
			bad=
			first=$(awk '/^brk\(NULL\)/ && ++n == 2 { exit } { print }' whole | grep -c "^$name(")
			[ "$name" != brk ] || first=$((first + 1))
			[ "$first" -lt "$count" ] || continue
			for when in $(seq $((first + 1)) $((count < first + 6 ? count : first + 6))) $((first + 1))+7; do
				bad+=$(fault "$1" "$name:$error:when=$when" | sed "s/^/when=$when: /")
			done
			is "$1, $name:$error, called $count times" "$bad" ""
		done
	done < <(sed -n 's/^\([a-z_0-9]*\)(.*/\1/p' whole | sort | uniq -c)
}

if [ -n "${LONG-}" ]; then
	for options in "-f -k --format=json" "-ff -yy" "-f -c" "-f --format=html"; do
		every_fault "$options"
	done
	exit
fi

sets=("-f -k --format=json")
sanitized || sets+=("-f")
for options in "${sets[@]}"; do
	for what in write:error=ENOSPC write:error=EIO write:error=EINTR wait4:error=EINTR \
		process_vm_readv:error=ENOMEM process_vm_readv:error=EPERM openat:error=EMFILE \
		openat:error=ENOENT mmap:error=ENOMEM \
		clone,clone3,fork,vfork:error=EAGAIN fstat,newfstatat:error=EIO lseek:error=EIO; do
		bad=
		for when in 1 3 20 1+7; do
			# The first mappings are those of libraries.
			[[ $what != mmap* ]] || case $when in 1) when=45 ;; 3) when=60 ;; *) when=80+5 ;; esac
			bad+=$(fault "$options" "$what:when=$when" | sed "s/^/when=$when: /")
		done
		is "$options, $what" "$bad" ""
	done
done

# After some time, every write to the log fails, but messages can still be written. The log is
# written in pieces of 64 KiB.
more='i=0; while [ $i -lt 5000 ]; do cd /; i=$((i + 1)); done; '
for when in 1+ 2+; do
	is "a full disk, $when" "$(fault "-f" "write:error=ENOSPC:when=$when" -P "$(pwd -P)/log")" ""
	is "a full disk, $when: message" "$(sort -u err)" "tracer: log: No space left on device"
done
