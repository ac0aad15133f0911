/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/btf.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/vec.h"

/* Kinds that older headers do not have. */
#define KIND_DECL_TAG 17
#define KIND_TYPE_TAG 18
#define KIND_ENUM64   19

/* What each header has, and the widest form of the word: newer Linux has made both wider. */
#define HEAD_MIN	(offsetof(struct btf_header, str_len) + sizeof(uint32_t))
#define INFO_KIND(info) ((info) >> 24 & 0x7f)
#define INFO_VLEN(info) (0xffffffu & (info))

#define BYTES_MAX   (256u << 20)
#define NESTING_MAX 8  /* structs without a name inside each other */
#define ALIASES_MAX 16 /* typedefs, const, volatile in front of a type */

struct btf {
	uint8_t *bytes;	      /* the whole file */
	size_t mapped;	      /* so many bytes of it are a mapping; 0: it is allocated */
	const uint8_t *types; /* part of it, types_len bytes */
	size_t types_len;
	const char *strings; /* part of it; the last byte is a NUL */
	size_t strings_len;
	VEC(uint32_t)
	at; /* of each type, where it begins in types; [0] is void, which has no place
	     */
};

/* The bytes behind the head of a type, or -1 for an unknown kind. */
static int64_t tail_size(const struct btf_type *t)
{
	uint64_t n = INFO_VLEN(t->info);

	switch (INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	case KIND_ENUM64:
		return n * 3 * sizeof(uint32_t);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

static bool index_types(struct btf *b)
{
	size_t at = 0;

	*vec_push(&b->at) = 0;
	while (at < b->types_len) {
		const struct btf_type *t = (const struct btf_type *)(b->types + at);
		size_t left = b->types_len - at;
		int64_t tail;

		if (left < sizeof(*t) || t->name_off >= b->strings_len)
			return false;
		tail = tail_size(t);
		if (tail < 0 || (uint64_t)tail > left - sizeof(*t))
			return false;
		*vec_push(&b->at) = at;
		at += sizeof(*t) + tail;
	}
	return true;
}

/* Finds types and strings in the n bytes of b. */
static bool parse(struct btf *b, size_t n)
{
	const struct btf_header *h = (const struct btf_header *)b->bytes;
	const uint8_t *body;
	size_t len;

	if (n < HEAD_MIN || h->magic != BTF_MAGIC || h->version != BTF_VERSION ||
	    h->hdr_len < HEAD_MIN || h->hdr_len > n || h->hdr_len % 4)
		return false;
	body = b->bytes + h->hdr_len;
	len = n - h->hdr_len;
	if (h->type_off % 4 || h->type_off > len || h->type_len > len - h->type_off ||
	    h->str_off > len || h->str_len > len - h->str_off || !h->str_len)
		return false;
	b->types = body + h->type_off;
	b->types_len = h->type_len;
	b->strings = (const char *)body + h->str_off;
	b->strings_len = h->str_len;
	return !b->strings[b->strings_len - 1] && index_types(b);
}

/* Takes over bytes, n of them, which are a mapping or allocated. */
static struct btf *btf_of(uint8_t *bytes, size_t n, bool mapped)
{
	struct btf *b = mem_zalloc(sizeof(*b));

	b->bytes = bytes;
	b->mapped = mapped ? n : 0;
	if (parse(b, n))
		return b;
	btf_free(b);
	errno = EINVAL;
	return NULL;
}

struct btf *btf_parse(const void *bytes, size_t n)
{
	uint8_t *copy = mem_alloc(n + 1);

	memcpy(copy, bytes, n);
	return btf_of(copy, n, false);
}

struct btf *btf_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	uint8_t *bytes = NULL;
	size_t size = 0, n = 0;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size > 0 && st.st_size <= BYTES_MAX)
		size = st.st_size;
	/* From Linux 6.16 on it need not be copied, which is a page at a time. */
	if (size) {
		bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			close(fd);
			return btf_of(bytes, size, true);
		}
	}
	bytes = mem_alloc(size + 1);
	while (n < size) {
		ssize_t got = read(fd, bytes + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			err = errno;
		if (got <= 0)
			break;
		n += got;
	}
	close(fd);
	if (!err)
		return btf_of(bytes, n, false);
	free(bytes);
	errno = err;
	return NULL;
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	vec_deinit(&b->at);
	if (b->mapped)
		munmap(b->bytes, b->mapped);
	else
		free(b->bytes);
	free(b);
}

