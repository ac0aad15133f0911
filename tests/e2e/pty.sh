# SPDX-License-Identifier: LGPL-2.1-or-later
# For the master side of a pseudoterminal, -yy shows the slave side. ioctl requests have the names
# of terminal requests.
. "$SRC/tests/lib.sh"
program pty

"$TRACER" -yy -e trace=ioctl,write -o log "$WORK/bin/pty"
case $? in
77)
	skip "the slave side of the terminal" "no pseudoterminal can be opened"
	exit
	;;
esac
number=$(sed -n 's/.*TIOCGPTN, \[\([0-9]*\)\]) = 0$/\1/p' log | tail -n 1)
like "the slave side of the terminal" "$(grep '^write' log)" "^write\([0-9]+<[^<]*ptmx<char 5:2 @/dev/pts/$number>>, \"\", 0\) += 0$"
like "a terminal's request" "$(grep 'TCSETS.*EFAULT' log)" '^ioctl\([0-9]+<.*>, TCSETS, NULL\) += -1 EFAULT'
like "any device's request" "$(grep 'TCSETS.*ENOTTY' log)" \
	'^ioctl\([0-9]+<.*>, SNDCTL_TMR_START or TCSETS, NULL\) += -1 ENOTTY'
