#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# build.sh TRACER DIR: records a build with make -j2 of 850 C files, which starts about 2,550
# processes, as DIR/build.trace and DIR/build.html. Takes two to three minutes. Run by hand to
# measure the page of a large build (doc/html.md).
set -e
tracer=$(realpath "$1")
mkdir -p "$2/src"
cd "$2/src"
for i in $(seq 850); do
	printf '#include <stdio.h>\n#include <string.h>\nint f%d(int x) { char b[64]; snprintf(b, sizeof(b), "%%d", x); return (int)strlen(b); }\n' \
		"$i" >"unit$i.c"
done
printf '%s\n' 'OBJS := $(patsubst %.c,%.o,$(wildcard unit*.c))' 'lib.a: $(OBJS)' \
	'	ar rcs $@ $(OBJS)' '%.o: %.c' '	gcc -O1 -c -o $@ $<' >Makefile
rm -f ./*.o lib.a
"$tracer" -f -k --write-trace=../build.trace -o /dev/null make -s -j2
"$tracer" --read-trace=../build.trace -k --wakers --format=html -o ../build.html
