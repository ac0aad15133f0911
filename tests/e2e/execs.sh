# SPDX-License-Identifier: LGPL-2.1-or-later
# --execs: the commands of a run as text and JSON, while tracing and from a trace. The printed
# commands run the same programs again.
. "$SRC/tests/lib.sh"
mkdir -p dir
here=$(pwd -P)
cat >script <<'EOF'
cd dir
export A="it's
two lines" B="$(printf '\001\377')"
exec 7</etc/group
env printf '%s|' 'a  b' '' '$HOME' "don't" 'back\slash' "$(printf '\t\377')" 'ünï' >out
unset B
python3 - <<'END'
import fcntl, os, socket, threading
a = os.open("/etc/passwd", os.O_RDONLY)                   # close-on-exec
os.dup2(a, 20)                                            # inherited
os.dup2(a, 21, inheritable=False)
b = fcntl.fcntl(a, fcntl.F_DUPFD, 22)                     # inherited
fcntl.fcntl(b, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
fcntl.fcntl(a, fcntl.F_DUPFD_CLOEXEC, 23)
os.set_inheritable(fcntl.fcntl(a, fcntl.F_DUPFD_CLOEXEC, 24), True)
pid = os.fork()
if not pid:
    os.execv("/bin/sh", ["other name", "-c", "exit 3"])
os.waitpid(pid, 0)
t = threading.Thread(target=lambda: os.execv("/bin/sh", ["sh", "-c", "kill -TERM $$"]))
t.start()
t.join()
END
exit 4
EOF
timeout 60 "$TRACER" -q -f --write-trace=trace --execs -o report sh script </dev/null
is "status" $? 4
"$TRACER" --read-trace=trace --execs -o read
is "the same from a trace" "$(<read)" "$(<report)"
is "the report is a script" "$(bash -n report 2>&1)" ""
is "directory, arguments" "$(grep -cF "(cd $here/dir && env $'A=it\\'s\\ntwo lines' $'B=\\001\\377' OLDPWD=$here PWD=$here/dir " report)" 1
is "quotes" "$(grep -oF "printf '%s|' 'a  b' '' '\$HOME' 'don'\\''t' 'back\\slash' \$'\\t\\377' ünï)" report | head -n 1 | wc -l)" 1
is "inherited descriptors" "$(grep -oE 'exited with 3; descriptors.*' report | grep -oE ' [0-9]+</etc/[a-z]+>' | tr -d '\n')" \
	" 7</etc/group> 20</etc/passwd> 24</etc/passwd>"
is "another name" "$(grep -cF "bash -c 'exec -a \"\$0\" \"\$@\"' 'other name' /bin/sh -c 'exit 3')" report)" 1
is "a thread executes a program" "$(grep -B 1 'kill -TERM' report | grep -oE '^ +#|killed by SIGTERM' | tail -n 2 | tr -s ' ' | tr '\n' ' ')" " # killed by SIGTERM "
is "the first command" "$(head -n 1 report | grep -oE ' s, exited with [0-9]+')" " s, exited with 4"

# Each printed command runs the same program with the same arguments in the same directory.
"$TRACER" --read-trace=trace --execs=first --format=json -o json
cat >again.py <<'EOF'
import json, subprocess, sys
same = ("path", "directory", "argv")
runs = bad = 0
for line in open("json"):
    command = json.loads(line)
    subprocess.run([sys.argv[1], "-q", "-f", "--execs", "--format=json", "-o", "again", "bash", "-c", command["shell"]],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    found = [c for c in map(json.loads, open("again"))
             if c["path"] == command["path"] and c["directory"] == command["directory"]
             and c["argv"][1:] == command["argv"][1:]]
    runs += 1
    if not found:
        bad += 1
        print(command["shell"])
print(runs > 5, bad)
EOF
is "the commands run again" "$(python3 again.py "$TRACER")" "True 0"
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "the schema describes the commands" \
		"$("$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" json | sed 's/[0-9]* lines/lines/')" "lines, 0 bad"
else
	skip "the schema describes the commands" "python3-jsonschema is missing"
fi

# The commands of a build with make.
if make --version >/dev/null 2>&1; then
	printf 'export GREET = hello world\nall: a b\n%%:\n\t@cd dir && X=1 sh -c "echo $$GREET $@" >$@.out\n' >makefile
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS timeout 60 "$TRACER" -q -f --execs -o build make -j2 -f makefile
	is "make -j2: inner commands" "$(grep -cE "^    \(cd $here/dir && env .*X=1 .*sh -c 'echo hello world [ab]'\)" build)" 2
else
	skip "make -j2" "make is missing"
fi

# If a string is longer than a trace can record, the command is printed as a comment.
timeout 60 "$TRACER" -q --execs -o long true "$(printf '%20000d' 0)"
is "a long argument" "$(sed -n 2p long | cut -c 1-33)" "# (not all arguments are known): "
timeout 60 "$TRACER" -q --execs -o long env "LONG=$(printf '%20000d' 0)" true
is "a long variable" "$(grep -c 'not all changes of the environment are known' long)" 1

can_bpf || exit 0
for engine in ptrace bpf; do
	env -i PATH="$PATH" timeout 60 "$TRACER" -q -f --engine=$engine --execs -o $engine sh -c \
		'cd dir; A=1 env true; exec 7</etc/group; env false; unset PATH; exec /bin/echo "a  b"' </dev/null >/dev/null
done
masked() { sed -E 's/# [0-9]+: [0-9.]+ s/# PID: TIME/' "$1"; }
is "both engines report the same" "$(masked bpf)" "$(masked ptrace)"
is "with all commands" "$(grep -c '^ *(cd ' bpf)" 6
timeout 60 "$TRACER" --engine=bpf -q --write-trace=bpf_trace true "$(printf '%0300d' 0)"
is "a BPF recording contains long arguments" "$("$TRACER" --read-trace=bpf_trace --execs | grep -cE '/true 0{300}\)$')" 1
