# SPDX-License-Identifier: LGPL-2.1-or-later
# --write-trace and --read-trace: what is read is what was shown while it was recorded, byte by byte.
. "$(dirname "$0")/../lib.sh"
here=$(pwd -P) # as the kernel tells paths

# both NAME OPTIONS COMMAND...: shows and records at once, reads with the same options, and compares.
both() {
	local name=$1 options=$2 f status

	shift 2
	rm -f live* read* trace
	# shellcheck disable=SC2086
	timeout 100 "$TRACER" -f $options -o live --write-trace=trace "$@" >out 2>err </dev/null
	status=$?
	# shellcheck disable=SC2086
	timeout 100 "$TRACER" -f $options -o read --read-trace=trace >out2 2>err2 </dev/null ||
		echo "status $? of reading" >>err2
	for f in live*; do
		cmp "$f" "read${f#live}" >>err2 2>&1 || diff "$f" "read${f#live}" | head -n 6 >>err2
	done
	[ -s live ] || [ -n "$(echo live.*)" ] || echo "nothing was shown" >>err2
	grep -vE 'Process [0-9]+ (attached|detached)' err2 >wrong
	if [ -s wrong ] || [ $status -ne 0 ]; then
		not_ok "$name $options"
		head -n 20 err wrong | cut -c 1-400 | sed 's/^/# /'
	else
		ok "$name $options"
	fi
}

# Not wc: newer ones have a buffer on their stack that is larger than what is recorded of a raw one.
script='trap : USR1; mkdir d; cd d; echo x >a; mv a b; rm b; cd ..; rmdir d; ls / | cat; (exit 3); kill -USR1 $$; sleep 0.01 & wait'
built_with source-lines && kk=-kk || kk=-k
sets=("" "-v -s 200 -yy" "-Y --decode-pids=pidns -ttt -T" "--format=json -yy -v" "-ff -y -tt" "-C -w"
	"-Xraw -xx -n" "-Xverbose -N -i" "-e raw=all -r" "-P /etc/ld.so.cache -y" "-e trace=%file -Z"
	"-k" "$kk --stack-trace-style=line" "--format=json -k" "--format=folded" "-e stack=/main/"
	"-c --summary-by=stack" "--format=chrome" "-c -S calls" "-e read=all -e write=all -e abbrev=none" "-e verbose=none -qq")
for options in "${sets[@]}"; do
	both bash "$options" bash -c "$script"
done

cat >main.c <<'C'
int main(void) { return 0; }
C
have() { command -v "$1" >/dev/null || { skip "$1" "$1 is not installed"; return 1; }; }
for options in "" "-v -s 200 -yy" "--format=json -Y" "-k"; do
	have python3 && both python3 "$options" python3 -c 'import json, subprocess; subprocess.run("true")'
	if $CC -c -o main.o main.c; then
		both cc "$options" $CC -c -o main.o main.c
	else
		skip "cc $options" "there is no compiler"
	fi
	have git && both git "$options" git -c user.name=a -c user.email=a@b init -q repository
	have node && both node "$options" node -e 'require("fs").statSync("/"); setTimeout(() => {}, 10)'
	have java && both java "$options" java -version
	rm -rf repository
done

# alone OPTIONS COMMAND: runs it under tracer in the environment of the tests whose log is known
alone() {
	echo "timeout 60 ./tracer $1 $2" >script
	# The shell prints a message about a signal that ends the program.
	(env -i PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC "ASAN_OPTIONS=${ASAN_OPTIONS-}" \
		sh ./script >out 2>err </dev/null) 2>/dev/null
}

# masked: the log in the form of the tests whose log is known
masked() {
	for f in $(ls -v log.[0-9]* 2>/dev/null); do
		[ ! -s log ] || echo "=== next"
		cat "$f"
	done >>log
	tac log | sed '/syscall_0xbeef/,$d' | tac | sed "s,$PWD,DIR,g" | "$SRC/tests/mask"
}

