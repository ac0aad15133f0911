# SPDX-License-Identifier: LGPL-2.1-or-later
# Traces that were not written by tracer, but were crafted to make a reader do harm.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || { skip "hostile traces" "python3 is not installed"; exit 0; }
export PYTHONPATH=$SRC/tests/traces PYTHONDONTWRITEBYTECODE=1

# craft FILE: writes to FILE the output of the Python program on standard input, which can use
# craft.py as c.
craft() { { echo 'import os, sys, craft as c; put = sys.stdout.buffer.write'; cat; } | python3 - >"$1"; }

traces=6
! sanitized || traces=2
is "each format escapes what a trace has" \
	"$(python3 "$SRC/tests/traces/hostile.py" "$TRACER" "${TRACES:-$traces}" 2>&1)" \
	"${TRACES:-$traces} traces from seed 1 in 17 formats: 0 wrong"

# The time zone of a trace must name a zone, and not another file.
mkfifo fifo
zoned() {
	ZONE=$1 craft zoned <<-'P'
		put(c.meta([(b"zone", os.environ["ZONE"].encode())], first=10**9) + c.block(c.EVENTS,
		    c.record(c.BEGIN, c.number(7), c.number(7), c.number(2)) + c.record(c.STARTED) +
		    c.record(c.THREAD, c.number(7)) + c.enter(0, 39, []) + c.leave(1, 7), first=10**9) + c.end())
	P
	timeout 10 "$TRACER" -tt -o log --read-trace=zoned 2>err
	echo "$? $(sed -nE '1s/^([0-9]+ +)?([0-9:]+)[. ].*/\2/p' log)"
}
for zone in ":$PWD/fifo" "$PWD/fifo" "::$PWD/fifo" "../../..$PWD/fifo" ":../../../../../..$PWD/fifo" "a/../../../../..$PWD/fifo"; do
	is "the zone '${zone/$PWD/DIR}' is not opened" "$(zoned "$zone")" "0 00:00:01"
done
is "a POSIX time zone" "$(zoned "<+07>-7")" "0 07:00:01"
is "a time zone recorded by version 0.1" "$(zoned ":XYZ-3")" "0 03:00:01"

# With --sysroot, files are only opened below that directory.
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
named() {
	NAME=$1 ID=$2 craft placed <<-'P'
		name, build_id = os.environ["NAME"].encode(), os.environ["ID"].encode()
		put(c.meta([(b"stacks", b"1")], first=1) + c.block(c.EVENTS,
		    c.record(c.BEGIN, c.number(7), c.number(7), c.number(2)) + c.record(c.STARTED) +
		    c.record(c.THREAD, c.number(7)) +
		    c.record(c.MODULE, c.number(1), b"m", c.text(name), c.text(build_id), c.number(5)) +
		    c.record(c.STACK, c.number(1), b"s", c.number(0), c.number(0), c.number(1),
		             c.number(1), c.number(1), c.number(int(os.environ["ADDR"], 16))) +
		    c.record(c.AT, c.number(1)) + c.enter(0, 39, []) + c.leave(1, 7), first=1) + c.end())
	P
	timeout 10 "$TRACER" -k -o log --read-trace=placed --sysroot=root 2>err
	grep -c '(main+0x0)' log
}
if ! command -v readelf >/dev/null || ! $CC -Wl,--build-id -xc -o outside - <<<'int main(void) { return 0; }'; then
	skip "--sysroot" "there is no compiler or no readelf"
else
	mkdir -p root/lib
	cp outside root/lib/inside
	ln -s "$PWD/outside" root/lib/link
	ADDR=$(nm outside | sed -n 's/ T main$//p')
	export ADDR
	id=$(build_id outside)
	is "--sysroot: a file below it is used" "$(named /lib/inside "$id")" 1
	is "--sysroot: .. does not lead out of it" "$(named /../outside "$id") $(named /lib/../../outside "$id")" "0 0"
	is "--sysroot: a link does not lead out of it" "$(named /lib/link "$id")" 0
	is "--sysroot: .. within it works" "$(named /lib/../lib/inside "$id")" 1
fi

# Run without privileges.
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null || ! chmod 755 .; then
	skip "set-user-id" "not root, or there is no setpriv"
else
	dir=$(mktemp -d /tmp/set-id.XXXXXX) && chmod 711 "$dir"
	cp "$TRACER" "$dir/tracer"
	chmod 4755 "$dir/tracer"
	if setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/tracer" -o "$dir/made" true 2>err; then
		not_ok "a set-user-id copy traces"
	else
		like "a set-user-id copy refuses" "$(cat err)" "refusing to run with more privileges"
	fi
	is "a set-user-id copy writes no file" "$(ls "$dir")" tracer
	rm -rf "$dir"
fi

# A small trace must not make the reader use gigabytes. A sanitizer keeps freed memory, and makes
# each object larger.
! sanitized || export MAX_MIB=1500
is "trace bombs" "$(python3 "$SRC/tests/traces/bombs.py" "$TRACER" 2>&1)" "10 bombs: 0 wrong"
