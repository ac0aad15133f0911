/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Protocols other than rtnetlink and sock_diag whose messages need more than rows. */
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "linux/families.h"
#include "util/mem.h"

/* ---- generic netlink: the kernel gives its families their numbers at run time ---- */

#define FAMILIES_MAX 1024

static struct xlat families;

static int entry_order(const void *a, const void *b)
{
	const struct xlat_entry *x = a, *y = b;

	return (x->val > y->val) - (x->val < y->val);
}

static void family_add(struct xlat_entry *entries, const struct nlmsghdr *h)
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
	if (id && name && families.n < FAMILIES_MAX)
		entries[families.n++] = (struct xlat_entry){id, mem_strdup(name)};
}

static void families_receive(int fd, struct xlat_entry *entries)
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
			family_add(entries, h);
		}
	}
}

const struct xlat *netlink_genl_families(void)
{
	const struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
	} request = {.h = {.nlmsg_len = sizeof(request),
			   .nlmsg_type = GENL_ID_CTRL,
			   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		     .g = {.cmd = CTRL_CMD_GETFAMILY}};
	const struct timeval patience = {.tv_sec = 1};
	struct xlat_entry *entries;
	int fd;

	if (families.entries)
		return &families;
	families = xlat_genl_families;
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0)
		return &families;
	entries = mem_zalloc(FAMILIES_MAX * sizeof(*entries));
	families.n = 0;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (send(fd, &request, sizeof(request), 0) > 0)
		families_receive(fd, entries);
	close(fd);
	if (families.n) {
		qsort(entries, families.n, sizeof(*entries), entry_order);
		families.entries = entries;
	} else {
		free(entries);
		families = xlat_genl_families;
	}
	return &families;
}

/* ---- crypto ---- */

static struct value *text_or_memory(struct decoder *d, const struct type *t, uint64_t addr,
				    const uint8_t *bytes, size_t len)
{
	const struct type s = {.ops = &type_struct, .desc = t->desc};

	if (len < decode_size(d->abi, &s))
		return decode_text(d, bytes, len);
	return decode_bytes(d, &s, addr, bytes, len);
}
const struct type_ops nl_text_or = {.name = "text_or", .memory = text_or_memory};

#define CRYPTO_NAME 64 /* linux/cryptouser.h: CRYPTO_MAX_NAME */

/* struct crypto_report_comp and its like: a name alone, as long as the attribute has it. */
static struct value *crypto_type_memory(struct decoder *d, const struct type *t attr_unused,
					uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t n = size_min(len, CRYPTO_NAME), used = strnlen((const char *)bytes, n);
	struct value *v = value_struct(d->arena), *name = decode_text(d, bytes, used);

	if (used == n)
		name->flags |= VALUE_F_MORE;
	value_add_named(v, "type", name);
	return v;
}
const struct type_ops nl_crypto_type = {.name = "crypto_type", .memory = crypto_type_memory};

/* ---- sock_diag of SMC ---- */

struct value *nl_smc_decline(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_smc_decline_codes, n);

	v->text |= TEXT_BOTH;
	return v;
}

/* Newer kernels have more of it; what lies behind the attribute's end is zero. */
static struct value *smc_dmb_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type old = STRUCT(smcd_diag_dmbinfo), all = STRUCT(smcd_diag_dmbinfo_ext);
	size_t size = decode_size(d->abi, &all), least = decode_size(d->abi, &old);
	uint8_t *whole;

	if (len < least)
		return NULL;
	if (len == least)
		return decode_bytes(d, &old, addr, bytes, len);
	whole = arena_zalloc(d->arena, size);
	memcpy(whole, bytes, size_min(len, size));
	return decode_bytes(d, &all, addr, whole, size);
}
const struct type_ops nl_smc_dmb = {.name = "smc_dmb", .memory = smc_dmb_memory};
