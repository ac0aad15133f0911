# SPDX-License-Identifier: LGPL-2.1-or-later
# --where selects the same events live and from a trace, in every format.
. "$SRC/tests/lib.sh"

mkdir dir
printf 'hello\n' >dir/file
cat >script <<-'EOS'
	cd dir
	cat file nosuch >/dev/null 2>&1
	: >new
	kill -CHLD $$
EOS

# both NAME EXPRESSION [OPTION...]: checks that the live output and the output from the trace are
# equal. Leaves the output in the file `live`.
both() {
	local name=$1 where=$2

	shift 2
	timeout 60 "$TRACER" -f --write-trace=trace --where="$where" "$@" -o live sh script 2>err
	is "$name: status" "$?:$(<err)" 0:
	timeout 60 "$TRACER" --read-trace=trace -f --where="$where" "$@" -o read 2>err
	is "$name: status of reading" "$?:$(<err)" 0:
	same "$name: a trace shows the same" read live
}

# shown NAME REGEX COUNT: checks how many lines of the file live match.
shown() { is "$1" "$(grep -cE -e "$2" live)" "$3"; }

both "a file by its absolute path" "path == '$PWD/dir/fi*'" -qqq -e signal=none
shown "the call that opens it" '^[0-9]+ +open(at)?\(.*"file"' 1
shown "its descriptor is not shown as with -y" '<' 0
both "flags" 'flags has O_CREAT' -qqq -e signal=none
shown "two calls create a file" 'O_CREAT' 2
is "no other call is shown" "$(grep -vc O_CREAT live)" 0
both "an error" 'error == ENOENT && class == file' -qqq --format=json
is "JSON has these calls alone" "$(grep '"type":"syscall"' live | grep -vc '"error":"ENOENT"')" 0
both "a result" 'bytes == 6 && name in {read, copy_file_range, splice, sendfile}' -qqq -e signal=none
shown "the call that moves six bytes" ' = 6$' "$(grep -c . live)"
both "signals" 'signal == SIGCHLD' -qqq
shown "signals alone" '--- SIGCHLD' "$(grep -c . live)"
both "a summary" 'name == openat' -c -w -U calls,errors,name -q
both "with the other filters" 'name == openat' -Z -e trace=%file -qqq -e signal=none
is "&& of two conditions" "$(grep -vc ' = -1 ' live)" 0
both "the process" 'comm == "cat" && pid > 0' -qqq -e signal=none -Y
is "comm ==" "$(grep -vc '<cat>' live)" 0
both "details of -y are what -y shows" "path == '$PWD/dir/file'" -y -qqq -e signal=none
shown "a path" "<$PWD/dir/file>" "$(grep -c "<$PWD/dir/file>" live)"

timeout 60 "$TRACER" --where='name == openat' --where='error' -qqq -o log sh script
is "two --where are joined by and" "$(grep -vc '^openat.* = -1 ' log)" 0
timeout 60 "$TRACER" -k --where='stack =~ "openat|open"' -qqq -e signal=none -o log cat dir/file >/dev/null
like "a condition on the stack" "$(<log)" 'open.*dir/file'
timeout 60 "$TRACER" -d --where='name == gettid && name == getpid' -o log true 2>err
like "-d lists the syscall numbers that --where selects" "$(<err)" '--where: 0 of 1024 syscall numbers'
timeout 60 "$TRACER" -f --seccomp-bpf --where='name == openat' -qqq -e signal=none -o log sh script
is "--where with --seccomp-bpf uses a filter" "$?:$(grep -vc 'openat(' log)" 0:0
timeout 60 "$TRACER" --where='statbuf.st_size == 6' -o log true 2>err
is "members of structs are available without -v" "$?:$(<err)" 0:

# The fields exe and cgroup, in live output and from a trace.
run='cat /etc/hosts; exec ls /'
cat=$(readlink -f "$(command -v cat)") ls=$(readlink -f "$(command -v ls)")
timeout 60 "$TRACER" -q -f --write-trace=programs -o live -e trace=execve --where="exe == \"$cat\" || exe == \"$ls\"" sh -c "$run" >/dev/null
is "exe: the calls of two programs" "$(grep -o '"[^"]*/\(cat\|ls\|sh\)"' live | sort | tr -d '"' | sed 's,.*/,,' | tr '\n' ' ')" "cat ls "
"$TRACER" --read-trace=programs -e trace=execve --where="exe == \"$cat\" || exe == \"$ls\"" -o read
is "exe: the same from a trace" "$(<read)" "$(<live)"
group=$(sed -n 's/^0:://p' /proc/self/cgroup)
if [ -n "$group" ]; then
	timeout 60 "$TRACER" -q -f -e trace=exit_group --where="cgroup == \"$group\"" -o live true
	is "cgroup" "$(grep -c exit_group live)" 1
else
	skip "cgroup" "this machine has no cgroup v2"
fi
