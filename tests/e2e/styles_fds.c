/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* styles.c with other options. */
#include "styles.c"
