# SPDX-License-Identifier: LGPL-2.1-or-later
# --learn: a policy allows the run from which it was made, and refuses other calls.
. "$SRC/tests/lib.sh"
program learn || exit
mkdir dir
here=$(pwd -P)
run='cat /etc/hostname >out; mkdir new; echo x >new/file; rm -r new; echo y >>old; sort out | head -n 1 >/dev/null; read -r line <out'
echo z >old

# allowed: prints the names in a profile, without a JSON parser.
allowed() { sed -n 's/.*{"names": \[\([^]]*\)\].*/\1/p' profile | tr -d '" ' | tr , '\n'; }

timeout 60 "$TRACER" -f --learn=seccomp --write-trace=trace -o profile sh -c "$run" 2>stderr
is "seccomp: status" $? 0
is "seccomp: execve is allowed, mount is not" "$(allowed | grep -x -e execve -e mount)" execve
is "seccomp: each name once" "$(allowed | sort | uniq -d)" ""
is "seccomp: programs that made a call" "$(grep -c '"names": \["unlinkat"\].*"comment": "rm' profile)" 1
if python3 -c '' 2>/dev/null; then
	is "seccomp: JSON" "$(python3 -c 'import json; p = json.load(open("profile")); print(p["defaultAction"], p["syscalls"][-1]["action"])')" \
		"SCMP_ACT_ERRNO SCMP_ACT_ALLOW"
fi
rm -f out
echo z >old
allowed | "$WORK/bin/learn" sh -c "$run" 2>errors
status=$?
if [ "$status" -eq 77 ]; then
	skip "seccomp: the same run" "there is no libseccomp"
else
	is "seccomp: the same run succeeds" "$status $(<old) $(<errors)" "0 z
y "
	allowed | "$WORK/bin/learn" sh -c 'ln -s here link' 2>errors
	is "seccomp: another call fails" "$(ls link 2>/dev/null) $(grep -c 'not permitted' errors)" " 1"
fi
"$TRACER" --read-trace=trace --learn=seccomp -o read
is "the same from a trace" "$(sed 's/: [^"]*"}/"}/' read)" "$(sed 's/: [^"]*"}/"}/' profile)"

rm -f out
timeout 60 "$TRACER" -f --learn=systemd -o unit sh -c "$run" 2>stderr
is "systemd: files and folders to write" "$(sed -n 's/^ReadWritePaths=//p' unit)" "\"$here\""
is "systemd: no sockets" "$(grep ^RestrictAddressFamilies unit)" "RestrictAddressFamilies=none"
is "systemd: the same calls" \
	"$(sed -n 's/^SystemCallFilter=//p' unit | tr ' ' '\n' | sort)" "$(allowed | sort)"
timeout 60 "$TRACER" -f --learn=systemd -o unit sh -c 'echo z >>old' 2>stderr
is "systemd: a file that exists" "$(sed -n 's/^ReadWritePaths=//p' unit)" "\"$here/old\""
if python3 -c '' 2>/dev/null; then
	timeout 60 "$TRACER" -f --learn=systemd -o unit python3 -c 'import socket; socket.socket(socket.AF_UNIX); socket.socket(socket.AF_INET)' 2>stderr
	is "systemd: sockets" "$(sed -n 's/^RestrictAddressFamilies=//p' unit | tr '\n' ' ')" "AF_INET AF_UNIX "
fi
if systemd-analyze --version >/dev/null 2>&1; then
	{
		cat unit
		echo ExecStart=/bin/true
	} >learn.service
	is "systemd-analyze accepts it" "$(systemd-analyze verify ./learn.service 2>&1 | grep learn.service)" ""
else
	skip "systemd-analyze" "there is no systemd"
fi
