/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Syscalls that show which arguments -P and -e trace-fds= check, including for syscalls that are
 * not decoded.
 */
#include "calls.h"

int main(void)
{
	calls_run("access s:/selected 0\n"
		  /* -e inject= changes both paths. The filter has seen the original paths. */
		  "chdir s:/selected\n"
		  "write 50 s:selected 8\n"
		  "rename s:/selected 1\n"
		  "rename 1 s:/selected\n"
		  "link 1 s:/selected\n"
		  "symlink s:/selected 1\n"
		  "symlink 1 s:/selected\n"
		  "symlinkat s:/selected 50000 1\n"
		  "symlinkat 1 50 1\n"
		  "getcwd s:/selected 0\n"
		  "getpmsg 50\n"
		  "putpmsg 50\n"
		  "fcntl 50 1\n"
		  "fcntl 50000 1030 50\n"
		  "mmap 0 4096 1 0x22 50\n"
		  "epoll_ctl 50 1 50000 0\n"
		  "epoll_ctl 50000 1 50 0\n"
		  "perf_event_open 0 0 0 50 0\n"
		  "fanotify_mark 50 0 0 50000 0\n"
		  "fanotify_mark 50000 0 0 50 0\n"
		  "io_uring_register 50 0x80000000 0 0\n"
		  "fsconfig 50 0 0 0 0\n"
		  "fsconfig 50000 1 0 s:/selected 50\n"
		  "fsconfig 50000 3 0 0 50\n"
		  "fsconfig 50000 3 0 s:/selected 0\n"
		  "fsconfig 50000 5 0 0 50\n"
		  /*
		   * Arrays with more elements than -s shows, and with more elements than the memory
		   * contains.
		   */
		  "poll m:(*39q0xffffffff,d50,d0) 39 0\n"
		  "poll m:(*39q0xffffffff,d50,d0) 0x100000028 0\n"
		  "poll m:(d50,d0) 2 0\n"
		  "select 50 m:(q0x4000000000000) 0 0 m:(q0,q0)\n"
		  "select 51 m:(q0x4000000000000) 0 0 m:(q0,q0)\n"
		  "select 51 0 0 m:(q0x4000000000000) m:(q0,q0)\n"
		  "select 65 m:(q0x4000000000000) 0 0 m:(q0,q0)\n"
		  "pselect6 51 0 m:(q0x4000000000000) 0 m:(q0,q0) 0\n"
		  "sendmsg 50000 m:(q0,q0,q0,q0,qm:(q20,d1,d1,d50,d0),q24,q0) 0\n");
}
