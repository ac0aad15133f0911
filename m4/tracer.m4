# SPDX-License-Identifier: LGPL-2.1-or-later

# TRACER_REQUIRE(NAME, DEBIAN-PACKAGE, HEADER, LIBRARY-FLAG, FUNCTION, [OTHER-LIBRARIES], [ADVICE])
# Adds LIBRARY-FLAG to LIBS. If the header or the function is missing, ends with one line that says
# what to install, followed by ADVICE.
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
		 AC_MSG_ERROR([$1 is missing (Debian: apt-get install $2)$7])])
])

# TRACER_FEATURE(NAME, LOSS)
# Adds the option --without-NAME. Sets the automake condition WITH_NAME and defines the macro
# WITH_NAME as 1 or 0. LOSS describes what tracer cannot do without the feature, for the summary at
# the end of configure.
AC_DEFUN([TRACER_FEATURE], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [$2])], [], [with_$1=yes])
	AS_IF([test "x$with_$1" = xno], [tracer_left_out="$tracer_left_out
  without $1: $2"])
	AM_CONDITIONAL([WITH_]m4_toupper([$1]), [test "x$with_$1" != xno])
	AS_IF([test "x$with_$1" != xno],
	      [AC_DEFINE([WITH_]m4_toupper([$1]), [1], [Whether $1 is built in.])],
	      [AC_DEFINE([WITH_]m4_toupper([$1]), [0])])
])

# TRACER_OPTIONAL(NAME, DEBIAN-PACKAGE, HEADER, LIBRARY-FLAG, FUNCTION, MACRO, LOSS)
# Checks for a library that is required unless it is left out with --without-NAME. See
# TRACER_FEATURE and TRACER_LOAD.
AC_DEFUN([TRACER_OPTIONAL], [
	TRACER_FEATURE([$1], [$7])
	AS_IF([test "x$with_$1" != xno],
	      [TRACER_LOAD([$1], [$2], [$3], [$4], [$5], [$6],
			   [; or leave it out: ./configure --without-$1])])
])

# TRACER_LOAD(NAME, DEBIAN-PACKAGE, HEADER, LIBRARY-FLAG, FUNCTION, MACRO, [ADVICE])
# Checks for a library that tracer loads at run time when it is needed (util/library.h). Defines
# MACRO, and sets the shell variable NAME_soname, to the soname of the library. If the binary is
# static, or the library is only available as an archive, the library is linked instead and MACRO is
# not defined.
AC_DEFUN([TRACER_LOAD], [
	AC_REQUIRE([TRACER_READELF])
	tracer_link_LIBS=$LIBS
	TRACER_REQUIRE([$1], [$2], [$3], [$4], [$5], [], [$7])
	AC_MSG_CHECKING([for the shared library name of $1])
	$1_soname=
	AS_IF([test "x$enable_static_binary" != xyes],
		[AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <stddef.h>
#include <$3>
]], [[void *volatile f = (void *)&$5; return f == NULL;]])],
			[$1_soname=`$READELF -d conftest$EXEEXT | sed -n '/NEEDED/s/.*\@<:@\($1@<:@-.@:>@@<:@^@:>@@:>@*\)@:>@.*/\1/p'`])])
	AS_IF([test -n "$$1_soname"],
		[AC_MSG_RESULT([$$1_soname])
		 AC_DEFINE_UNQUOTED([$6], ["$$1_soname"], [How the loader calls $1; undefined where it is linked.])
		 LIBS=$tracer_link_LIBS],
		[AC_MSG_RESULT([none, linked instead])])
])