/* The type with that id; NULL if there is none, as for void. */
static const struct btf_type *type_of(const struct btf *b, uint32_t id)
{
	return id && id < b->at.n ? (const struct btf_type *)(b->types + b->at.v[id]) : NULL;
}

static bool is_named(const struct btf *b, uint32_t offset, const char *name)
{
	return offset < b->strings_len && !strcmp(b->strings + offset, name);
}

static int find_by_offset(const struct btf *b, unsigned kind, uint32_t name)
{
	for (uint32_t id = 1; id < b->at.n; id++) {
		const struct btf_type *t = type_of(b, id);

		if (t->name_off == name && INFO_KIND(t->info) == kind)
			return (int)id;
	}
	return -ENOENT;
}

int btf_find(const struct btf *b, unsigned kind, const char *name)
{
	size_t len = strlen(name) + 1;
	const char *at = b->strings, *end = b->strings + b->strings_len;

	/* To find the string first saves looking at a hundred thousand others. */
	while ((at = memmem(at, end - at, name, len))) {
		int id = find_by_offset(b, kind, at - b->strings);

		if (id > 0)
			return id;
		at++;
	}
	return -ENOENT;
}

int btf_size(const struct btf *b, const char *name)
{
	int id = btf_find(b, BTF_KIND_STRUCT, name);

	return id < 0 ? id : (int)type_of(b, id)->size;
}

/* The type that an alias stands for. */
static const struct btf_type *resolve(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = type_of(b, id);

	for (int i = 0; t && i < ALIASES_MAX; i++) {
		switch (INFO_KIND(t->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case KIND_TYPE_TAG:
			t = type_of(b, t->type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

static bool has_members(const struct btf_type *t)
{
	return t && (INFO_KIND(t->info) == BTF_KIND_STRUCT || INFO_KIND(t->info) == BTF_KIND_UNION);
}

/* The offset of a member in bits, and its type; -ENOENT. */
static int64_t member_bits(const struct btf *b, const struct btf_type *t, const char *name,
			   unsigned nesting, uint32_t *type)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	bool bit_fields = BTF_INFO_KFLAG(t->info);

	for (unsigned i = 0; i < INFO_VLEN(t->info); i++, m++) {
		uint32_t at = bit_fields ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;
		const struct btf_type *inner;
		int64_t bits;

		if (is_named(b, m->name_off, name)) {
			*type = m->type;
			return bit_fields && BTF_MEMBER_BITFIELD_SIZE(m->offset) ? -EINVAL
										 : (int64_t)at;
		}
		inner = is_named(b, m->name_off, "") ? resolve(b, m->type) : NULL;
		if (!has_members(inner) || nesting == NESTING_MAX)
			continue;
		bits = member_bits(b, inner, name, nesting + 1, type);
		if (bits != -ENOENT)
			return bits < 0 ? bits : at + bits;
	}
	return -ENOENT;
}

int btf_member(const struct btf *b, const char *name, const char *path)
{
	int id = btf_find(b, BTF_KIND_STRUCT, name);
	const struct btf_type *t = id < 0 ? NULL : type_of(b, id);
	int64_t bits = 0;

	for (;;) {
		size_t len = strcspn(path, ".");
		char part[64];
		uint32_t type = 0;
		int64_t at;

		if (!has_members(t) || len >= sizeof(part))
			return -ENOENT;
		memcpy(part, path, len);
		part[len] = 0;
		at = member_bits(b, t, part, 0, &type);
		if (at < 0)
			return (int)at;
		bits += at;
		if (!path[len])
			return bits % 8 || bits / 8 > INT32_MAX ? -EINVAL : (int)(bits / 8);
		path += len + 1;
		t = resolve(b, type);
	}
}

int btf_params(const struct btf *b, const char *name)
{
	int id = btf_find(b, BTF_KIND_TYPEDEF, name);
	const struct btf_type *t = id < 0 ? NULL : resolve(b, id);

	if (t && INFO_KIND(t->info) == BTF_KIND_PTR)
		t = resolve(b, t->type);
	if (!t || INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		return -ENOENT;
	return INFO_VLEN(t->info);
}
