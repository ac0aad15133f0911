/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Answers about descriptors, derived from data that the BPF programs record. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "capture/bpf/fd_paths.h"
#include "capture/bpf/records.h"
#include "capture/facts.h"

static const char *path_of(struct fact_answer *a, struct fd_head head, const char *names, size_t n)
{
	uint8_t bytes[256];

	*a = (struct fact_answer){0};
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), names, n);
	if (!fd_path_answer(bytes, sizeof(head) + n, a))
		return NULL;
	a->bytes[a->len] = '\0';
	return a->bytes;
}

static void test_fd_paths(void **state)
{
	const struct fd_head there = {.hashed = 1}, gone = {0};
	struct fact_answer a;

	(void)state;
	assert_string_equal(path_of(&a, there, "", 0), "/");
	assert_string_equal(path_of(&a, there, "x\0etc", 6), "/etc/x");
	assert_int_equal(a.numbers[0], 6);
	assert_string_equal(path_of(&a, gone, "x\0etc", 6), "/etc/x (deleted)");
	assert_int_equal(a.numbers[0], 6);
	assert_string_equal(path_of(&a, gone, "", 0), "/");
	assert_string_equal(
		path_of(&a, (struct fd_head){.dname = 1, .magic = 0x534f434b, .inode = 7}, "", 1),
		"socket:[7]");
	assert_string_equal(
		path_of(&a, (struct fd_head){.dname = 1, .magic = 0x09041934}, "[eventfd]", 10),
		"anon_inode:[eventfd]");
	assert_null(path_of(&a, (struct fd_head){.dname = 1, .magic = 1}, "x", 2));
	/* The data ends within the name. */
	assert_null(path_of(&a, there, "etc", 3));
	assert_false(fd_path_answer(&there, sizeof(there) - 1, &a));
}

static void test_fd_sockets(void **state attr_unused)
{
	struct {
		struct fd_head head;
		char name[4];
	} tcp = {.head = {.inode = 7,
			  .magic = 0x534f434b,
			  .socket = {AF_INET, .port = 80, .peer_port = htons(4000),
				     .address = {127, 0, 0, 1}, .peer = {10, 0, 0, 9}}},
		 .name = "TCP"};
	struct fact_answer a = {0};
	struct socket_fact s;

	assert_true(fd_protocol_answer(&tcp, sizeof(tcp), &a));
	assert_string_equal(a.bytes, "TCP");
	assert_true(fd_socket_answer(&tcp, sizeof(tcp), 7, &s));
	assert_int_equal(s.family, AF_INET);
	assert_int_equal(s.port, 80);
	assert_int_equal(s.peer_port, 4000);
	assert_memory_equal(s.address, "\177\0\0\1", 4);
	assert_memory_equal(s.peer, "\12\0\0\11", 4);
	assert_false(fd_socket_answer(&tcp, sizeof(tcp), 8, &s));
	assert_false(fd_socket_answer(&tcp, sizeof(tcp.head) - 1, 7, &s));
	tcp.head.socket.port = 0;
	assert_true(fd_socket_answer(&tcp, sizeof(tcp), 7, &s));
	assert_int_equal(s.family, 0);
	/* For a raw socket, only the protocol is expected, so this record is a complete answer. */
	tcp.head.socket.port = 80;
	memcpy(tcp.name, "RAW", 3);
	assert_true(fd_socket_answer(&tcp, sizeof(tcp), 7, &s));
	assert_int_equal(s.family, 0);
	/* The BPF programs cannot find the addresses of SCTP sockets. */
	memcpy(tcp.name, "SCTP", 4);
	assert_false(fd_socket_answer(&tcp, sizeof(tcp), 7, &s));
	tcp.head.magic = 1;
	assert_false(fd_protocol_answer(&tcp, sizeof(tcp), &a));
	assert_false(fd_socket_answer(&tcp, sizeof(tcp), 7, &s));
}

static void test_fd_sockets_local(void **state attr_unused)
{
	struct {
		struct fd_head head;
		char bytes[16];
	} local = {.head = {.inode = 7,
			    .dname = 1,
			    .magic = 0x534f434b,
			    .path_len = 4,
			    .socket = {AF_UNIX, .peer_inode = 12}},
		   .bytes = "\0abcUNIX"};
	const size_t n = sizeof(local.head) + 9;
	struct fact_answer a = {0};
	struct socket_fact s;

	assert_true(fd_path_answer(&local, n, &a));
	assert_memory_equal(a.bytes, "socket:[7]", 10);
	a = (struct fact_answer){0};
	assert_true(fd_protocol_answer(&local, n, &a));
	assert_int_equal(a.len, 4);
	assert_memory_equal(a.bytes, "UNIX", 4);
	assert_true(fd_socket_answer(&local, n, 7, &s));
	assert_int_equal(s.family, AF_UNIX);
	assert_int_equal(s.peer_inode, 12);
	assert_int_equal(s.path_len, 4);
	assert_memory_equal(s.path, "\0abc", 4);
	/* The address is truncated. */
	assert_false(fd_socket_answer(&local, sizeof(local.head) + 3, 7, &s));
}

