/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that programs start with, and that cannot be kept from the kernel
 * therefore: done to files that every machine has alike.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "calls.h"

int main(void)
{
	int data = memfd_create("data", MFD_CLOEXEC);

	if (write(data, "0123456789abcdefghijklmnopqrstuvwxyz", 36) != 36 || lseek(data, 0, 0))
		return 1;
	umask(022);
	dup2(data, 100);
	dup2(open("/dev/null", O_RDWR), 101);
	close(data);
	calls_run("openat -100 s:/no/such 0x80000 0\n"
		  "openat -100 s:/no/such 0x80042 0644\n"
		  "openat 101 s:x 3 0\n"
		  "openat -100 u:abc 0x410002 0777\n"
		  "openat -100 e: 0x80000000 0\n"
		  "open s:/no/such 0x10000 0\n"
		  "open s:/no/such 0x7fffffff 0xffff\n"
		  "access s:/no/such 0\n"
		  "access s:/ 8\n"
		  "close -1\n"
		  "close 0xffffffff00000063\n"
		  "lseek 100 5 0\n"
		  "lseek 100 -5 7\n"
		  "read 100 p:40 10\n"
		  "read 100 p:40 40\n"
		  "read 100 e: 1\n"
		  "read 100 0 0\n"
		  "pread64 100 p:36 36 0\n"
		  "pread64 100 p:36 36 -1\n"
		  "pread64 100 p:4 0 0x7fffffffffffffff\n"
		  "write -1 s:hello 20\n"
		  "write 101 s:hello%00%01%ff 9\n"
		  "sendfile 101 100 m:(q5) 10\n"
		  "sendfile 101 100 m:(q5) 0\n"
		  "sendfile 101 100 0 10\n"
		  "readv 100 m:(qp:5,q5,qp:5,q5) 2\n"
		  "preadv 100 m:(qp:5,q5,qp:50,q50) 2 20 0\n"
		  "writev 101 m:(qs:hello,q5,qs:world,q5,q1,q0) 3\n"
		  "writev -1 m:(qs:hello,q5) 3\n"
		  "stat s:/dev/null p:144\n"
		  "stat s:/dev/null e:\n"
		  "fstat 101 p:144\n"
		  "newfstatat 101 s: p:144 0x1000\n"
		  "newfstatat 101 s: p:144 0xffffffff\n"
		  "readlink s:/proc/self/fd/100 p:20 20\n"
		  "readlink s:/proc/self/fd/100 p:5 5\n"
		  "readlink s:/dev/null p:5 5\n"
		  "mmap 0 0 3 0x22 -1 0\n"
		  "mmap 0x20000 4096 7 0xffffff -1 0x1000\n"
		  "mmap 0 4096 0xff0000ff 0x54000003 -1 -1\n"
		  "mmap 0x30000000 4096 1 0x32 -1 0\n"
		  "mprotect 0x30000000 4096 0x3000001\n"
		  "mprotect 0x30000000 4096 0\n"
		  "munmap 0x30000000 4096\n"
		  "munmap 1 -1\n"
		  "brk -1\n"
		  "fcntl 100 3 0\n"
		  "fcntl 101 1 0\n"
		  "fcntl 101 0 200\n"
		  "dup3 101 102 0x80000\n"
		  "umask 022\n"
		  "umask 07777\n");
}
