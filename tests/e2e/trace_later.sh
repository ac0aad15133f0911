# SPDX-License-Identifier: LGPL-2.1-or-later
# A trace that was recorded without options is read with those of the other tests.
. "$SRC/tests/traces/lib.sh"

# alone OPTIONS COMMAND: runs it under tracer in the environment of the tests whose log is known
alone() {
	echo "timeout 60 ./tracer $1 $2" >script
	# The shell prints a message about a signal that ends the program.
	(env -i PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC "ASAN_OPTIONS=${ASAN_OPTIONS-}" \
		sh ./script >out 2>err </dev/null) 2>/dev/null
}

# masked: the log in the form of the tests whose log is known
masked() {
	for f in $(ls -v log.[0-9]* 2>/dev/null); do
		[ ! -s log ] || echo "=== next"
		cat "$f"
	done >>log
	tac log | sed '/syscall_0xbeef/,$d' | tac | sed "s,$PWD,DIR,g" | "$SRC/tests/mask"
}

# Recorded without any options, and read with those of a test whose log is known.
later() {
	local name=$1 options=-f args="" follow="" f

	[ ! -f "$SRC/tests/e2e/$name.sh" ] || return

	if [ -f "$SRC/tests/e2e/$name.args" ]; then
		options=$(<"$SRC/tests/e2e/$name.args")
		[[ $options == *" -- "* ]] && args=${options#* -- } && options=${options%% -- *}
	fi
	# Injected faults are not in a recording, and dumps only if they were asked for.
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
	else # The known log is one of x86_64 and a C library. Here it is what is shown at once.
		find . -mindepth 1 ! -name "$name" ! -name tracer ! -name got -delete
		alone "-o log $options" "./$name $args"
		masked >want
		# A trace may have calls that this machine does not have.
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