static void test_fd_sockets_netlink(void **state attr_unused)
{
	struct {
		struct fd_head head;
		char name[8];
	} netlink = {.head = {.inode = 7,
			      .magic = 0x534f434b,
			      .socket = {AF_NETLINK, .port = 15, .address = {1, 2}}},
		     .name = "NETLINK"};
	struct socket_fact s;

	assert_true(fd_socket_answer(&netlink, sizeof(netlink), 7, &s));
	assert_int_equal(s.family, AF_NETLINK);
	assert_int_equal(s.protocol, 15);
	assert_int_equal(s.portid, 0x201);
	memset(netlink.head.socket.address, 0, sizeof(netlink.head.socket.address));
	assert_true(fd_socket_answer(&netlink, sizeof(netlink), 7, &s));
	assert_int_equal(s.family, 0);
}

/* An inode without a name in a file system. The kernel generates a name for it. */
struct special {
	struct fd_head head;
	char name[16];
};

static struct special special(const char *name, struct fd_special what)
{
	struct special s = {.head = {.dname = 1, .magic = 0x09041934, .special = what}};

	strncpy(s.name, name, sizeof(s.name) - 1);
	return s;
}

static const char *info(const struct special *s, const char *key, struct fact_answer *a)
{
	*a = (struct fact_answer){0};
	if (!fd_info_answer(s, sizeof(s->head) + strlen(s->name) + 1, key, a))
		return NULL;
	a->bytes[a->len] = '\0';
	return a->bytes;
}

static void test_fd_info(void **state attr_unused)
{
	struct special event = special(
		"[eventfd]", (struct fd_special){.known = 1, .number = 4, .value = 17, .flags = 1});
	struct special signals =
		special("[signalfd]", (struct fd_special){.known = 1, .value = ~0x200ull});
	struct special other = special("[eventfd2]", (struct fd_special){.known = 1});
	struct special terminal = {.head = {.mode = 0020600,
					    .rdev = 5 << 20 | 2,
					    .special = {.known = 1, .number = 7}}};
	struct fact_answer a;

	assert_string_equal(info(&event, "eventfd-count", &a), "11");
	assert_string_equal(info(&event, "eventfd-id", &a), "4");
	assert_string_equal(info(&event, "eventfd-semaphore", &a), "1");
	assert_null(info(&event, "sigmask", &a));
	assert_string_equal(info(&signals, "sigmask", &a), "0000000000000200");
	assert_null(info(&other, "eventfd-count", &a));
	assert_string_equal(info(&terminal, "tty-index", &a), "7");
	/* A block device with the same device number as the terminal. */
	terminal.head.mode = 0060600;
	assert_null(info(&terminal, "tty-index", &a));
	event.head.special.known = 0;
	assert_null(info(&event, "eventfd-count", &a));
	assert_false(fd_info_answer(&signals, sizeof(signals.head) - 1, "sigmask", &a));
}

static void test_fd_pidfd(void **state attr_unused)
{
	struct special old = special("[pidfd]", (struct fd_special){.known = 1, .number = 9});
	struct fd_head new = {
		.dname = 1, .magic = 0x50494446, .special = {.known = 1, .number = -1}};
	struct fact_answer a = {0};

	assert_true(fd_pidfd_answer(&old, sizeof(old.head) + sizeof("[pidfd]"), &a));
	assert_int_equal(a.numbers[0], 9);
	assert_int_equal(a.numbers[1], 9);
	assert_false(fd_pidfd_answer(&old, sizeof(old.head) + sizeof("[pidfd") - 1, &a));
	a = (struct fact_answer){0};
	assert_true(fd_pidfd_answer(&new, sizeof(new), &a));
	assert_int_equal(a.numbers[0], -1);
	assert_int_equal(a.numbers[1], 0);
	/* The process has no pid in tracer's pid namespace. */
	new.special.number = 0;
	assert_false(fd_pidfd_answer(&new, sizeof(new), &a));
	new.special = (struct fd_special){.number = 5};
	assert_false(fd_pidfd_answer(&new, sizeof(new), &a));
}

static void test_fd_device(void **state attr_unused)
{
	struct special null = {.head = {.hashed = 1, .mode = 0020666, .rdev = 1 << 20 | 259},
			       .name = "null\0dev"};
	const size_t n = sizeof(null.head) + 9;
	struct fact_answer a = {0};

	assert_true(fd_device_answer(&null, n, "/dev/null", &a));
	assert_int_equal(a.error, 0);
	assert_int_equal(a.numbers[0], S_IFCHR);
	assert_int_equal(a.numbers[1], makedev(1, 259));
	assert_false(fd_device_answer(&null, n, "/dev/nul", &a));
	null.head.mode = 0100644;
	assert_true(fd_device_answer(&null, n, "/dev/null", &a));
	assert_int_equal(a.error, -ENOENT);
	/* The device file was deleted, so another file may now have its name. */
	null.head.hashed = 0;
	assert_false(fd_device_answer(&null, n, "/dev/null", &a));
	assert_false(fd_device_answer(&null, n, "/dev/null (deleted)", &a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fd_paths),	 cmocka_unit_test(test_fd_sockets),
		cmocka_unit_test(test_fd_sockets_local), cmocka_unit_test(test_fd_sockets_netlink),
		cmocka_unit_test(test_fd_info),		 cmocka_unit_test(test_fd_pidfd),
		cmocka_unit_test(test_fd_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
