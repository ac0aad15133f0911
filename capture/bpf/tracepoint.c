/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/tracepoint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From linux/mount.h of Linux 5.2. Older C libraries lack these definitions. */
#ifndef SYS_fsopen
#define SYS_fsopen   430
#define SYS_fsconfig 431
#define SYS_fsmount  432
#endif
#define OPEN_CLOEXEC  1 /* FSOPEN_CLOEXEC, FSMOUNT_CLOEXEC */
#define CONFIG_CREATE 6 /* FSCONFIG_CMD_CREATE */

/*
 * Mounts tracefs so that no other process sees it. Returns a descriptor of its root directory, or
 * -errno.
 */
static int mount_tracefs(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", OPEN_CLOEXEC), root = -1;

	if (fs >= 0 && !syscall(SYS_fsconfig, fs, CONFIG_CREATE, NULL, NULL, 0))
		root = (int)syscall(SYS_fsmount, fs, OPEN_CLOEXEC, 0);
	if (root < 0)
		root = -errno;
	if (fs >= 0)
		close(fs);
	return root;
}

/*
 * Reads the number in a file. `path` is relative to the directory dir. Returns the number, or
 * -errno.
 */
static int read_number(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC), err;
	char text[16];
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	err = n < 0 ? -errno : -EINVAL;
	close(fd);
	if (n <= 0)
		return err;
	text[n] = 0;
	n = atoi(text);
	return n > 0 ? (int)n : -EINVAL;
}

int tracepoint_id(const char *event)
{
	char path[128];
	int id, root;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	id = read_number(AT_FDCWD, path);
	if (id > 0)
		return id;
	root = mount_tracefs();
	if (root < 0)
		return root;
	snprintf(path, sizeof(path), "events/%s/id", event);
	id = read_number(root, path);
	close(root);
	return id;
}

/*
 * Opens an event for all threads on the current CPU. The event is disabled, so it counts nothing.
 * Returns a descriptor, or -errno.
 */
static int open_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config, .disabled = 1};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, sched_getcpu(), -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int tracepoint_permitted(void)
{
	int fd = open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/*
 * Attaches a program to the event fd. Returns fd, or -errno after closing the event. If fd is
 * already -errno, only returns it.
 */
static int set_program(int fd, int program)
{
	int err;

	if (fd < 0 || !ioctl(fd, PERF_EVENT_IOC_SET_BPF, program))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int tracepoint_attach_faults(unsigned cpu, int program)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ,
				       .size = sizeof(attr),
				       .sample_period = 1};
	const int fd =
		(int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return set_program(fd < 0 ? -errno : fd, program);
}

int tracepoint_attach(int id, int program)
{
	/* The CPU does not matter, because the program runs on all CPUs. */
	return set_program(open_event(PERF_TYPE_TRACEPOINT, (unsigned)id), program);
}
