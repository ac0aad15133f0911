/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same program as styles.c, traced with other options. */
#include "styles.c"
