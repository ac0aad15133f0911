/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <unistd.h>

#include "util/msg.h"

int main(int argc, char **argv)
{
	int i = 1;

	/* Until there is a session, the command runs untraced. */
	while (i < argc && argv[i][0] == '-')
		i += strcmp(argv[i], "-o") ? 1 : 2;
	if (i >= argc)
		die_usage("must have PROG [ARGS]");
	execvp(argv[i], argv + i);
	die_errno("cannot run '%s'", argv[i]);
}
