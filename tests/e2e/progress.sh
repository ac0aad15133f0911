# SPDX-License-Identifier: LGPL-2.1-or-later
# A long conversion of a trace shows its progress on the terminal, but not with -q.
. "$SRC/tests/lib.sh"

"$TRACER" -o /dev/null --write-trace=trace dd if=/dev/zero of=/dev/null bs=1 count=10000 2>/dev/null
# convert OPTIONS...: prints what tracer writes to the terminal during a conversion. The conversion takes more than a second,
# because nobody reads its output during that time.
convert() {
	rm -f log
	mkfifo log
	python3 - "$TRACER" --read-trace=trace --format=json -o log "$@" <<-'EOP'
		import os, pty, sys, time
		pid, fd = pty.fork()
		if not pid:
		    os.execv(sys.argv[1], sys.argv[1:])
		with open("log", "rb", 0) as log:
		    time.sleep(1.3)
		    while log.read(65536):
		        pass
		seen = b""
		try:
		    while data := os.read(fd, 4096):
		        seen += data
		except OSError:
		    pass
		print(repr(seen), os.waitpid(pid, 0)[1])
	EOP
}
like "the progress of a conversion" "$(convert)" "^b'.r[0-9]+ events, [0-9]+/s, [0-9]+% read, [0-9.]+ [KM]?i?B.x1b\[K.*.r.x1b\[K' 0$"
is "-q: no progress" "$(convert -q)" "b'' 0"
