# SPDX-License-Identifier: LGPL-2.1-or-later

# TRACER_REQUIRE(NAME, DEBIAN-PACKAGE, HEADER, LIBRARY-FLAG, FUNCTION, [OTHER-LIBRARIES])
# Adds LIBRARY-FLAG to LIBS; without header or function ends in one line that says what to install.
AC_DEFUN([TRACER_REQUIRE], [
	AC_MSG_CHECKING([for $1])
	tracer_save_LIBS=$LIBS
	LIBS="$4 $6 $LIBS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <stdio.h>
#include <stddef.h>
#include <$3>
]], [[return &$5 == NULL;]])],
		[AC_MSG_RESULT([yes])
		 LIBS="$4 $tracer_save_LIBS"],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$1 is missing (Debian: apt-get install $2)])])
])

# TRACER_LOAD(NAME, DEBIAN-PACKAGE, HEADER, LIBRARY-FLAG, FUNCTION, MACRO)
# For a library that tracer is not linked with but loads where it needs it (util/library.h). Defines
# MACRO as the name that a program linked with LIBRARY-FLAG has for it.
AC_DEFUN([TRACER_LOAD], [
	AC_REQUIRE([TRACER_READELF])
	tracer_link_LIBS=$LIBS
	TRACER_REQUIRE([$1], [$2], [$3], [$4], [$5])
	AC_MSG_CHECKING([how the loader calls $1])
	tracer_name=
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <stddef.h>
#include <$3>
]], [[void *volatile f = (void *)&$5; return f == NULL;]])],
		[tracer_name=`$READELF -d conftest$EXEEXT | sed -n '/NEEDED/s/.*\@<:@\($1@<:@-.@:>@@<:@^@:>@@:>@*\)@:>@.*/\1/p'`])
	AC_MSG_RESULT([$tracer_name])
	AS_IF([test -z "$tracer_name"], [AC_MSG_ERROR([$1 is there as a static library alone])])
	AC_DEFINE_UNQUOTED([$6], ["$tracer_name"], [How the loader calls $1.])
	LIBS=$tracer_link_LIBS
])

AC_DEFUN([TRACER_READELF], [AC_CHECK_TOOL([READELF], [readelf], [readelf])])

# TRACER_CHECK_EXPORT(SYMBOL, MACRO): defines MACRO where libunwind exports SYMBOL, which has the
# machine's name in front: UNW_OBJ(SYMBOL).
AC_DEFUN([TRACER_CHECK_EXPORT], [
	AC_MSG_CHECKING([whether libunwind exports $1])
	AC_LINK_IFELSE([AC_LANG_SOURCE([[
#include <libunwind.h>
char UNW_OBJ($1)(void);
int main(void) { return UNW_OBJ($1)(); }]])],
		[AC_MSG_RESULT([yes])
		 AC_DEFINE([$2], [1], [Whether libunwind exports $1.])],
		[AC_MSG_RESULT([no])])
])

# TRACER_CHECK_STATIC(LIBRARIES): STATIC_LIBS, unless they are known already, if with those LIBRARIES
# behind LIBS a static program that uses libdw and libunwind can be linked.
AC_DEFUN([TRACER_CHECK_STATIC], [AS_IF([test -z "$STATIC_LIBS"], [
	AC_MSG_CHECKING([whether $1 are enough for a static binary])
	tracer_save_LIBS=$LIBS
	tracer_save_LDFLAGS=$LDFLAGS
	LIBS="$LIBS $1"
	LDFLAGS="$LDFLAGS -static"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <elfutils/libdwfl.h>
#include <libunwind-ptrace.h>
]], [[return dwfl_begin(NULL) == NULL && _UPT_create(1) == NULL;]])],
		[AC_MSG_RESULT([yes])
		 STATIC_LIBS="$LIBS"],
		[AC_MSG_RESULT([no])])
	LIBS=$tracer_save_LIBS
	LDFLAGS=$tracer_save_LDFLAGS
])])

# TRACER_CHECK_CMOCKA: CMOCKA_LIBS, empty where only `make check` will miss it.
AC_DEFUN([TRACER_CHECK_CMOCKA], [
	AC_MSG_CHECKING([for cmocka])
	tracer_save_LIBS=$LIBS
	LIBS="-lcmocka $LIBS"
	CMOCKA_LIBS=
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
]], [[return cmocka_run_group_tests(((struct CMUnitTest[]){{0}}), NULL, NULL);]])],
		[AC_MSG_RESULT([yes])
		 CMOCKA_LIBS=-lcmocka],
		[AC_MSG_RESULT([no: make check will ask for it])])
	LIBS=$tracer_save_LIBS
	AC_SUBST([CMOCKA_LIBS])
	AM_CONDITIONAL([HAVE_CMOCKA], [test -n "$CMOCKA_LIBS"])
])
