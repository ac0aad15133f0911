# SPDX-License-Identifier: LGPL-2.1-or-later
# Records the programs of other tests without options, and reads the traces with the options of
# these tests.
. "$SRC/tests/traces/lib.sh"

# alone OPTIONS COMMAND: runs a command under tracer in the environment of tests/e2e/run.
alone() {
	echo "timeout 60 ./tracer $1 $2" >script
	# Drop the shell's message about a signal that kills the program.
	(env -i PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC "ASAN_OPTIONS=${ASAN_OPTIONS-}" \
		sh ./script >out 2>err </dev/null) 2>/dev/null
}

# masked: prints the log, masked as in tests/e2e/run.
masked() {
	for f in $(ls -v log.[0-9]* 2>/dev/null); do
		[ ! -s log ] || echo "=== next"
		cat "$f"
	done >>log
	tac log | sed '/syscall_0xbeef/,$d' | tac | sed "s,$PWD,DIR,g" | "$SRC/tests/mask"
}

# later NAME: records without options, and reads with the options of the test.
later() {
	local name=$1 options=-f args="" follow="" f

	[ ! -f "$SRC/tests/e2e/$name.sh" ] || return

	if [ -f "$SRC/tests/e2e/$name.args" ]; then
		options=$(<"$SRC/tests/e2e/$name.args")
		[[ $options == *" -- "* ]] && args=${options#* -- } && options=${options%% -- *}
	fi
	# Skip tests whose options had to be given for the recording: injections, dumps and stacks.
	[[ $options != *inject* && $options != *read=* && $options != *-k* ]] || return
	[[ " $options " == *" -f"* ]] && follow=-f
	program "$name" >cc-out 2>&1 || return
	mkdir later && cd later || return
	ln -s "$WORK/bin/$name" "$name"
	ln -s "$TRACER" tracer
	alone "$follow --write-trace=trace" "./$name $args"
	# shellcheck disable=SC2086
	./tracer -o log $options --read-trace=trace >out2 2>err2
	masked >got
	if [ "$(uname -m)" = x86_64 ] && [ -z "${PREBUILT-}" ]; then
		grep -vE '^(stderr|status): ' "$SRC/tests/e2e/$name.expect" >want
	# The expected log is for x86_64 and one C library. Otherwise, compare with the live output.
	else
		find . -mindepth 1 ! -name "$name" ! -name tracer ! -name got -delete
		alone "-o log $options" "./$name $args"
		masked >want
		# A trace may contain calls that this machine does not have.
		if grep -q 'invalid system call' err; then
			skip "recorded without options: $name $options" "it names a call that this machine does not have"
			cd .. && rm -rf later
			return
		fi
	fi
	same "recorded without options: $name $options" got want
	cd .. && rm -rf later
}
for f in "$SRC"/tests/e2e/*.expect; do
	later "$(basename "$f" .expect)"
done
