/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Like styles.c, but traced with other options. */
#include "styles.c"
