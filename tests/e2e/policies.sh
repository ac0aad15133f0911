# SPDX-License-Identifier: LGPL-2.1-or-later
# examples/policies: each policy passes a program that complies with it, and fails one that does
# not.
. "$SRC/tests/lib.sh"

# status POLICY COMMAND...: prints tracer's status.
status() {
	local policy
	policy=$(sed "s,@PWD@,$PWD,g" "$SRC/examples/policies/$1")

	shift
	timeout 60 "$TRACER" -f -e trace=none -e signal=none -o log --fail-on="$policy" "$@" >out 2>err
	echo $?
}

: >key.key
: >plain
is "no network: kept" "$(status no-network cat plain)" 0
is "no network: broken" "$(status no-network bash -c 'exec 3<>/dev/tcp/127.0.0.1/1')" 120
like "the first call" "$(<err)" 'socket\(AF_INET'
is "writes only below: kept" "$(status writes-only-below sh -c ': >new; mkdir dir; rm new; : >/dev/null')" 0
is "writes only below: broken" "$(status writes-only-below sh -c 'cd / && mkdir -m 700 "$0"' "$PWD.outside")" 120
rmdir "$PWD.outside"
is "no exec but: kept" "$(status no-exec-but sh -c '/bin/cat plain; :')" 0
is "no exec but: broken" "$(status no-exec-but sh -c 'env true; :')" 120
is "opens no secret: kept" "$(status opens-no-secret cat plain)" 0
is "opens no secret: broken" "$(status opens-no-secret cat key.key)" 120
