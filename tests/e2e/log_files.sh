# SPDX-License-Identifier: LGPL-2.1-or-later
# Log files: more threads than descriptors, and directories in which other users have placed files.
. "$SRC/tests/lib.sh"

program log_files

(ulimit -n 40 && "$TRACER" -qq -ff -e trace=getppid -o many "$WORK/bin/log_files" 100 2>stderr)
is "100 threads with 40 descriptors: status" "$?" 0
is "100 threads with 40 descriptors: each has a log" "$(ls many.* | wc -l)" 101
is "100 threads with 40 descriptors: each log has all calls" "$(grep -c '^getppid' many.* | grep -vc ':3$')" 1
is "100 threads with 40 descriptors: no message" "$(cat stderr)" ""
rm -f many.*
(ulimit -n 40 && "$TRACER" --format=json -ff -e trace=getppid -o many "$WORK/bin/log_files" 100)
is "100 threads with 40 descriptors: JSON has all calls" "$(cat many.* | grep -c '"getppid"')" 300

# In a directory that others can write to, the user's own files, links and FIFOs are used normally.
mkdir open closed
chmod 777 open
echo old >open/log
"$TRACER" -o open/log true
is "our own file in a shared folder is written" "$(tail -n 1 open/log)" "+++ exited with 0 +++"
ln -s ../closed/log open/link
"$TRACER" -o open/link true
is "our own link is followed" "$(tail -n 1 closed/log)" "+++ exited with 0 +++"
ln -s loop open/loop
like "a link to itself is refused" "$("$TRACER" -o open/loop true 2>&1)" "symbolic links"
mkfifo open/fifo
cat open/fifo >from-fifo &
"$TRACER" -o open/fifo true
wait $!
is "our own FIFO is opened" "$(tail -n 1 from-fifo)" "+++ exited with 0 +++"
"$TRACER" -e trace=none -o /dev/stderr sh -c 'exit 3' 2>stderr
is "/dev/stderr is the standard error" "$(cat stderr)" "+++ exited with 3 +++"
ln -s /dev/stdout closed/stdout
is "a link in a private folder may point anywhere" "$("$TRACER" -o closed/stdout true | tail -n 1)" \
	"+++ exited with 0 +++"
echo secret >open/secret
ln open/secret open/hard
like "a hard link in a shared folder is refused" "$("$TRACER" -o open/hard true 2>&1)" \
	"Can't fopen 'open/hard': a hard link in a directory that others can write to"
is "the hard link's file is unchanged" "$(cat open/secret)" secret

if [ "$(id -u)" != 0 ]; then
	skip "files that another user has put there" "needs root"
	exit
fi
refused() { # refused NAME FILE: checks that tracer refuses to write its log to FILE.
	like "$1 is refused" "$(timeout 60 "$TRACER" -o "$2" true 2>&1)" \
		"another user's .* in a directory that others can write to"
}
echo secret >secret
chmod 600 secret
mkdir theirs
chown 65534 theirs
for folder in open theirs; do
	ln -s ../secret $folder/planted
	chown -h 65534 $folder/planted
	refused "$folder: another user's link" $folder/planted
	mkfifo $folder/blocks
	chown 65534 $folder/blocks
	refused "$folder: another user's FIFO" $folder/blocks
done
touch open/foreign theirs/foreign
chown 65534 open/foreign theirs/foreign
refused "another user's file" open/foreign
"$TRACER" -o theirs/foreign true
is "a file of the owner of the folder is written" "$(tail -n 1 theirs/foreign)" \
	"+++ exited with 0 +++"
is "the files behind the links are unchanged" "$(cat secret)" secret

# With -ff, a tracee can predict the name of its log and create a file of that name first.
cat >plant.sh <<'END'
echo $$ >pid
cd theirs
case $1 in
link) ln -s ../secret log.$$ ;;
hard) ln ../secret log.$$ ;;
fifo) mkfifo log.$$ ; chown 65534 log.$$ ;;
esac
[ "$1" = link ] && chown -h 65534 log.$$
: >../planted
while [ ! -e ../attached ]; do sleep 0.05; done
END
for kind in link hard fifo; do
	rm -rf theirs/* planted attached stderr
	sh plant.sh $kind &
	until [ -e planted ]; do sleep 0.05; done
	timeout 60 "$TRACER" -ff -o theirs/log -p $! 2>stderr &
	tracer=$!
	until grep -qs 'used instead' stderr || ! kill -0 $tracer 2>/dev/null; do sleep 0.05; done
	: >attached
	wait $tracer
	pid=$(cat pid)
	is "-ff: the log is another file than the planted $kind" \
		"$(tail -n 1 theirs/log.$pid.1)" "+++ exited with 0 +++"
	like "-ff: a message names the other file ($kind)" "$(cat stderr)" "'theirs/log.$pid.1' is used instead"
	is "-ff: the file behind the planted $kind is unchanged" "$(cat secret)" secret
done
