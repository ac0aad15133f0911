# SPDX-License-Identifier: LGPL-2.1-or-later
# --fail-on, --stop-on and --report, live and with a trace.
. "$SRC/tests/lib.sh"

run() { timeout 60 "$TRACER" "$@" 2>err >out; echo $?; }
null='path == "/dev/null" && name in {open, openat}'

is "nothing matches: the command's status" "$(run -f -o log --fail-on='error == EBADF && name == dup' sh -c 'exit 7')" 7
is "nothing matches: no message" "$(<err)" ''
is "a match: status 120" "$(run -f -o log --fail-on="no null: $null" sh -c ': </dev/null; : </dev/null; exit 7')" 120
like "the message has the name and the count" "$(<err)" '--fail-on: no null: 2 events match, the first is:'
like "the message has the first call" "$(<err)" 'open[a-z]*\([^)]*"/dev/null"'
like "the message has the call's stack" "$(<err)" $'\n[^\n]* > [^\n]*open'
like "the message tells how the command ended" "$(<err)" 'the command exited with 7'
is "the log has no stacks" "$(grep -c '^ >' log)" 0

is "calls that are not shown are watched" "$(run -f -e trace=none -e signal=none -o log --fail-on="$null" sh -c ': </dev/null')" 120
is "calls that are watched stay hidden" "$(grep -c open log)" 0
is "calls hidden by --where are watched" "$(run -f --where='name == close' -o log --fail-on="$null" sh -c ': </dev/null'):$(grep -c open log)" 120:0
is "calls are watched with --seccomp-bpf" "$(run -f --seccomp-bpf -e trace=close -o log --fail-on="$null" sh -c ': </dev/null'):$(grep -c open log)" 120:0
is "calls are watched with --write-trace" "$(run -f --write-trace=trace --fail-on="$null" sh -c ': </dev/null')" 120
is "--fail-on with a trace" "$(run --read-trace=trace -f -o log --fail-on="$null")" 120
is "--fail-on with a trace without a match" "$(run --read-trace=trace -f -o log --fail-on='name == dup')" 0
is "--fail-on with a signal" "$(run -f -o log --fail-on='signal == SIGUSR1' -e signal=none sh -c 'trap : USR1; kill -USR1 $$'):$(grep -c -e '--- SIGUSR1' log)" 120:0
like "the message names the signal" "$(<err)" '\[pid [0-9]+\] --- SIGUSR1 ---'

: >'a&<b'
is "--report=junit: status" "$(run -f -o log --report=junit:report.xml --fail-on='a: path == "**/a&<b"' --fail-on='b: name == dup' cat 'a&<b')" 120
if python3 -c '' 2>/dev/null; then
	is "--report=junit: the report is XML" "$(python3 - 2>&1 <<-'EOS'
	import xml.dom.minidom as m
	suite = m.parse("report.xml").documentElement
	print(*(suite.getAttribute(a) for a in ("tests", "failures", "errors")))
	for t in suite.getElementsByTagName("testcase"):
	    text = "".join(n.firstChild.data for n in t.getElementsByTagName("failure"))
	    print(t.getAttribute("name"), '"a&<b"' in text, "libc" in text)
	EOS
	)" $'2 1 0\na True True\nb False False'
else
	skip "--report=junit: the report is XML" "python3 is missing"
fi
rm -f report.xml
run -o log --report=junit:report.xml --report=github --fail-on='a: name == execve' true >/dev/null
is "--report twice: both reports" "$(grep -c '<testcase' report.xml) $(grep -c '^::error' out)" "1 1"
rm -f report.xml
run -o log --report=github --report=junit:report.xml --fail-on='a: name == execve' true >/dev/null
is "--report twice, in the other order" "$(grep -c '<testcase' report.xml) $(grep -c '^::error' out)" "1 1"
is "a report that cannot be written: status" "$(run -o log --report=junit:/nosuch/file --fail-on='name == dup' touch started)" 1
is "a report that cannot be written: the command is not started" "$(ls started 2>/dev/null)" ''
is "--report=github: status" "$(run -f -o log --report=github --fail-on='a-b: name == dup' --fail-on="$null" sh -c ': </dev/null')" 120
like "--report=github: an annotation" "$(<out)" '^::error title=path == "/dev/null" && name in \{open%2C openat\}::\[pid [0-9]+\] open.*%0A >'
is "--report=github: one line per expression" "$(grep -c . out)" 1

is "--stop-on detaches" "$(run -f -o log --stop-on="$null" sh -c ': </dev/null; : </dev/zero')" 0
is "--stop-on: nothing after the call is shown" "$(grep -c 'open.*/dev/null' log):$(grep -c 'open.*/dev/zero' log)" 1:0
is "--stop-on with --last: status" "$(run -f -o log --last=2 --stop-on="$null" sh -c ': </dev/null; : </dev/zero')" 0
is "--stop-on with --last: the last event is the call that matched" "$(grep -c 'open.*/dev/null' log):$(grep -c 'open.*/dev/zero' log)" 1:0

is "--report needs --fail-on" "$(run --report=github --stop-on='name == dup' true)" 1
like "--report without --fail-on: the message" "$(<err)" '--report requires --fail-on'
is "--snapshot with --fail-on is refused" "$(run --snapshot -p $$ --fail-on='name == dup')" 1
like "--snapshot with --fail-on: the message" "$(<err)" '--snapshot and --fail-on are mutually exclusive'
