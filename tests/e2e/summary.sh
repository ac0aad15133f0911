# SPDX-License-Identifier: LGPL-2.1-or-later
# Summaries beyond strace's table: --summary-by shows the time that passed, --top cuts tables.
. "$SRC/tests/lib.sh"
program formats || exit
app=$WORK/bin/formats

summary() { # NAME OPTIONS... COMMAND: writes the table to the file table
	local name=$1

	shift
	timeout 60 "$TRACER" -f -c -o table "$@" 2>err
	is "$name: status" "$?:$(<err)" 0:
}

for by in process thread stack path; do
	summary "by $by" --summary-by=$by sleep 0.3
	is "by $by: the time that passed" "$(awk '/ total$/ {print ($2 >= 0.3 ? "0.3 s" : $0)}' table)" "0.3 s"
done
summary "by syscall" --summary-by=syscall sleep 0.3
is "by syscall: CPU time" "$(awk '/ total$/ {print ($2 < 0.3 ? "less" : $0)}' table)" less

# The rows between the two rules, then the total: calls are the fourth column.
rows() { # how many rows, whether the last is (others), whether the calls make the total
	python3 - table <<-'EOF'
		import sys
		calls, names, rules, total = 0, [], 0, None
		for line in open(sys.argv[1]):
		    if line.startswith("-"):
		        rules += 1
		    elif rules == 1:
		        names.append(line.split()[-1])
		        calls += int(line.split()[3])
		    elif rules == 2:
		        total = int(line.split()[3])
		print(len(names), names[-1] == "(others)", calls == total, total > 60)
	EOF
}
summary "whole" "$app"
is "whole: no row of others" "$(rows | cut -d' ' -f2-)" "False True True"
summary "top" --top=3 "$app"
is "top: so many rows and the others" "$(rows)" "4 True True True"
summary "top of paths" --top=1 -S calls -U time,total-time,avg-time,calls,errors,p99,name --summary-by=path "$app"
is "top of paths: so many rows and the others" "$(rows)" "2 True True True"
summary "more than all" --top=1000 "$app"
is "more than all: no row of others" "$(rows | cut -d' ' -f2-)" "False True True"
