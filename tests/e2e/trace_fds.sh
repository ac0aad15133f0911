# SPDX-License-Identifier: LGPL-2.1-or-later
# While recording, -y shows the current paths of descriptors, although the recorder remembers paths.
. "$SRC/tests/lib.sh"
program trace_fds || exit

# reads FILE: the descriptors of the log's reads, which are the same in each run.
reads() {
	sed -n 's/^\([0-9]* *\)\?read(\([^,]*\), [^,]*, [01]) .*/\2/p' "$1" | sed "s#$(pwd -P)#.#; s/pipe:\[[0-9]*\]/pipe/"
}

# recorded NAME OPTIONS ARGUMENTS...: compares the descriptors with those of a run that is not
# recorded.
recorded() {
	local name=$1 options=$2

	shift 2
	rm -f a b c d
	# shellcheck disable=SC2086
	"$TRACER" $options -y -o plain "$WORK/bin/trace_fds" "$@"
	rm -f a b c d
	# shellcheck disable=SC2086
	"$TRACER" $options -y -o live --write-trace=trace "$WORK/bin/trace_fds" "$@" 2>err
	"$TRACER" -y -o later --read-trace=trace -e trace=read
	for f in plain live later; do
		reads $f >got.$f
	done
	[ "$(grep -c '<' got.plain)" -ge 6 ] || echo "no paths" >>got.plain
	same "$name: live" got.live got.plain
	same "$name: later" got.later got.plain
}

recorded "one thread" ""
recorded "one thread, -f" "-f"
recorded "calls that are not traced" "-f --seccomp-bpf -e trace=read"
recorded "threads and processes that are not traced" "" more
recorded "threads and processes" "-f" more
