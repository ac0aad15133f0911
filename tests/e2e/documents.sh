#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs every tracer command of README.md and doc/cookbook.md in a small project. tracer must accept
# each command, and if its block in the document shows output, the command must print something.
. "$(dirname "$0")/../lib.sh"

if [ -n "${PREBUILT-}" ]; then
	skip documents "there is no compiler here"
	exit
fi
dir=$(mktemp -d "$WORK/documents.XXXXXX")
bank=
trap '[ -z "$bank" ] || kill -9 "$bank"; rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/src" "$dir/include"
ln -s "$TRACER" "$dir/bin/tracer"
cd "$dir" || exit

cat >app.c <<'END'
#include <fcntl.h>
#include <unistd.h>
static void load_config(void) { open("/no/such/file", O_RDONLY); open("/dev/null", O_RDONLY); }
int main(void) { for (int i = 0; i < 8; i++) load_config(); return fsync(0) && 0; }
END
cat >bank.c <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;
static void *transfer(void *from)
{
	pthread_mutex_lock(&locks[!from]);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&locks[!!from]);
	return 0;
}
int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&thread, 0, transfer, 0);
	alarm(300);
	transfer(locks);
}
END
printf 'all: ; @gcc -c t.c -o t.o; true\ntest: all\n' >Makefile
echo 'int t;' >t.c
printf '#include <stdlib.h>\nint part1;\n' >part1.c
printf '#include "foo.h"\nint d;\n' >d.c
touch include/foo.h src/file
$CC -g -o app app.c && cp app server && $CC -g -pthread -o bank bank.c || { not_ok "documents: compile"; exit; }
printf '#!/bin/sh\necho "$BANK"\n' >bin/pidof
# $CC may be called gcc itself, and may contain options. A compiler cache searches PATH for gcc, and
# must not find this script.
printf "#!/bin/sh\nPATH='%s' exec %s \"\$@\"\n" "$PATH" "$(command -v ${CC%% *})${CC#"${CC%% *}"}" >bin/gcc
chmod +x bin/pidof bin/gcc
./bank &
bank=$!
export BANK=$bank PATH=$dir/bin:$PATH

# commands FILE: prints the commands of a document in order, one per line, as "N<tab>COMMAND". N is
# 1 if output follows in the document.
commands() {
	awk '
		function flush() { if (have) print shown "\t" command; have = 0 }
		/^ *    (\$ )?(tracer|jq|grep|sed) / {
			flush()
			dollar = $1 == "$"
			sub(/^ *(\$ )?/, ""); command = $0; have = 1; shown = 0
			next
		}
		/^    [^ ]/ && have && dollar || /^     >/ && have { shown = 1; next }
		{ flush() }
		END { flush() }' "$1"
}

for document in README.md doc/cookbook.md; do
	name=documents/${document##*/}
	count=0 failed=0
	while IFS=$'\t' read -r shown command; do
		count=$((count + 1))
		case $command in
		*--blocked* | *"--live -p"*) run=(timeout -s INT 4) ;;
		*) run=(timeout 120) ;;
		esac
		missing=
		for tool in jq python3; do
			[[ " $command" != *" $tool "* ]] || command -v "$tool" >/dev/null || missing=$tool
		done
		if [ -n "$missing" ]; then
			skip "$name: $command" "no $missing"
			continue
		fi
		"${run[@]}" bash -o pipefail -c "$command" >out 2>err
		status=$?
		# timeout returns 124 if it has interrupted the command that stays attached.
		[ "$status" -ne 124 ] || [ "${run[1]}" != -s ] || status=0
		# In some examples the traced program fails. tracer and the shell must not fail.
		if grep -qE '^(tracer|bash): (unrecognized|invalid|.*requires|.*: not |Can.t|-c:)' err || [ "$status" -gt 2 ] ||
			{ [ "$shown" = 1 ] && [[ $command != *" -o "* ]] && [ ! -s out ] && [ ! -s err ]; }; then
			not_ok "$name: $command"
			echo "# status $status"
			head -5 err | sed 's/^/# /'
			failed=1
		fi
	done < <(commands "$SRC/$document")
	[ "$failed" -eq 1 ] || { [ "$count" -ge 5 ] && ok "$name: $count commands"; } || not_ok "$name: only $count commands found"
done
