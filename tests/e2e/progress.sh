# SPDX-License-Identifier: LGPL-2.1-or-later
# A long conversion of a trace shows its progress on the terminal, but not with -q.
. "$SRC/tests/lib.sh"

# With sanitizers, a tenth of the calls takes as long.
sanitized && calls=10000 || calls=100000
"$TRACER" -o /dev/null --write-trace=trace dd if=/dev/zero of=/dev/null bs=1 count=$calls 2>/dev/null
# convert OPTIONS...: prints what tracer writes to the terminal during a conversion. To make the conversion
# long, tracer is stopped for more than a second.
convert() {
	python3 - "$TRACER" --read-trace=trace --format=json -o log "$@" <<-'EOP'
		import os, pty, signal, sys, time
		pid, fd = pty.fork()
		if not pid:
		    os.execv(sys.argv[1], sys.argv[1:])
		while not os.path.exists("log"):
		    time.sleep(0.01)
		os.kill(pid, signal.SIGSTOP)
		time.sleep(1.3)
		os.kill(pid, signal.SIGCONT)
		seen = b""
		try:
		    while data := os.read(fd, 4096):
		        seen += data
		except OSError:
		    pass
		print(repr(seen), os.waitpid(pid, 0)[1])
	EOP
	rm -f log
}
like "the progress of a conversion" "$(convert)" "^b'.r[0-9]+ events, [0-9]+/s, [0-9]+% read, [0-9.]+ [KM]?i?B.x1b\[K.*.r.x1b\[K' 0$"
is "-q: no progress" "$(convert -q)" "b'' 0"
