/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expands STRUCT_NAME(name) for each struct in linux/structs/. The including file must define
 * STRUCT_NAME. This header can be included several times.
 */
#define STRUCT_BEGIN(s) STRUCT_NAME(s)
#define STRUCT_END(s)
#define F(n, ...)
#define FV(n, ...)
#define FNZ(n, ...)
#define PAD(n, ...)
#define FU(n, ...)
#define FP(n, ...)
#define FUV(n, ...)
#define FO(n, ...)
#define FOV(n, ...)
#define FI(n, ...)
#define FW(n, ...)
#define FOW(n, ...)
#define FC(n, ...)
#define FCN(n, ...)
#include "linux/structs_all.h"
#undef STRUCT_BEGIN
#undef STRUCT_END
#undef F
#undef FV
#undef FNZ
#undef PAD
#undef FU
#undef FP
#undef FUV
#undef FO
#undef FOV
#undef FI
#undef FW
#undef FOW
#undef FC
#undef FCN
#undef STRUCT_NAME