# TRACER_BPF
# With --disable-bpf, --engine=bpf is left out. With --enable-bpf, its requirements must be
# installed; otherwise it is built if they are. Sets the automake condition WITH_BPF and defines the
# macro WITH_BPF as 1 or 0. CLANG, BPFTOOL and BPF_CFLAGS compile the BPF programs. These are the
# same on every machine, so they do not use headers of this one.
AC_DEFUN([TRACER_BPF], [
	AC_ARG_ENABLE([bpf], [AS_HELP_STRING([--disable-bpf], [leave out --engine=bpf])], [], [enable_bpf=auto])
	BPF_CFLAGS="-target bpf -mcpu=v3 -g -O2 -std=gnu11 -ffreestanding -Wall -Wextra"
	tracer_bpf_missing=
	AS_IF([test "x$enable_bpf" != xno], [
		AC_CHECK_PROGS([CLANG], [clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14])
		AC_PATH_PROG([BPFTOOL], [bpftool], [], [$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/sbin])
		AC_CHECK_HEADER([bpf/libbpf.h], [], [tracer_bpf_missing=libbpf])
		AS_IF([test -z "$CLANG"], [tracer_bpf_missing=clang],
		      [test -z "$BPFTOOL"], [tracer_bpf_missing=bpftool],
		      [test -z "$tracer_bpf_missing"], [
			AC_MSG_CHECKING([whether $CLANG and $BPFTOOL build BPF programs])
			printf '%s\n' '#include <stdint.h>' 'typedef uint8_t __u8; typedef uint16_t __u16, __be16;' \
				'typedef uint32_t __u32, __be32, __wsum; typedef int32_t __s32;' \
				'typedef uint64_t __u64; typedef int64_t __s64;' '#include <bpf/bpf_helpers.h>' \
				'SEC("raw_tp") int f(void *ctx) { (void)ctx; return 0; }' >conftest.bpf.c
			AS_IF([$CLANG $BPF_CFLAGS -c -o conftest.bpf.o conftest.bpf.c 2>&AS_MESSAGE_LOG_FD &&
			       $BPFTOOL gen object conftest.out.o conftest.bpf.o >&AS_MESSAGE_LOG_FD 2>&1],
			      [AC_MSG_RESULT([yes])],
			      [AC_MSG_RESULT([no])
			       tracer_bpf_missing="a working clang for BPF or bpftool"])
			rm -f conftest.bpf.c conftest.bpf.o conftest.out.o])
		AS_IF([test "x$enable_bpf" = xyes && test -n "$tracer_bpf_missing"],
		      [AC_MSG_ERROR([--engine=bpf needs $tracer_bpf_missing (Debian: apt-get install clang bpftool libbpf-dev)])])
	])
	AS_IF([test "x$enable_bpf" = xno], [tracer_left_out="$tracer_left_out
  without bpf: --engine=bpf is refused"],
	      [test -n "$tracer_bpf_missing"], [tracer_left_out="$tracer_left_out
  without bpf: --engine=bpf is refused, because $tracer_bpf_missing is missing (Debian: apt-get install clang bpftool libbpf-dev)"
	       enable_bpf=no])
	AM_CONDITIONAL([WITH_BPF], [test "x$enable_bpf" != xno])
	AS_IF([test "x$enable_bpf" != xno],
	      [TRACER_LOAD([libbpf], [libbpf-dev], [bpf/libbpf.h], [-lbpf], [bpf_object__open_mem],
			   [LIBBPF_SONAME], [; or leave it out: ./configure --disable-bpf])
	       AC_DEFINE([WITH_BPF], [1], [Whether --engine=bpf is built in.])],
	      [AC_DEFINE([WITH_BPF], [0])])
	AC_SUBST([BPF_CFLAGS])
])

# TRACER_SELINUX
# With --without-libselinux, --secontext is left out. With --with-libselinux, libselinux must be
# installed; otherwise it is used if it is, except in a static binary.
AC_DEFUN([TRACER_SELINUX], [
	AC_ARG_WITH([libselinux], [AS_HELP_STRING([--without-libselinux], [leave out --secontext])],
		    [], [with_libselinux=auto])
	AS_IF([test "x$with_libselinux" = xauto && test "x$enable_static_binary" = xyes],
	      [with_libselinux=no])
	tracer_selinux_missing=
	AS_IF([test "x$with_libselinux" = xauto],
	      [AC_CHECK_HEADER([selinux/label.h], [with_libselinux=yes],
			       [with_libselinux=no
				tracer_selinux_missing=", because libselinux is missing (Debian: apt-get install libselinux-dev)"])])
	AS_IF([test "x$with_libselinux" = xno], [tracer_left_out="$tracer_left_out
  without libselinux: --secontext is refused$tracer_selinux_missing"],
	      [TRACER_LOAD([libselinux], [libselinux-dev], [selinux/selinux.h], [-lselinux],
			   [is_selinux_enabled], [LIBSELINUX_SONAME],
			   [; or leave it out: ./configure --without-libselinux])])
])

# TRACER_NCURSES
# With --without-ncurses, --tui is left out. With --with-ncurses, ncurses must be installed; otherwise
# it is used if it is, except in a static binary. Sets the automake condition WITH_NCURSES.
AC_DEFUN([TRACER_NCURSES], [
	AC_ARG_WITH([ncurses], [AS_HELP_STRING([--without-ncurses], [leave out --tui])],
		    [], [with_ncurses=auto])
	AS_IF([test "x$with_ncurses" = xauto && test "x$enable_static_binary" = xyes],
	      [with_ncurses=no])
	tracer_ncurses_missing=
	AS_IF([test "x$with_ncurses" = xauto],
	      [AC_CHECK_HEADER([ncurses.h], [with_ncurses=yes],
			       [with_ncurses=no
				tracer_ncurses_missing=", because ncurses is missing (Debian: apt-get install libncurses-dev)"])])
	AS_IF([test "x$with_ncurses" = xno], [tracer_left_out="$tracer_left_out
  without ncurses: --tui is refused$tracer_ncurses_missing"],
	      [TRACER_LOAD([libncursesw], [libncurses-dev], [ncurses.h], [-lncursesw],
			   [newterm], [LIBNCURSESW_SONAME],
			   [; or leave it out: ./configure --without-ncurses])
	       AC_DEFINE([WITH_NCURSES], [1], [Whether --tui is built in.])])
	AM_CONDITIONAL([WITH_NCURSES], [test "x$with_ncurses" != xno])
])

AC_DEFUN([TRACER_READELF], [AC_CHECK_TOOL([READELF], [readelf], [readelf])])

# TRACER_CHECK_EXPORT(SYMBOL, MACRO): defines MACRO if the linked libunwind exports SYMBOL with the
# machine's prefix: UNW_OBJ(SYMBOL).
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

# TRACER_CHECK_STATIC(LIBRARIES): if STATIC_LIBS is not set yet, sets it to LIBRARIES if a static
# program can be linked with LIBS and LIBRARIES that uses libelf, and libdw and libunwind if they
# are built in.
AC_DEFUN([TRACER_CHECK_STATIC], [AS_IF([test -z "$STATIC_LIBS"], [
	AC_MSG_CHECKING([whether $1 are enough for a static binary])
	tracer_save_LIBS=$LIBS
	tracer_save_LDFLAGS=$LDFLAGS
	LIBS="$LIBS $1"
	LDFLAGS="$LDFLAGS -static"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <gelf.h>
#include <libelf.h>
#include <stddef.h>
#if WITH_LIBDW
#include <elfutils/libdw.h>
#endif
#if WITH_LIBUNWIND
#include <libunwind.h>
#endif
#if WITH_BPF
#include <bpf/libbpf.h>
#endif
]], [[
	int failed = elf_begin(0, ELF_C_READ, NULL) == NULL || elf_compress(NULL, 0, 0);
#if WITH_LIBDW
	failed |= dwarf_begin(0, DWARF_C_READ) == NULL;
#endif
#if WITH_LIBUNWIND
	unw_cursor_t c;
	failed |= unw_init_remote(&c, unw_create_addr_space(NULL, 0), NULL) || unw_step(&c);
#endif
#if WITH_BPF
	failed |= bpf_object__load(bpf_object__open_mem("", 0, NULL));
#endif
	return failed;]])],
		[AC_MSG_RESULT([yes])
		 STATIC_LIBS="$LIBS"],
		[AC_MSG_RESULT([no])])
	LIBS=$tracer_save_LIBS
	LDFLAGS=$tracer_save_LDFLAGS
])])

# TRACER_CHECK_CMOCKA: sets CMOCKA_LIBS. It is empty if cmocka is missing, which only `make check`
# needs.
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
