/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the file of a log such that no other user can redirect the log to another file. In a folder
 * that only we and root can write to, this is a plain open(2). In any other folder, another user
 * could have placed a link to one of our files there, or a file whose open never returns. There,
 * the log must be a new file or satisfy the rules at log_file_open().
 */
#ifndef TRACER_UTIL_LOG_FILE_H
#define TRACER_UTIL_LOG_FILE_H

#include "defs.h"

/*
 * Opens path for writing and creates it if necessary; it is truncated unless append. In a folder
 * that others can write to, the following are refused with -EPERM, and *why states the reason:
 * - a symbolic link that is neither ours nor root's; other links are followed, and the same rules
 *   apply to their targets
 * - a file that belongs neither to us nor to root nor to the owner of the folder
 * - a file of ours or of root's that has more than one hard link
 * Returns a descriptor, or -errno. *why is NULL if errno is explanation enough.
 */
int log_file_open(const char *path, bool append, const char **why);

/* A path of a log that is "|COMMAND" or "!COMMAND" starts a command, which reads the log. */
static inline bool log_path_is_command(const char *path)
{
	return *path == '|' || *path == '!';
}

/* "-" is standard output. */
static inline bool log_path_is_stdout(const char *path)
{
	return path[0] == '-' && !path[1];
}

static inline bool log_path_is_file(const char *path)
{
	return !log_path_is_command(path) && !log_path_is_stdout(path);
}

#endif
