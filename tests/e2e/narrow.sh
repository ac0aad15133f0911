# SPDX-License-Identifier: LGPL-2.1-or-later
# Calls of 32-bit programs can be tampered with like those of 64-bit programs: results, errors,
# numbers, arguments.
. "$SRC/tests/lib.sh"
cat >want <<'END'
getppid() = 77 (INJECTED)
fchdir(3) = -1 EPERM (Operation not permitted) (INJECTED)
read(3, "unc", 9) = 3 (INJECTED)
chdir("/nonexistent") = -1 EMFILE (Too many open files) (INJECTED)
access("/", R_OK) = 0 (INJECTED: args)
sched_yield() = 0
--- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_KERNEL} ---
getuid32() = 4000000000 (INJECTED)
getgid32() = 5 (INJECTED)
_llseek(3, 4294967301, [4294967301], SEEK_SET) = 0
getppid 77 
fchdir -1 Operation not permitted
read 3 
unchanged
chdir -1 Too many open files
access 0 
ABCnexistent
sched_yield 0 
signal 1 
getuid -294967296 
getgid 5 
_llseek 0 
4294967301
END
found=
for flag in -m32 -marm -mthumb; do
	if ! program narrow "$flag" 2>/dev/null || ! "$WORK/bin/narrow$flag" >/dev/null 2>&1; then
		continue
	fi
	found=yes
	"$TRACER" -a1 -qq -o log -e trace=getppid,fchdir,read,chdir,access,sched_yield,getuid32,getgid32,_llseek \
		-e inject=getppid:retval=77 -e inject=fchdir:error=EPERM -e inject=read:retval=3 -e inject=chdir:error=EMFILE \
		-e inject=access:poke_enter=@arg1=2f00:poke_exit=@arg1=414243 -e inject=sched_yield:signal=SIGUSR1 \
		-e inject=getuid32:retval=4000000000 -e inject=getgid32:retval=5:syscall=getpid "$WORK/bin/narrow$flag" >out 2>err
	cat log out err >got
	same "changed calls, $flag" got want
done
[ -n "$found" ] || skip "changed calls" "no 32-bit programs can be built or run here"