# Recorded without any options, and read with those of a test whose log is known.
later() {
	local name=$1 options=-f args="" follow="" f

	[ ! -f "$SRC/tests/e2e/$name.sh" ] || return

	if [ -f "$SRC/tests/e2e/$name.args" ]; then
		options=$(<"$SRC/tests/e2e/$name.args")
		[[ $options == *" -- "* ]] && args=${options#* -- } && options=${options%% -- *}
	fi
	# Injected faults are not in a recording, and dumps only if they were asked for.
	[[ $options != *inject* && $options != *read=* && $options != *-k* ]] || return
	[[ " $options " == *" -f"* ]] && follow=-f
	program "$name" >cc-out 2>&1 || return
	mkdir later && cd later || return
	ln -s "$WORK/bin/$name" "$name"
	ln -s "$TRACER" tracer
	alone "$follow --write-trace=trace" "./$name $args"
	# shellcheck disable=SC2086
	./tracer -o log $options --read-trace=trace >out2 2>err2
	masked >got
	if [ "$(uname -m)" = x86_64 ] && [ -z "${PREBUILT-}" ]; then
		grep -vE '^(stderr|status): ' "$SRC/tests/e2e/$name.expect" >want
	else # The known log is one of x86_64 and a C library. Here it is what is shown at once.
		find . -mindepth 1 ! -name "$name" ! -name tracer ! -name got -delete
		alone "-o log $options" "./$name $args"
		masked >want
		# A trace may have calls that this machine does not have.
		if grep -q 'invalid system call' err; then
			skip "recorded without options: $name $options" "it names a call that this machine does not have"
			cd .. && rm -rf later
			return
		fi
	fi
	same "recorded without options: $name $options" got want
	cd .. && rm -rf later
}
for f in "$SRC"/tests/e2e/*.expect; do
	later "$(basename "$f" .expect)"
done

# A trace can be written to a pipe, and read from one.
timeout 100 "$TRACER" -f -o live --write-trace='|cat >piped' bash -c "$script" >out 2>&1 </dev/null
timeout 100 "$TRACER" -o read --read-trace=- <piped
is pipe "$? $(cmp live read 2>&1)" "0 "

# A run that is only recorded prints nothing, and its status is the command's.
timeout 100 "$TRACER" -f --write-trace=trace sh -c 'exit 7' >out 2>err
like alone "$? $(cat out err)" "^7 [^ ]+: wrote [0-9]+ calls of 1 process, [0-9]+ (bytes|kB), to 'trace'\$"
timeout 100 "$TRACER" -q -f --write-trace=trace sh -c 'exit 7' >out 2>err
is "alone, with -q" "$? $(cat out err)" "7 "
is --info "$("$TRACER" --read-trace=trace --info | grep -E '^(command|processes|stacks|lost)' | tr -s ' \n' ' ')" \
	"command sh -c exit 7 processes 1 stacks none: record with -k lost 0 "
like "--info: when" "$("$TRACER" --read-trace=trace --info)" "recorded +$(date -u +%Y-%m-)"
is summary "$("$TRACER" -c --read-trace=trace 2>&1 | grep -c ' execve$')" 1

# A part of the time, in another time zone.
timeout 100 "$TRACER" -o live -ttt --write-trace=trace sleep 0.1
"$TRACER" -o read -ttt --read-trace=trace --from="$(sed -n '/nanosleep/s/ .*//p' live)"
is --from "$(sed -n '/nanosleep/,$p' live)" "$(cat read)"
"$TRACER" -o read -ttt --read-trace=trace --from=+0.0 --to="$(sed -n '/nanosleep/s/ .*//p' live)"
is --to "$(sed '/nanosleep/,$d' live)" "$(sed '/<detached/d' read)"
"$TRACER" -o read -t -e trace=execve --read-trace=trace --timezone=XYZ-7
is --timezone "$(TZ=XYZ-7 date -d "@$(head -n 1 live | cut -d . -f 1)" +%T)" "$(head -n 1 read | cut -d ' ' -f 1)"

# Several traces are merged by time, and their threads told apart.
timeout 100 "$TRACER" -f -y -ttt -o live --write-trace=trace sh -c 'sleep 0.2 & sleep 0.1; wait'
timeout 100 "$TRACER" -f -y -ttt -o live2 --write-trace=trace2 sh -c 'ls / >d; exit 3'
"$TRACER" -y -ttt -o read --read-trace=trace --read-trace=trace2
is "several: order" "$(cut -d ' ' -f 2 read)" "$(cut -d ' ' -f 2 read | sort -n)"
# The clocks of several traces are brought together, which may change the last digit of a time.
untimed() { sed -E 's/^([0-9]+) +[0-9.]+ /\1 /; s/ +/ /g' "$@"; }
is "several: the first" "$(grep -vE '^1[0-9]{7} ' read | untimed)" "$(untimed live)"
is "several: the second" "$(sed -nE 's/^1([0-9]{7}) /\1 /p' read | sed -E 's/^0*//' | untimed)" "$(untimed live2)"
"$TRACER" -y -f -o read --read-trace=trace2 --read-trace=trace
is "several: -y" "$(grep -c '(.*</' read)" "$(cat live live2 | grep -c '(.*</')"

# A reader that knows nothing but doc/trace-format.md finds the same calls.
if have python3 && have zstd; then
	timeout 100 "$TRACER" -f --write-trace=trace bash -c "$script" >out 2>&1 </dev/null
	"$TRACER" --read-trace=trace -ff -o one -e trace=!exit_group,rt_sigreturn,restart_syscall -e signal=none
	python3 "$SRC/examples/read_trace.py" --calls trace >calls
	is "examples/read_trace.py" "$(grep -cvE '^[0-9.]+ [0-9]+ (231|15|219)\(' calls)" \
		"$(cat one.* | grep -cE ' = (-?[0-9]|0x|\?)')"
	like "examples/read_trace.py: META" "$(python3 "$SRC/examples/read_trace.py" trace)" "command: bash"
	rm -f one.*
fi

# Stacks are named when they are read, by the files that are there then.
program trace && cp "$WORK/bin/trace" stacks && timeout 100 "$TRACER" -k --write-trace=trace ./stacks
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: names" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\).* > [^ ]*stacks\(outer\+0x[0-9a-f]+\).* > [^ ]*stacks\(main"
"$TRACER" -kk -e trace=getppid --read-trace=trace -o log
built_with source-lines && lines=' \[0x[0-9a-f]+\] [^ ]*trace.c:[0-9]+' || lines=
like "stacks: names, with lines if it is built with libdw" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\)$lines"
"$TRACER" --read-trace=trace --symbolize=named
"$TRACER" -kk --format=json --read-trace=trace -o json
mkdir -p "root$here" && mv stacks "root$here/stacks"
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: no file" "$(tr '\n' ' ' <log)" "stacks\(\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(\)"
"$TRACER" -kk -e trace=getppid --read-trace=named -o log
like "--symbolize: names and lines without the file" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\)$lines"
"$TRACER" -k -e trace=getppid --read-trace=named -o log
like "--symbolize: -k" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(outer\+0x"
"$TRACER" -kk --format=json --read-trace=named -o json2
is "--symbolize: JSON" "$(sed 's/"build_id":"[0-9a-f]*",//g' json2 | cmp - <(sed 's/"build_id":"[0-9a-f]*",//g' json) 2>&1)" ""
"$TRACER" --read-trace=trace --symbolize=named --sysroot="$here/root"
"$TRACER" -k -e trace=getppid --read-trace=named -o log
like "--symbolize --sysroot" "$(tr '\n' ' ' <log)" "stacks\(inner\+0x"
"$TRACER" -o whole -ttt --read-trace=trace && "$TRACER" -o read -ttt --read-trace=named
is "--symbolize: the rest is the same" "$(cmp whole read 2>&1)" ""
"$TRACER" -k -e trace=getppid --read-trace=trace -o log --sysroot="$here/root"
like --sysroot "$(tr '\n' ' ' <log)" "stacks\(inner\+0x[0-9a-f]+\).* > [^ ]*stacks\(outer\+0x"
program diff && cp "$WORK/bin/diff" stacks
"$TRACER" -k -e trace=getppid --read-trace=trace -o log
like "stacks: another file" "$(tr '\n' ' ' <log)" "stacks\(\) \[0x[0-9a-f]+\]  > [^ ]*stacks\(\)"
timeout 100 "$TRACER" -f --write-trace=trace sh -c 'exit 7' >out 2>err
"$TRACER" -o read --read-trace=trace

# symbolize FROM TO: its status and what it said, but for what a build without libdw says, into said
symbolize() {
	"$TRACER" --read-trace="$1" --symbolize="$2" 2>err
	echo "$? $(sed '/--symbolize writes no source lines, as /d; s/^[^:]*: //' err)" >said
}

# The functions that make calls, in the trace TRACE, whose number does not depend on scheduling.
callers() {
	timeout 100 "$TRACER" -f -k -e trace=%file,getppid --read-trace="$1" -o callers
	sed -n 's/^ > \(.*\) \[0x[0-9a-f]*\]$/\1/p' callers | sort -u
}

# Stacks that are walked when a trace is read are the same as those walked at once.
raw() {
	local seen


	timeout 100 "$TRACER" -f -k -o live --write-trace=trace --record-stacks=raw "${@:2}" >out 2>err </dev/null
	timeout 100 "$TRACER" -f -k -o read --read-trace=trace 2>>err
	is "raw stacks: $1" "$(cmp live read 2>&1) $(grep -c ' > ' live | sed 's/^[0-9]\{2,\}$/many/')" " many"
	seen=$(callers trace)
	timeout 100 "$TRACER" -f --write-trace=trace --record-stacks=raw "${@:2}" >out 2>err </dev/null
	timeout 100 "$TRACER" -f -k -o read --read-trace=trace
	is "raw stacks, only recorded: $1" "$(callers trace)" "$seen"
}
cat >jit.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void on_signal(int sig) { getppid(); }
static int back(void) { return getppid(); }
int main(void)
{
	/* push %rax; call *%rdi; pop %rdx; ret */
	static const unsigned char code[] = {0x50, 0xff, 0xd7, 0x5a, 0xc3};
	char *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;

	memcpy(at + 64, code, sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	fprintf(f, "%lx 40 made\n", (long)(at + 64));
	fclose(f);
	((int (*)(int (*)(void)))(at + 64))(back);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	munmap(at, 4096);
	getppid();
	unlink(name);
	return 0;
}
C
raw bash bash -c "$script"
if [ "$(uname -m)" = x86_64 ] && $CC -O1 -o jit jit.c; then
	raw "a JIT" ./jit
	like "raw stacks: the JIT's names" "$(cat read)" "\(made\+0x"
fi
timeout 100 "$TRACER" --write-trace=trace --record-stacks=raw --stack-size=64 sh -c : 2>err
"$TRACER" -k -o read --read-trace=trace
like "raw stacks: --stack-size" "$(cat read)" "> the copy of the stack ends"
symbolize trace named
like "raw stacks: --symbolize, of what ends early" "$(cat said)" "^0 [0-9]+ of [0-9]+ stacks stay raw: they could not be walked to their end by the files that are here\$"
"$TRACER" -k -o read2 --read-trace=named
is "raw stacks: --symbolize, of what ends early, is as before" "$(cmp read read2 2>&1)" ""

# --symbolize makes frames of raw stacks as far as their files are here, and goes on where there are more.
cp "$WORK/bin/trace" stacks
timeout 100 "$TRACER" -f --write-trace=trace --record-stacks=raw sh -c './stacks; exit 0'
"$TRACER" -f -k -o read --read-trace=trace
"$TRACER" -f -kk --format=json -o json --read-trace=trace
mkdir -p "root$here" && mv stacks "root$here/stacks"
symbolize trace some
like "raw stacks: --symbolize without a file" "$(cat said)" "^0 [0-9]+ of [0-9]+ stacks stay raw"
mv "root$here/stacks" stacks
"$TRACER" -f -k -o with --read-trace=some
is "raw stacks: what stays raw is walked where the file is" "$(cmp read with 2>&1)" ""
symbolize some named
is "raw stacks: --symbolize once more says nothing" "$(cat said)" "0 "
"$TRACER" --read-trace=trace --symbolize=named2
mv stacks "root$here/stacks"
for made in named named2; do
	"$TRACER" -f -k -o read2 --read-trace=$made
	is "raw stacks: $made has names without the file" "$(cmp read read2 2>&1)" ""
	"$TRACER" -f -kk --format=json -o json2 --read-trace=$made
	is "raw stacks: $made in JSON" "$(sed 's/"build_id":"[0-9a-f]*",//g' json2 | cmp - <(sed 's/"build_id":"[0-9a-f]*",//g' json) 2>&1)" ""
done
if have python3 && have zstd; then
	is "raw stacks: no raw stack is left" \
		"$(for t in trace some named; do python3 "$SRC/examples/read_trace.py" $t | grep -c raw-stacks; done | tr '\n' ' ')" \
		"1 1 0 "
fi

# What is on a stack, and no address, is not recorded.
cat >secret.c <<'C'
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int use(char *word) { return getppid() + word[3]; }
int main(void)
{
	char word[64];
	for (int i = 0; i < 63; i++)
		word[i] = 'A' + i % 7;
	word[63] = 0;
	return use(word) < 0;
}
C
if ! $CC -O0 -o secret secret.c; then
	skip "raw stacks: among data" "there is no compiler"
else
	timeout 100 "$TRACER" --write-trace=trace --record-stacks=raw ./secret
	"$TRACER" -k -e trace=getppid -o log --read-trace=trace
	like "raw stacks: among data" "$(tr '\n' ' ' <log)" "secret\(use\+0x[0-9a-f]+\) .*secret\(main\+0x"
fi
if [ -x secret ] && have python3 && have zstd; then
	python3 - trace "$SRC/examples/read_trace.py" >bodies <<'P'
import sys
reader = {}
exec(open(sys.argv[2]).read().rpartition("\nmain()")[0], reader)
for _, _, _, body in reader["blocks"](open(sys.argv[1], "rb").read()):
    sys.stdout.buffer.write(body)
P
	is "raw stacks: data of the stack is not recorded" "$(grep -c FGABCDEFGABCDEFGABCDEFG bodies) $(grep -c /secret bodies | sed 's/^[1-9].*/some/')" "0 some"
fi

# A stack is recorded once for a call, whatever is shown at the same time.
timeout 100 "$TRACER" --write-trace=alone --record-stacks=raw sh -c :
timeout 100 "$TRACER" -o log --write-trace=shown --record-stacks=raw sh -c :
is "raw stacks: one a call" "$(("$(stat -c %s shown)" * 10 < "$(stat -c %s alone)" * 11))" 1

# What was done to calls is shown with them, and is done even if nothing is shown.
cat >tampered.sh <<'S'
trap : USR1
read -r line </etc/hostname
cd /tmp && cd /
ls / >/dev/null
umask 7
S
for inject in fault=%file:when=20+7 openat:error=ENOENT:when=4 umask:retval=7 read:poke_exit=@arg2=41:when=3+ \
	chdir:poke_enter=@arg1=2f612f6200:when=1 close:delay_exit=2000:when=2 fcntl:signal=USR1:when=1 \
	umask:retval=0:syscall=getpid; do
	[[ $inject == fault=* ]] || inject=inject=$inject
	timeout 100 "$TRACER" -f -e "$inject" -o live --write-trace=trace bash tampered.sh >out 2>err </dev/null
	"$TRACER" -f -o read --read-trace=trace 2>>err
	is "$inject: as live" "$(cmp live read 2>&1) $(grep -c Segm err)" " 0"
	like "$inject: was done" "$(cat live)" "INJECTED|DELAYED|SIGUSR1"
	timeout 100 "$TRACER" -f -e "$inject" --write-trace=trace bash tampered.sh >out 2>err </dev/null
	"$TRACER" -f -o read --read-trace=trace
	is "$inject: only recorded" "$(grep -oE '(INJECTED|DELAYED)[^=]*|SIGUSR1 ' read | sort | uniq -c)" \
		"$(grep -oE '(INJECTED|DELAYED)[^=]*|SIGUSR1 ' live | sort | uniq -c)"
done

# One line says what is wrong with a file, and what is whole of it is shown.
line() {
	timeout 20 "$TRACER" -o read --read-trace="$2" 2>err
	is "$1" "$? $(sed "s,^[^:]*: ,," err)" "1 $3"
}
: >empty
echo 'openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3' >text
line missing nosuch "nosuch: No such file or directory"
line empty empty "empty: not a trace of $(basename "$TRACER")"
line text text "text: not a trace of $(basename "$TRACER")"
line directory . ".: Is a directory"
size=$(stat -c %s trace)
head -c $((size - 1)) trace >cut
"$TRACER" -o whole --read-trace=trace
line cut cut "cut: 71 bytes are damaged or cut off, and the trace has no end"
is "cut: what is whole" "$(cmp read whole 2>&1)" ""

# If the recorder was killed, all is there but the last moments.
timeout 100 "$TRACER" --kill-on-exit --write-trace=killed dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
for ((i = 0; i < 600 && $(stat -c %s killed 2>/dev/null || echo 0) < 4000; i++)); do sleep 0.1; done
pkill -KILL -P $! && wait $! 2>/dev/null
timeout 100 "$TRACER" -qq -o read --read-trace=killed 2>err
is killed "$? $(sed -E 's,^[^:]*: ,,; s/[0-9]+ bytes/N bytes/; s/the trace was not ended.*/unended/; s/N bytes.*/unended/' err)" \
	"1 killed: unended"
is "killed: what is whole" "$(grep -cE '^(read|write)\(' read | sed 's/^[0-9]\{2,\}$/many/')" many

# The build id of what a frame is in is told though its file is not there to be read.
timeout 100 "$TRACER" -k -e trace=exit_group --format=json -o live --write-trace=trace true 2>err
mkdir -p nowhere
"$TRACER" -k -e trace=exit_group --format=json -o read --read-trace=trace --sysroot=nowhere 2>>err
is "build ids without files" "$(grep -o '"build_id":"[0-9a-f]*"' read)" "$(grep -o '"build_id":"[0-9a-f]*"' live)"

# One process of several: what -ff has of it.
rm -f all.* one.* trace
timeout 100 "$TRACER" -f --write-trace=trace bash -c 'true | (sleep 0.1; /bin/true); (exit 3)' 2>err
"$TRACER" -ff -ttt -y -o all --read-trace=trace 2>>err
for f in all.*; do
	"$TRACER" -ff -ttt -y -o one --read-trace=trace -p "${f#all.}" 2>>err
	cmp "$f" "one.${f#all.}" 2>&1
	ls one.* && rm one.*
done >found 2>&1
is "-p of a trace" "$(cat found)" "$(for f in all.*; do echo "one.${f#all.}"; done)"
"$TRACER" -o list --read-trace=trace -p "$(printf '%s,' all.* | sed 's/all\.//g')" 2>>err
"$TRACER" -o whole --read-trace=trace 2>>err
is "-p of all that are in a trace" "$(cmp list whole 2>&1)" ""

refused() {
	timeout 20 "$TRACER" "${@:2}" >out 2>err
	is "refused: ${*:2}" "$? $(sed "s,^[^:]*: ,," err | head -n 1)" "1 $1"
}
refused "--symbolize=trace: that is the trace itself" --read-trace=trace --symbolize=trace
refused "-k/--stack-trace: not possible with --symbolize" --read-trace=trace --symbolize=x -k
refused "-p/--attach: not possible with --symbolize" --read-trace=trace --symbolize=x -p 1
refused "PROG [ARGS]: not possible with --read-trace" --read-trace=trace true
refused "-k/--stack-trace: not possible with --read-trace" --read-trace=trace -k
refused "-e inject=, -e fault=: not possible with --read-trace" --read-trace=trace -e fault=read
refused "--from requires --read-trace=FILE" --from=+1 true
refused "--record-stacks requires --write-trace" --record-stacks=raw true
refused "--record-stacks: not possible with --read-trace" --read-trace=trace --record-stacks=raw
refused "invalid --record-stacks argument: 'x'" --write-trace=x --record-stacks=x true
refused "invalid --to argument: '1.x'" --read-trace=trace --to=1.x
refused "-b/--detach-on: not possible with --read-trace" --read-trace=trace -b execve
refused "-e read=: not possible with this trace: it was recorded without" --read-trace=trace -e read=3
