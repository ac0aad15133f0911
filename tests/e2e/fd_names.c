/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletes a file. Then creates other objects with its name, or with the name that -y shows for a
 * deleted file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char deleted[4096];
	int fd;

	if (argc < 2)
		return 1;
	snprintf(deleted, sizeof(deleted), "%s (deleted)", argv[1]);
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	lseek(fd, 1, SEEK_SET);
	unlink(argv[1]);
	lseek(fd, 2, SEEK_SET);
	symlink("/dev/null", argv[1]);
	lseek(fd, 3, SEEK_SET);
	ioctl(fd, TCSETS, 0);
	unlink(argv[1]);
	symlink("/dev/tty", argv[1]);
	ioctl(fd, TCSETS, 0);
	symlink("/dev/null", deleted);
	lseek(fd, 4, SEEK_SET);
	unlink(argv[1]);
	lseek(fd, 5, SEEK_SET);
	unlink(deleted);
	close(fd);
	fd = open(deleted, O_RDWR | O_CREAT, 0600);
	lseek(fd, 6, SEEK_SET);
	unlink(deleted);
	lseek(fd, 7, SEEK_SET);
	return 0;
}
