/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fds.c with some details alone: of a kind that is asked for, but not known, the name is shown. */
#include "fds.c"
