# SPDX-License-Identifier: LGPL-2.1-or-later
# --group-by, --sum and --hist: each result is compared with what jq computes from the JSON of the
# same trace.
. "$SRC/tests/lib.sh"

run() { timeout 60 "$TRACER" "$@" 2>err; }
read_trace() { run --read-trace=trace -f "$@"; }

printf 'hello\n' >"a file"
run -f -q --write-trace=trace bash -c 'cat "$PWD/a file" /etc/passwd "$PWD/nosuch" "$PWD/nosuch" /nosuch/dir >/dev/null
	exec 3<>/dev/tcp/127.0.0.1/1
	exec 4<>/dev/tcp/127.0.0.1/2' >/dev/null
read_trace -y --format=json -o json

# rows OPTION...: prints the groups and numbers as sorted lines of JSON.
rows() {
	read_trace -c --format=json -o rows "$@"
	jq -c '[.group[], .calls, .errors, .sum[]?]' rows | sort
}
# found FILTER: computes the same from the events.
found() { jq -c -s "map(select(.type == \"syscall\" and .name != \"exit_group\")) | $1" json | jq -c '.[]' | sort; }
count='[.[0].key[], length, (map(select(.error)) | length)'

if jq --version >/dev/null 2>&1; then
	is "calls by name" "$(rows --group-by=name)" \
		"$(found "map(. + {key: [.name]}) | group_by(.key) | map($count])")"
	is "errors by errno" "$(rows --group-by=error --where=error)" \
		"$(found "map(select(.error) + {key: [.error]}) | group_by(.key) | map($count])")"
	is "errors by errno and path" "$(rows --group-by=error,path --where='error && name in {open, openat} && path == "/**/nosuch*"')" \
		"$(found "map(select(.name == \"openat\" and .error and (.args.pathname | endswith(\"nosuch\"))) | . + {key: [.error, .args.pathname]}) |
			group_by(.key) | map($count])")"
	is "bytes per file" "$(rows --group-by=path --sum=bytes --where='name == read')" \
		"$(found "map(select(.name == \"read\") | . + {key: [.args.fd.path]}) | group_by(.key) | map($count, (map(select(.error == null).ret) | add // 0)])")"
	is "calls by peer" "$(rows --group-by=peer --where=peer)" \
		"$(found "map(select(.name == \"connect\" and .args.addr.sin_port) | . + {key: [\"\(.args.addr.sin_addr):\(.args.addr.sin_port)\"]}) | group_by(.key) | map($count])")"
	is "calls by thread and flags" "$(rows --group-by=tid,flags --where='name == openat')" \
		"$(found "map(select(.name == \"openat\") | . + {key: [.tid, (.args.flags | join(\"|\"))]}) | group_by(.key) | map($count])")"
	is "events with a flag" "$(rows --group-by=name --where='flags has O_CREAT')" \
		"$(found "map(select(.args.flags? | arrays | index(\"O_CREAT\")) | . + {key: [.name]}) | group_by(.key) | map($count])")"
	read_trace -c --format=json -o rows --group-by=name --hist=bytes --where='name == read'
	is "--hist in JSON" "$(jq -c '.hist.bytes[] | [.from, .to, .count]' rows)" \
		"$(jq -c -s 'map(select(.name == "read" and .error == null).ret | if . == 0 then -1 else log2 | floor end) | group_by(.) |
			map([(.[0] | if . < 0 then 0 else exp2 end), (.[0] + 1 | exp2), length] | map(floor))[]' json)"
else
	skip "answers as jq's" "jq is missing"
fi

read_trace -c -o table --group-by=path,error --sum=bytes --where="path == '$PWD/**' && name == read"
is "the columns of the table" "$(head -n 1 table | tr -s ' ')" " calls errors seconds bytes path error"
like "a row of the table" "$(<table)" $'\n +[0-9]+ +[0-9.]+ +6 [^\n]*/a file +-\n'
read_trace -c -o table --group-by=name --hist=duration --top=1
like "--hist in the table" "$(<table)" $'\n\nduration of [a-z0-9_]+:\n +[0-9.]+[num]?s +\.\. +[0-9.]+[num]?s +\|'
read_trace -c --format=csv -o csv --group-by=path,name --sum=bytes -U calls --where='path == "/etc/passwd" && name == read'
is "CSV" "$(tr -d '\r' <csv)" $'"path","name",calls,"bytes"\n"/etc/passwd","read",'"$(grep -c '"name":"read".*"path":"/etc/passwd"' json),$(wc -c </etc/passwd)"
read_trace -c -o table --group-by=path --top=2
is "--top adds up the rest" "$(grep -c '(others)' table):$(awk 'END { print $1 }' table)" "1:$(grep '"type":"syscall"' json | grep -vc '"name":"exit_group"')"

refused() {
	is "refused: $1" "$(run "${@:2}" true; echo $?)" 1
	like "the message of the refusal: $1" "$(<err)" "$1"
}
refused "--group-by: unknown field 'fdd'" -c --group-by=fdd
refused "--group-by: 'class' cannot be used, because a call can be in several classes" -c --group-by=class
refused '--group-by: expected a field at the end' -c --group-by=name,
refused "--sum: 'path' is not a number" -c --sum=path
refused "--sum: 'flags' is not a number" -c --sum=flags
refused "--hist: at most 1 fields are possible" -c --hist=bytes,duration
refused "--group-by requires -c" --group-by=path
refused "--summary-by and --group-by are mutually exclusive" -c --summary-by=path --group-by=path
refused "--hist and --format=csv are mutually exclusive" -c --hist=bytes --format=csv
