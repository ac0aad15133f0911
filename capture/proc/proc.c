/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/proc.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"

/* Initial and maximum size in bytes of the buffer of proc_text(). */
#define TEXT_SIZE ((size_t)8 << 10)
#define TEXT_MAX  ((size_t)256 << 20)

/* The same as proc_read_at(), with a va_list. */
static ssize_t read_at(int dir, char *buf, size_t size, const char *fmt, va_list ap)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	vsnprintf(path, sizeof(path), fmt, ap);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	n = n < 0 ? -errno : n;
	close(fd);
	if (n >= 0)
		buf[n] = 0;
	return n;
}

ssize_t proc_read(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	ssize_t n;

	va_start(ap, fmt);
	n = read_at(AT_FDCWD, buf, size, fmt, ap);
	va_end(ap);
	return n;
}

ssize_t proc_read_at(int dir, char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	ssize_t n;

	va_start(ap, fmt);
	n = read_at(dir, buf, size, fmt, ap);
	va_end(ap);
	return n;
}

char *proc_text_of(int fd)
{
	size_t len = 0, size = TEXT_SIZE;
	char *text = mem_alloc(size);
	ssize_t n;

	while ((n = read(fd, text + len, size - len - 1)) > 0 || (n < 0 && errno == EINTR)) {
		len += n > 0 ? (size_t)n : 0;
		if (len > size / 2 && size < TEXT_MAX)
			text = mem_realloc(text, size *= 2);
	}
	text[len] = '\0';
	return text;
}

char *proc_text(const char *fmt, ...)
{
	char path[PATH_MAX], *text;
	va_list ap;
	int fd;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = proc_text_of(fd);
	close(fd);
	return text;
}

bool proc_field(char *buf, size_t size, const char *key, const char *fmt, ...)
{
	size_t key_len = strlen(key);
	char path[PATH_MAX];
	bool found = false;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(buf, size, f)) {
		char *text = buf + key_len + 1;

		if (strncmp(buf, key, key_len) || buf[key_len] != ':')
			continue;
		text += strspn(text, " \t");
		text[strcspn(text, "\n")] = 0;
		memmove(buf, text, strlen(text) + 1);
		found = true;
	}
	fclose(f);
	return found;
}

bool proc_comm(pid_t tid, char comm[PROC_COMM_SIZE])
{
	char text[PROC_COMM_SIZE];

	if (proc_read(text, sizeof(text), "/proc/%d/comm", (int)tid) < 0)
		return false;
	text[strcspn(text, "\n")] = 0;
	memcpy(comm, text, strlen(text) + 1);
	return true;
}
