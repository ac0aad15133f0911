# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows the same lines as ptrace for programs of other tests.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
can_bpf || exit 0

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
		# Drop the shell's messages about signals, because they differ between runs.
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
