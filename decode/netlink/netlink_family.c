/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of protocols other than rtnetlink and sock_diag. Contains only the parts that the tables
 * cannot describe.
 */
#include <linux/genetlink.h>
#include <string.h>

#include "linux/families.h"

/* ---- generic netlink: the kernel assigns family numbers at run time ---- */

const struct xlat *netlink_genl_families(struct decoder *d, uint16_t id)
{
	struct xlat *families;
	struct xlat_entry *entry;
	char name[64];
	int err = fact_genl_family(d->facts, id, name, sizeof(name));

	/* If the kernel cannot be queried, only families with fixed numbers are known. */
	if (err && err != -ENOENT)
		return &xlat_genl_families;
	families = arena_alloc(d->arena, sizeof(*families));
	entry = arena_alloc(d->arena, sizeof(*entry));
	*families = xlat_genl_families;
	families->entries = entry;
	families->n = !err;
	if (!err)
		*entry = (struct xlat_entry){id, arena_strdup(d->arena, name)};
	return families;
}

/*
 * Returns the table of a family's commands, or NULL if there is none. `family` has len bytes and no
 * NUL.
 */
static const struct xlat *genl_commands(const char *family, size_t len)
{
	static const struct {
		const char *family;
		const struct xlat *commands;
	} known[] = {
		{"devlink", &xlat_genl_devlink_cmds},
		{"ethtool", &xlat_genl_ethtool_cmds},
		{"IOAM6", &xlat_genl_ioam6_cmds},
		{"mptcp_pm", &xlat_genl_mptcp_pm_cmds},
		{"netdev", &xlat_genl_netdev_cmds},
		{"nl80211", &xlat_genl_nl80211_cmds},
		{"SEG6", &xlat_genl_seg6_cmds},
		{"TASKSTATS", &xlat_genl_taskstats_cmds},
		{"tcp_metrics", &xlat_genl_tcp_metrics_cmds},
		{"thermal", &xlat_genl_thermal_cmds},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].family) == len && !memcmp(known[i].family, family, len))
			return known[i].commands;
	return NULL;
}

/*
 * Shows the list of the operations of a generic netlink family. An earlier attribute contains the
 * name of the family.
 */
static struct value *ctrl_ops_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr, const uint8_t *bytes, size_t len)
{
	size_t n = 0;
	const char *family = (const char *)netlink_sibling(d, CTRL_ATTR_FAMILY_NAME, &n);
	struct value *v;

	d->genl_commands = family ? genl_commands(family, strnlen(family, n)) : NULL;
	v = netlink_attrs(d, &nlattrs_ctrl_ops, addr, bytes, len);
	d->genl_commands = NULL;
	return v;
}
const struct type_ops nl_ctrl_ops = {
	.name = "ctrl_ops", .memory = ctrl_ops_memory, .partial = true};

struct value *nl_genl_cmd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_enum(d->arena, d->genl_commands ? d->genl_commands : &xlat_genl_ctrl_cmds, n);
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

/*
 * Shows struct crypto_report_comp and similar structs. They contain only a name, which extends to
 * the end of the attribute.
 */
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

/*
 * Shows a struct that newer kernels have extended. An attribute of the old length is shown as the
 * old struct. If the attribute is longer but incomplete, the missing bytes are shown as zero.
 * Returns NULL if the attribute is shorter than the old struct.
 */
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
