# SPDX-License-Identifier: LGPL-2.1-or-later
# --symbolize with raw stacks, and which stack contents are in a trace.
. "$SRC/tests/traces/lib.sh"

program trace >/dev/null
# --symbolize converts raw stacks to frames if their files are available. It can be repeated on a
# machine that has more of the files.
cp "$WORK/bin/trace" stacks
timeout 100 "$TRACER" -f --write-trace=trace --record-stacks=raw sh -c './stacks; exit 0'
"$TRACER" -f -k -o read --read-trace=trace
"$TRACER" -f -kk --format=json -o json --read-trace=trace
mkdir -p "root$here" && mv stacks "root$here/stacks"
symbolize trace some
like "raw stacks: --symbolize without a file" "$(cat said)" "^0 [0-9]+ of [0-9]+ stacks remain raw"
mv "root$here/stacks" stacks
"$TRACER" -f -k -o with --read-trace=some
is "raw stacks: those that stay raw are walked where the file is" "$(cmp read with 2>&1)" ""
symbolize some named
is "raw stacks: --symbolize once more prints nothing" "$(cat said)" "0 "
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

# A block that would become larger than the maximum keeps its raw stacks. The frames of these stacks
# are larger than the raw stacks, which are recorded as differences.
cat >deep.c <<'C'
#include <unistd.h>
static int deep(int n) { return n ? deep(n - 1) + getppid() : 0; }
int main(void) { return deep(200) < 0; }
C
if have python3 && have zstd && $CC -O0 -o deep deep.c; then
	timeout 100 "$TRACER" --write-trace=trace --record-stacks=raw ./deep
	python3 - "$SRC/tests/traces" >large <<'P'
import subprocess, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import craft
data, at, begin = open("trace", "rb").read(), 0, craft.HEADER.size + 4
while at < len(data):
    (_, _, kind, packed, _, stored, size, first, last, real, sequence, lost, _) = craft.HEADER.unpack_from(data, at)
    body = data[at + begin:at + begin + stored]
    at += begin + stored
    if kind == craft.INDEX:
        continue
    if packed:
        body = subprocess.run(["zstd", "-dcq"], input=body, stdout=subprocess.PIPE, check=True).stdout
    if kind == craft.EVENTS:  # Add a record of an unknown kind.
        body = craft.record(250, bytes((1 << 20) - 10 - len(body))) + body
    sys.stdout.buffer.write(craft.block(kind, body, first, last, real, sequence, lost))
P
	symbolize trace named
	symbolize large named
	stacks=$("$TRACER" --read-trace=trace --info | sed -n 's/^stacks *\([0-9]*\).*/\1/p')
	# If the recorder wrote several blocks, small ones may have room for the frames.
	like "raw stacks: a block that would be too large" "$(cat said)" \
		"^0 [1-9][0-9]* of $stacks stacks remain raw: a block of the trace would be too large with their frames\$"
fi

# Words on a stack that are not addresses are not recorded.
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
	skip "raw stacks: the walk works without the data" "there is no compiler"
else
	timeout 100 "$TRACER" --write-trace=trace --record-stacks=raw ./secret
	"$TRACER" -k -e trace=getppid -o log --read-trace=trace
	like "raw stacks: the walk works without the data" "$(tr '\n' ' ' <log)" "secret\(use\+0x[0-9a-f]+\) .*secret\(main\+0x"
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
