/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the file of a log so that nobody else decides which file that is. In a folder that only we
 * and root can write to, this is a plain open(2). In any other one, whoever may write there could
 * have put a link to a file of ours, or something that never opens, in the log's place. There a log
 * is a file that did not exist, or one that is known to be meant: see log_file_open().
 */
#ifndef TRACER_UTIL_LOG_FILE_H
#define TRACER_UTIL_LOG_FILE_H

#include "defs.h"

/*
 * Opens path for writing, made if it does not exist; it is emptied unless append. Where the folder
 * can be written to by others, these are refused with -EPERM, and *why says what is wrong:
 * - a symbolic link that is neither ours nor root's; one of ours is followed by these same rules
 * - a file that belongs neither to us nor to root nor to the owner of the folder
 * - a file of ours or of root's that has another name as well: a hard link
 * Returns a descriptor, or -errno. *why is NULL where errno says it all.
 */
int log_file_open(const char *path, bool append, const char **why);

#endif
