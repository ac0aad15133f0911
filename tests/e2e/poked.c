/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strings that -e inject=chdir:poke_enter= can overwrite completely, in part or not at all. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	char *page =
		mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = page + 4096, *fixed = end + 4096;

	munmap(end, 4096);
	mprotect(fixed, 4096, PROT_READ);
	trace_from_here();
	strcpy(page, "/no/such/file");
	chdir(page);
	strcpy(end - 6, "/none");
	chdir(end - 6);
	chdir(end);
	/* The tracer can write to memory that is read-only for the program. */
	chdir(fixed);
	return 0;
}
