# SPDX-License-Identifier: LGPL-2.1-or-later
# Symbols, source files, programs, threads and open files whose names contain control characters,
# newlines and bytes that are not UTF-8. No output may pass such bytes to a terminal, or let a
# newline in a name begin a new line.
. "$SRC/tests/lib.sh"
program hostile_names
command -v objcopy >/dev/null || {
	skip "hostile names" "no objcopy here"
	exit
}
evil=$'\e[2J\a\n > forged()\n12 forged(\xff\xc2\x9b) = 0'
app="app$evil"
file="file$evil"
objcopy --redefine-sym forge_me="symbol$evil" "$WORK/bin/hostile_names" "$app"

# harm LOG: prints the lines of a log that could do harm.
harm() {
	python3 - "$1" <<-'EOP'
		import sys, unicodedata
		data = open(sys.argv[1], "rb").read()
		try:
		    text = data.decode()
		except UnicodeDecodeError as e:
		    sys.exit(print(e))
		if not text:
		    print("nothing was written")
		for number, line in enumerate(text.split("\n"), 1):
		    if any(unicodedata.category(c) == "Cc" and c != "\t" for c in line):
		        print(f"line {number}: control characters: {line!r}")
		    if line.startswith((" > forged", "12 forged", "foo")):
		        print(f"line {number} is forged: {line!r}")
	EOP
}

check() { # check NAME OPTIONS...: checks the log that is written with these options
	local name=$1

	shift
	rm -f log log.* "$file"
	timeout 60 "$TRACER" "$@" "./$app" "$file" 2>stderr </dev/null
	is "$name: status" "$?" 0
	cat log.* >>log 2>/dev/null
	is "$name: the log" "$(harm log | head -n 5)" ""
	# The letters of the names must still be shown.
	[ "$name" != html ] || return # in a page they are compressed; make check-html checks them
	like "$name: the names are shown" "$(cat log)" "(symbol|file|app|[pt].{1,5}\[2J)"
}

check text -f -o log -e trace=getppid,lseek,openat,prctl
check -k -k -f -o log
check -kk -kk -f -o log
check "a log each" -k -ff -o log
check -y -y -f -o log
check -yy -yy -f -o log
check -Y -Y -f -o log -e trace=getppid,lseek,tgkill,prctl,openat
check "a stack a line" -k --stack-trace-style=line -f -o log
check json -kk -y -f --format=json -o log
check chrome -kk -f --format=chrome -o log
check folded -k -f --format=folded -o log
check flamegraph -k -f --format=flamegraph -o log
check html -kk -f --format=html -o log
for by in stack thread process path; do
	check "--summary-by=$by" -c -y -f --summary-by=$by -o log
done
check "-d" -d -k -f -o log
is "-d: stderr" "$(harm stderr | head -n 5)" ""
