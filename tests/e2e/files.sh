# SPDX-License-Identifier: LGPL-2.1-or-later
# --files: the files of a run as text, JSON and a depfile, while tracing and from a trace.
. "$SRC/tests/lib.sh"
mkdir dir
here=$(pwd -P)
printf 'hello\n' >'a b'
printf '12345' >in

# report OPTIONS... COMMAND: prints the rows of files in this directory.
report() {
	timeout 60 "$TRACER" -q -f --files -o rows "$@" >/dev/null 2>&1
	sed -n "s|$here/||gp" rows | tr -s ' '
}

run='read -r x <"a b"; cat in - <"a b" >new; mv new dir/moved; : >gone; rm gone; test -e nosuch; mkdir made; rmdir made; ln -s in link; cd dir; cat ../in >>../in2'
expected=' 12 0 read a b
 0 11 written,renamed new renamed to dir/moved
 0 11 written,created dir/moved renamed from new
 0 0 written,deleted gone
 10 0 read in
 0 5 written in2
 0 0 created link
 0 0 created,deleted made
 0 0 missing nosuch'
sorted() { LC_ALL=C sort -k 4; }
is "text" "$(report --write-trace=trace sh -c "$run" | sorted)" "$(sorted <<<"$expected")"
"$TRACER" --read-trace=trace --files -o read
is "the same from a trace" "$(<read)" "$(<rows)"

"$TRACER" --read-trace=trace --files=process -o processes
is "by process: cat" "$(grep -c "$here/in\$" processes)" 2
"$TRACER" --read-trace=trace --files --format=json -o json
is "JSON" "$(grep -F "\"$here/a b\"" json | grep -o '"uses":.*')" \
	'"uses":["read"],"read_bytes":12,"written_bytes":0,"first_stack":[]}'
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "the schema describes the rows" \
		"$("$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" json | sed 's/[0-9]* lines/lines/')" "lines, 0 bad"
else
	skip "the schema describes the rows" "python3-jsonschema is missing"
fi

# make can read the depfile even if a file name contains a blank or special characters.
printf x >'s p#$'
timeout 60 "$TRACER" -q -f --files=depfile -o out.d sh -c "cat 's p#\$' in >out"
is "depfile: target" "$(sed -n '1s/:.*//p' out.d)" "$here/out"
if make --version >/dev/null 2>&1; then
	# Libraries and programs in the rule may be newer than the target.
	{
		sed -n 1p out.d
		grep -F "$here" out.d | sed '1d; $s/ *\\$//'
		printf '%s/out:\n\t@echo made\n' "$here"
	} >makefile
	remake() { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s "$here/out" 2>&1; }
	touch -d '2000-01-01' 's p#$' in
	touch -d '2001-01-01' out
	is "depfile: the target is up to date" "$(remake)" ""
	touch -d '2002-01-01' 's p#$'
	is "depfile: a file that the target depends on is newer" "$(remake)" made
else
	skip "depfile: make" "make is missing"
fi

timeout 60 "$TRACER" -q -f -k --files -o stacks cat in >/dev/null
is "-k: the first stack" "$(grep -A 1 "$here/in\$" stacks | tail -n 1 | cut -c 1-3)" " > "
