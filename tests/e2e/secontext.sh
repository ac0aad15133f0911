# SPDX-License-Identifier: LGPL-2.1-or-later
# --secontext shows the contexts of threads, paths and descriptors. A replacement for libselinux provides them.
. "$SRC/tests/lib.sh"

"$TRACER" --secontext -o no-log true 2>err
if grep -q 'not supported by this build' err; then
	skip "contexts" "libselinux is not built in"
	exit
fi
mkdir missing library disabled
: >missing/libselinux.so.1
LD_LIBRARY_PATH=$PWD/missing "$TRACER" --secontext -o log true 2>err
like "libselinux is missing" "$? $(<err)" \
	'^1 [^:]*: --secontext: libselinux is missing or too old: install it \(Debian: libselinux1\)$'
is "a refused run writes no log" "$(ls log 2>/dev/null)" ""
if [ -n "${PREBUILT-}" ] || ! $CC -D_GNU_SOURCE -DLIBRARY -shared -fPIC -o library/libselinux.so.1 "$SRC/tests/e2e/secontext.c"; then
	skip "contexts" "the replacement for libselinux cannot be built"
	exit
fi
program secontext

# run NAME OPTION...: traces the program in a new directory. Writes its calls on files to NAME.
run() {
	local top=$PWD name=$1

	shift
	mkdir "$name.dir" "$name.dir/d"
	cd "$name.dir" || exit
	: >wrong
	: >d/inner
	ln -s d/inner link
	mkfifo pipe
	LD_LIBRARY_PATH=$top/library "$TRACER" -E LD_LIBRARY_PATH -a1 -e trace=openat,prctl,unlinkat,fsync,fchdir \
		-e signal=URG -o "$top/$name.log" "$@" "$WORK/bin/secontext" 2>err
	cd "$top" || exit
	shown "$name" <"$name.log"
}
# shown NAME: writes the part of the log that starts at the program's first call to NAME.
shown() {
	sed -n "/\"d\"/,\$p" | sed "s,$PWD,TOP,g; s,/proc/[0-9]*/,/proc/PID/,; s/si_pid=[0-9]*, si_uid=[0-9]*/ID/" >"$1"
}

run type --secontext
cat >want <<'EOF'
[secontext] openat(AT_FDCWD, "d" [d], O_RDONLY|O_NONBLOCK) = 3 [d]
[secontext] openat(3 [d], "inner" [inner], O_RDONLY|O_NONBLOCK) = 4 [inner]
[secontext] openat(3 [d], "../link" [inner], O_RDONLY|O_NONBLOCK) = 5 [inner]
[secontext] openat(AT_FDCWD, "pipe" [pipe], O_RDONLY|O_NONBLOCK) = 6 [pipe]
[secontext] openat(AT_FDCWD, "wrong" [wrong], O_RDONLY|O_NONBLOCK) = 7 [wrong]
[secontext] openat(AT_FDCWD, "missing", O_RDONLY|O_NONBLOCK) = -1 ENOENT (No such file or directory)
[secontext] openat(AT_FDCWD, "/proc/self/status" [secontext], O_RDONLY|O_NONBLOCK) = 8 [secontext]
[secontext] prctl(PR_SET_NAME, "second") = 0
[second] --- SIGURG {si_signo=SIGURG, si_code=SI_TKILL, ID} ---
[second] unlinkat(3 [d], "inner" [inner], 0) = 0
[second] fsync(4 [inner]) = 0
[second] fchdir(3 [d]) = 0
[second] openat(AT_FDCWD, "../wrong" [wrong], O_RDONLY|O_NONBLOCK) = 9 [wrong]
+++ exited with 3 +++
EOF
same "types" type want

run full -y --secontext=full,mismatch
grep -E 'd/inner>\(deleted\)|"\.\./wrong"' full >got
cat >want <<'EOF'
[unconfined_u:unconfined_r:second:s0] fsync(4<TOP/full.dir/d/inner>(deleted) [system_u:object_r:inner:s0]) = 0
[unconfined_u:unconfined_r:second:s0] openat(AT_FDCWD<TOP/full.dir/d>, "../wrong" [system_u:object_r:wrong:s0!!system_u:object_r:right:s0], O_RDONLY|O_NONBLOCK) = 9<TOP/full.dir/wrong> [system_u:object_r:wrong:s0!!system_u:object_r:right:s0]
EOF
same "whole contexts and those of the database" got want

LD_LIBRARY_PATH=$PWD/library "$TRACER" -E LD_LIBRARY_PATH -f -t --secontext -e trace=execve -o log sh -c 'true; :'
like "the context is between the pid and the time" "$(head -n 1 log)" '^[0-9]+ +\[[a-z]+\] [0-9:]+ execve\("[^"]*/sh" \[[a-z]*sh\]'

run json --secontext=mismatch --format=json
like "JSON" "$(grep -F '"../wrong"' json.log)" \
	'"secontext":"unconfined_u:unconfined_r:second:s0".*"pathname":\{"path":"../wrong","secontext":"system_u:object_r:wrong:s0","secontext_expected":"system_u:object_r:right:s0"\}.*"detail":\{"secontext":"system_u:object_r:wrong:s0","secontext_expected"'

# A recording that was made with --secontext contains all contexts, so any set can be shown when it is read.
run recorded --secontext --write-trace=../trace
same "a recording shows the same" recorded type
"$TRACER" --read-trace=trace --secontext -a1 -e trace=openat,prctl,unlinkat,fsync,fchdir -e signal=URG -o log
shown read <log
same "reading the trace" read type
"$TRACER" --read-trace=trace -y --secontext=full,mismatch -a1 -e trace=openat,fsync -o log
shown got <log
grep -E 'openat|fsync' full | sed 's/full\.dir/recorded.dir/g' >want
sed -i '/openat\|fsync/!d' got
same "reading the trace with other settings" got want
"$TRACER" --write-trace=without true 2>err
"$TRACER" --read-trace=without --secontext 2>err
is "a trace without contexts" "$? $(sed 's/^[^:]*: //' err)" \
	"1 --secontext cannot be used with this trace, which was recorded without it"

SELINUX_DISABLED=1 LD_LIBRARY_PATH=$PWD/library "$TRACER" -E LD_LIBRARY_PATH --secontext=full -e trace=execve -o log true
like "nothing is shown without SELinux in the kernel" "$? $(head -n 1 log)" '^0 execve\("[^"]*/true", \["true"\], '
