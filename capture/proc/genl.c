/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/genl.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/vec.h"

#define FAMILIES_MAX 1024

struct genl {
	VEC(struct {
		uint16_t id;
		char *name;
	})
	families;
};

static void add(struct genl *g, const struct nlmsghdr *h)
{
	size_t at = NLMSG_HDRLEN + GENL_HDRLEN;
	const char *bytes = (const char *)h, *name = NULL;
	uint16_t id = 0;
	struct nlattr a;

	for (; at + sizeof(a) <= h->nlmsg_len; at += NLA_ALIGN(a.nla_len)) {
		size_t len;

		memcpy(&a, bytes + at, sizeof(a));
		if (a.nla_len < sizeof(a) || a.nla_len > h->nlmsg_len - at)
			break;
		len = a.nla_len - sizeof(a);
		if (a.nla_type == CTRL_ATTR_FAMILY_ID && len >= sizeof(id))
			memcpy(&id, bytes + at + sizeof(a), sizeof(id));
		if (a.nla_type == CTRL_ATTR_FAMILY_NAME && len && !bytes[at + a.nla_len - 1])
			name = bytes + at + sizeof(a);
	}
	if (!id || !name || g->families.n >= FAMILIES_MAX)
		return;
	(void)vec_push(&g->families);
	g->families.v[g->families.n - 1].id = id;
	g->families.v[g->families.n - 1].name = mem_strdup(name);
}

static void receive(struct genl *g, int fd)
{
	union {
		struct nlmsghdr h;
		char bytes[32768];
	} buf;
	ssize_t n;

	while ((n = recv(fd, &buf, sizeof(buf), 0)) > 0) {
		for (const struct nlmsghdr *h = &buf.h; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type != GENL_ID_CTRL)
				return;
			add(g, h);
		}
	}
}

struct genl *genl_create(void)
{
	const struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
	} request = {.h = {.nlmsg_len = sizeof(request),
			   .nlmsg_type = GENL_ID_CTRL,
			   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		     .g = {.cmd = CTRL_CMD_GETFAMILY}};
	const struct timeval patience = {.tv_sec = 1};
	struct genl *g = mem_zalloc(sizeof(*g));
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0)
		return g;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (send(fd, &request, sizeof(request), 0) > 0)
		receive(g, fd);
	close(fd);
	return g;
}

void genl_destroy(struct genl *g)
{
	if (!g)
		return;
	vec_for_each (&g->families, f)
		free(f->name);
	vec_deinit(&g->families);
	free(g);
}

bool genl_is_empty(const struct genl *g)
{
	return !g->families.n;
}

const char *genl_name(const struct genl *g, uint64_t id)
{
	vec_for_each (&g->families, f) {
		if (f->id == id)
			return f->name;
	}
	return NULL;
}
