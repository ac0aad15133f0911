# SPDX-License-Identifier: LGPL-2.1-or-later
# -P and -e trace-fds= select the same calls as in strace 7.2, and also calls on deleted files.
. "$SRC/tests/lib.sh"
program fds_asked

name=$PWD/asked
: >"$name"
"$TRACER" -a1 -P "$name" -e signal=none -o log "$WORK/bin/fds_asked" "$name" </dev/null >stdout 2>stderr
# Newer machines have unlinkat(2) instead of unlink(2).
sed -n 's/^unlinkat(AT_FDCWD, \(.*\), 0) =/unlink(\1) =/; /^lseek/,$p' log >got
cat >want <<EOF
lseek(50, 1, SEEK_SET) = 1
unlink("$name") = 0
lseek(50, 2, SEEK_SET) = 2
+++ exited with 0 +++
EOF
same "-P with a deleted file" got want

"$TRACER" -a1 -e trace-fds=50 -o log "$WORK/bin/fds_asked" "$name" </dev/null >stdout 2>stderr
sed -n '/^lseek/,$p' log >got
cat >want <<EOF
lseek(50, 1, SEEK_SET) = 1
lseek(50, 2, SEEK_SET) = 2
+++ exited with 0 +++
EOF
same "-e trace-fds= with a number" got want
