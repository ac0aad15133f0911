# SPDX-License-Identifier: LGPL-2.1-or-later
# --write-trace and --read-trace: the output from the trace is the same as the live output, byte by
# byte.
. "$SRC/tests/traces/lib.sh"

# both NAME OPTIONS COMMAND...: shows and records a run, reads the trace with the same options, and
# compares.
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
sets=("-v -s 200 -yy" "-k")
sanitized || sets+=("" "--format=json -Y")
for options in "${sets[@]}"; do
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
