/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens log files safely, so that no other user can redirect the log to another file. In a folder
 * to which only tracer's user and root can write, log_file_open() is a plain open(2). In any other
 * folder, another user could have created a link to a file of tracer's user, or a file on which
 * open(2) blocks forever. In such a folder, the log must be a new file or satisfy the rules below.
 */
#ifndef TRACER_UTIL_LOG_FILE_H
#define TRACER_UTIL_LOG_FILE_H

#include "defs.h"

/*
 * Opens `path` for writing, and creates it if necessary. Truncates it unless `append` is set. In a
 * folder that other users can write to, refuses three kinds of files with -EPERM and stores the
 * reason in *why:
 * - a symbolic link that belongs neither to us nor to root (other links are followed, and the same
 *   rules apply to their targets)
 * - a file that belongs neither to us nor to root, unless it is a regular file of the folder's
 *   owner
 * - a regular file with several hard links that belongs to us or root
 *
 * Returns a descriptor, or -errno. Unless a file was refused, *why is NULL.
 */
int log_file_open(const char *path, bool append, const char **why);

/*
 * Returns true if the path is "|COMMAND" or "!COMMAND". The command is started and reads the log.
 */
static inline bool log_path_is_command(const char *path)
{
	return *path == '|' || *path == '!';
}

/* Returns true if the path is "-", which means standard output. */
static inline bool log_path_is_stdout(const char *path)
{
	return path[0] == '-' && !path[1];
}

static inline bool log_path_is_file(const char *path)
{
	return !log_path_is_command(path) && !log_path_is_stdout(path);
}

#endif
