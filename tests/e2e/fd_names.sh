# SPDX-License-Identifier: LGPL-2.1-or-later
# -yy shows the path and the numbers of a device, and marks deleted files.
. "$SRC/tests/lib.sh"
program fd_names

"$TRACER" -yy -a1 -e trace=lseek,ioctl -o log "$WORK/bin/fd_names" "$PWD/x"
sed -n "s#$(pwd -P)#.#; /SEEK_SET\|TCSETS/s/(3</(</p" log >got
cat >want <<'EOF'
lseek(<./x>, 1, SEEK_SET) = 1
lseek(<./x>(deleted), 2, SEEK_SET) = 2
lseek(<./x<char 1:3>>, 3, SEEK_SET) = 3
ioctl(<./x<char 1:3>>, SNDCTL_TMR_START or TCSETS, NULL) = -1 ENOTTY (Inappropriate ioctl for device)
ioctl(<./x<char 5:0>>, TCSETS, NULL) = -1 ENOTTY (Inappropriate ioctl for device)
lseek(<./x<char 5:0>>, 4, SEEK_SET) = 4
lseek(<./x>(deleted), 5, SEEK_SET) = 5
lseek(<./x (deleted)>, 6, SEEK_SET) = 6
lseek(<./x (deleted)>(deleted), 7, SEEK_SET) = 7
EOF
same "names of descriptors" got want
