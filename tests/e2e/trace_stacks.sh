# SPDX-License-Identifier: LGPL-2.1-or-later
# Stacks in traces: names come from files on the reading machine, or from --symbolize.
. "$SRC/tests/traces/lib.sh"

# Frames are named when the trace is read, from the files that exist at that time.
program trace && cp "$WORK/bin/trace" stacks && timeout 100 "$TRACER" -k --write-trace=trace ./stacks
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: names without source lines" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\).* > [^ ]*stacks\(outer\+0x[0-9a-f]+\).* > [^ ]*stacks\(main"
"$TRACER" -kk -e trace=getppid --read-trace=trace -o log
built_with source-lines && lines=' \[0x[0-9a-f]+\] [^ ]*trace.c:[0-9]+' || lines=
like "stacks: names, with lines if it is built with libdw" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\)$lines"
"$TRACER" --read-trace=trace --symbolize=named
"$TRACER" -kk --format=json --read-trace=trace -o json
mkdir -p "root$here" && mv stacks "root$here/stacks"
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: the file is missing" "$(tr '\n' ' ' <log)" "stacks\(\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(\)"
"$TRACER" -kk -e trace=getppid --read-trace=named -o log
like "--symbolize: names and lines without the file" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\)$lines"
"$TRACER" -k -e trace=getppid --read-trace=named -o log
like "--symbolize: -k" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(outer\+0x"
"$TRACER" -kk --format=json --read-trace=named -o json2
is "--symbolize: JSON" "$(sed 's/"build_id":"[0-9a-f]*",//g' json2 | cmp - <(sed 's/"build_id":"[0-9a-f]*",//g' json) 2>&1)" ""
"$TRACER" --read-trace=trace --symbolize=named --sysroot="$here/root"
"$TRACER" -k -e trace=getppid --read-trace=named -o log
like "--symbolize --sysroot" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x"
"$TRACER" -o whole -ttt --read-trace=trace && "$TRACER" -o read -ttt --read-trace=named
is "--symbolize: everything else is unchanged" "$(cmp whole read 2>&1)" ""
"$TRACER" -k -e trace=getppid --read-trace=trace -o log --sysroot="$here/root"
like --sysroot "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\).* > [^ ]*stacks\(outer\+0x"
program diff && cp "$WORK/bin/diff" stacks
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: the file was replaced" "$(tr '\n' ' ' <log)" "stacks\(\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(\)"
timeout 100 "$TRACER" -f --write-trace=trace sh -c 'exit 7' >out 2>err
"$TRACER" -o read --read-trace=trace

# The build id of a frame's file is shown although the file does not exist.
timeout 100 "$TRACER" -k -e trace=exit_group --format=json -o live --write-trace=trace true 2>err
mkdir -p nowhere
"$TRACER" -k -e trace=exit_group --format=json -o read --read-trace=trace --sysroot=nowhere 2>>err
is "build ids without files" "$(grep -o '"build_id":"[0-9a-f]*"' read)" "$(grep -o '"build_id":"[0-9a-f]*"' live)"
