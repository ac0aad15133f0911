# SPDX-License-Identifier: LGPL-2.1-or-later
# if= in -e inject= and -e fault=: only calls whose arguments match are tampered with.
. "$SRC/tests/lib.sh"

run() { timeout 60 "$TRACER" "$@" 2>err >out; echo $?; }

printf x >x
printf y >y
fault='fault=open,openat:error=EIO:if=path == "'$PWD'/x" && !(flags has O_CREAT)'
is "an open fails: status" "$(run -f -o log -e "$fault" sh -c ': >>x; cat y; cat x')" 1
like "the call that matches fails" "$(<log)" '"x", O_RDONLY[^=]* = -1 EIO .*\(INJECTED\)'
is "no other call fails" "$(<out):$(grep -c INJECTED log)" y:1
is "an open fails with --write-trace: status" "$(run -f --write-trace=trace -e "$fault" cat x)" 1
is "a trace shows the injected fault" "$(run --read-trace=trace -o log):$(grep -c '"x".*INJECTED' log)" 0:1

is "when= counts the calls that match" \
	"$(run -f -o log -e trace=read -e 'inject=read:retval=0:when=2:if=fd.path == "**/x"' sh -c 'cat y x y x >/dev/null; cat x x >/dev/null; :')" 0
is "when= counts per thread" "$(grep INJECTED log | cut -d' ' -f1 | uniq -c | tr -s ' ' | cut -d' ' -f2 | tr '\n' ' ')" "1 1 "
is "two -e inject= for a call: status" \
	"$(run -o log -e inject=openat:error=EIO:if='path == "**/x"' -e inject=openat:error=EPERM:if='path == "**/nosuch"' cat x)" 1
like "two -e inject= for a call: the one that matches is used" "$(<log)" '"x".* = -1 EIO '

for bad in 'read:retval=0:if=ret == 3' 'read:retval=0:if=buf == "x"' 'read:retval=0:if=fd == 0 && duration > 1s' \
	'read:retval=0:if=fdd == 3' 'read:retval=0:if=stack =~ "main"' 'read:retval=0:if='; do
	is "refused: $bad" "$(run -e "inject=$bad" true)" 1
	cat err >>errors
done
is "the messages of the refusals" "$(<errors)" "$(cat <<'EOS'
tracer: -e inject=…:if=: 'ret' is not known when these calls begin
tracer:     ret == 3
tracer:     ^~~
tracer: -e inject=…:if=: 'buf' is not known when these calls begin
tracer:     buf == "x"
tracer:     ^~~
tracer: -e inject=…:if=: 'duration' is not known when these calls begin
tracer:     fd == 0 && duration > 1s
tracer:                ^~~~~~~~
tracer: -e inject=…:if=: unknown field 'fdd'
tracer:     fdd == 3
tracer:     ^~~
tracer: did you mean 'fd'?
tracer: -e inject=…:if=: 'stack' is not known when these calls begin
tracer:     stack =~ "main"
tracer:     ^~~~~
tracer: -e inject=…:if=: the expression is empty
tracer:     
tracer:     ^
EOS
)"
