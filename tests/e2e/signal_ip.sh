# SPDX-License-Identifier: LGPL-2.1-or-later
# -i on the line of a signal or a stop shows where the program was at that time, and not where its
# last call was.
. "$SRC/tests/lib.sh"
program signal_ip

"$TRACER" -i -e trace=setitimer -o log "$WORK/bin/signal_ip" >where
read -r from to <where
for what in "--- SIGALRM" "--- SIGSTOP" "--- stopped by SIGSTOP" "--- SIGCONT"; do
	ip=$(sed -nE "s/^\[([0-9a-f]+)\] $what .*/\1/p" log)
	if [ -n "$ip" ] && [ $((0x$ip)) -ge $((0x$from)) ] && [ $((0x$ip)) -lt $((0x$to)) ]; then
		ok "$what"
	else
		not_ok "$what"
		sed 's/^/# /' log
	fi
done
