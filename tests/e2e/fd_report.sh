# SPDX-License-Identifier: LGPL-2.1-or-later
# --fd-report lists descriptors that were left open or closed twice, and the places where they were
# opened and closed.
. "$SRC/tests/lib.sh"
program fd_report || exit

timeout 60 "$TRACER" -f --fd-report -o log "$WORK/bin/fd_report" 2>stderr
is "status" $? 0
is "--fd-report shows no calls" "$(grep -c ' = ' log)" 0
is "descriptors that stayed open" "$(grep -E '^(Desc|Process .* descriptors?)' log | sed -E 's/Process [0-9]+/Process P/; s/thread [0-9]+ \([^)]*\)/thread T/')" \
	"Descriptors that stayed open: 5, opened in 3 places
Process P: 3 descriptors opened by openat in thread T: 3</dev/null> 4</dev/null> 5</dev/null>
Process P: 1 descriptor opened by openat in thread T: 6</dev/full>
Process P: 1 descriptor opened by openat in thread T: 8</dev/random>
Descriptors that were closed twice: 1"
is "processes that left descriptors open" "$(grep -cE '\((leak|closed_later|close_it|close_again)\+' log)" 4
is "descriptors that were closed twice" "$(sed -n '/twice/,$p' log | grep -v '^ > ' | sed -E 's/Process [0-9]+/Process P/; s/thread [0-9]+ \([^)]*\)/thread T/')" \
	"Descriptors that were closed twice: 1
Process P: 6</dev/zero> opened by openat in thread T
closed by close in thread T
closed again by close in thread T"
timeout 60 "$TRACER" -f --fd-report -o log "$WORK/bin/fd_report" again
is "nothing to report" "$(cat log)" "Descriptors that stayed open: 0
Descriptors that were closed twice: 0"
