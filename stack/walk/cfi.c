/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/budget.h"
#include "stack/files/elf_file.h"
#include "util/bisect.h"
#include "util/cursor.h"
#include "util/mem.h"
#include "util/vec.h"

/* The DW_EH_PE_* pointer encodings of the Linux Standard Base, "DWARF Extensions". */
#define PE_OMIT		0xff
#define PE_ABSPTR	0x00
#define PE_ULEB128	0x01
#define PE_UDATA2	0x02
#define PE_UDATA4	0x03
#define PE_UDATA8	0x04
#define PE_SIGNED	0x08
#define PE_SLEB128	0x09
#define PE_SDATA2	0x0a
#define PE_SDATA4	0x0b
#define PE_SDATA8	0x0c
#define PE_PCREL	0x10
#define PE_DATAREL	0x30
#define PE_INDIRECT	0x80
#define HDR_TABLE_USUAL (PE_DATAREL | PE_SDATA4)

/* Size limit of a record (CIE or FDE), in bytes. gcc creates some of a few KiB. */
#define RECORD_MAX  (256u << 10)
#define SECTION_MAX (512u << 20)
#define INDEX_MAX   (8u << 20)
/*
 * Maximum number of zero-length records in a section. A hole in a sparse file contains only such
 * records.
 */
#define ZEROS_MAX 4096
#define STEPS	  64 /* number of records to index between checks of the time budget */

struct fde_entry {
	uint64_t lo, hi;
	uint64_t fde; /* section offset of the FDE */
};

/*
 * A section with call frame information. Its bytes are either held in `data` or read from the file
 * when needed.
 */
struct frame_section {
	bool exists, debug; /* debug: true if the section is .debug_frame, whose layout differs from
			       .eh_frame's */
	uint64_t addr;	    /* ELF address of the section, needed to decode pc-relative pointers */
	uint64_t size;
	uint8_t *data; /* the section's contents, or NULL if they are read when needed */
	/* The FDEs, sorted by start address. Built only if the file has no usable search table. */
	VEC(struct fde_entry) index;
	bool indexed;
	/* true if the index is incomplete or missing because the budget was used up */
	bool cut;
};

/* The cached frame sections of a file. */
struct cfi_index {
	struct frame_section eh, debug;
	bool debug_opened;
	/*
	 * The search table of .eh_frame_hdr: its ELF address and its number of entries. Only the
	 * format that linkers create is supported.
	 */
	uint64_t table, nentries;
};

static void index_destroy(void *data)
{
	struct cfi_index *x = data;

	vec_deinit(&x->eh.index);
	vec_deinit(&x->debug.index);
	free(x->eh.data);
	free(x->debug.data);
	free(x);
}

/*
 * Sets *out to the address of the n bytes at the offset `at` of the section. If s->data is NULL,
 * reads the bytes into buf. Returns false if they cannot be read.
 */
static bool section_bytes(struct elf_file *f, const struct frame_section *s, uint64_t at,
			  uint8_t *buf, size_t n, const uint8_t **out)
{
	if (at > s->size || n > s->size - at)
		return false;
	if (s->data) {
		*out = s->data + at;
		return true;
	}
	*out = buf;
	return elf_file_load(f, s->addr + at, buf, n);
}

/*
 * Reads a pointer with the encoding `enc` (DW_EH_PE_*). `base` is the ELF address of `start`, the
 * start of the data that contains the pointer. It is used only for pc-relative encodings. Sets
 * c->bad if the encoding is not supported or if the pointer is truncated.
 */
static uint64_t read_encoded(struct cursor *c, uint8_t enc, const struct elf_file *f,
			     const uint8_t *start, uint64_t base)
{
	uint64_t at = base + (c->p - start), v;

	switch (enc & 0x0f) {
	case PE_ABSPTR:
		v = cursor_uint(c, f->is64 ? 8 : 4);
		break;
	case PE_ULEB128:
		v = cursor_uleb(c);
		break;
	case PE_SLEB128:
		v = cursor_sleb(c);
		break;
	case PE_UDATA2:
		v = cursor_uint(c, 2);
		break;
	case PE_UDATA4:
		v = cursor_uint(c, 4);
		break;
	case PE_SDATA2:
		v = cursor_int(c, 2);
		break;
	case PE_SDATA4:
		v = cursor_int(c, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		v = cursor_uint(c, 8);
		break;
	case PE_SIGNED:
		v = cursor_int(c, f->is64 ? 8 : 4);
		break;
	default:
		c->bad = true;
		return 0;
	}
	switch (enc & 0x70) {
	case 0:
		break;
	case PE_PCREL:
		v += at;
		break;
	case PE_DATAREL:
		v += f->eh_frame_hdr;
		break;
	default:
		c->bad = true;
	}
	if (enc & PE_INDIRECT)
		c->bad = true;
	return f->is64 ? v : (uint32_t)v;
}

struct record {
	const uint8_t *p, *end; /* the bytes of the record after its id field */
	uint64_t addr;		/* ELF address of p */
	uint64_t cie; /* section offset of the CIE (the common data of several FDEs) to which the
			 FDE refers */
	bool is_cie;
	uint64_t next; /* section offset of the next record */
};

/*
 * Reads the record at the offset `at`. Returns 1 on success, 0 at the zero-length terminator or at
 * the end of the section, or -1 if the record is invalid.
 */
static int read_record(struct elf_file *f, const struct frame_section *s, uint64_t at,
		       uint8_t **buf, struct record *r)
{
	uint64_t len, id, id_at = at + 4;
	size_t id_size = 4;
	const uint8_t *b;
	uint8_t head[12];

	if (!section_bytes(f, s, at, head, 4, &b))
		return at == s->size ? 0 : -1;
	len = 0;
	memcpy(&len, b, 4);
	if (!len)
		return 0;
	if (len == 0xffffffff) {
		if (!section_bytes(f, s, at, head, 12, &b))
			return -1;
		memcpy(&len, b + 4, 8);
		id_at = at + 12;
		if (s->debug)
			id_size = 8;
	}
	if (len < id_size || len > RECORD_MAX || id_at > s->size || len > s->size - id_at)
		return -1;
	if (!s->data)
		*buf = mem_realloc(*buf, len);
	if (!section_bytes(f, s, id_at, *buf, len, &b))
		return -1;
	id = 0;
	memcpy(&id, b, id_size);
	r->p = b + id_size;
	r->end = b + len;
	r->addr = s->addr + id_at + id_size;
	r->next = id_at + len;
	if (s->debug) {
		r->is_cie = id == (id_size == 8 ? UINT64_MAX : 0xffffffff);
		r->cie = id;
	} else {
		r->is_cie = !id;
		r->cie = id_at - id;
		if (!r->is_cie && id > id_at)
			return -1;
	}
	return 1;
}

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t fde_enc;
	bool augmented, signal;
	uint8_t *buf; /* allocated copy of the CIE's instructions if the section is not in memory */
	const uint8_t *program, *end;
};

static bool read_cie(struct elf_file *f, const struct frame_section *s, uint64_t at,
		     struct cie *cie)
{
	const uint8_t *aug_end = NULL;
	struct record r;
	struct cursor c;
	const char *aug;
	uint8_t version;

	if (read_record(f, s, at, &cie->buf, &r) != 1 || !r.is_cie)
		return false;
	c = (struct cursor){r.p, r.end, false};
	version = cursor_uint(&c, 1);
	if (version != 1 && version != 3 && version != 4)
		return false;
	aug = (const char *)c.p;
	if (!memchr(c.p, 0, c.end - c.p))
		return false;
	c.p += strlen(aug) + 1;
	if (version == 4) {
		uint8_t address_size = cursor_uint(&c, 1), segment_size = cursor_uint(&c, 1);

		if (address_size != (f->is64 ? 8 : 4) || segment_size)
			return false;
	}
	cie->code_align = cursor_uleb(&c);
	cie->data_align = cursor_sleb(&c);
	cie->ra = version == 1 ? cursor_uint(&c, 1) : cursor_uleb(&c);
	cie->fde_enc = PE_ABSPTR;
	cie->augmented = *aug == 'z';
	if (cie->augmented) {
		uint64_t n = cursor_uleb(&c);

		if (n > (uint64_t)(c.end - c.p))
			return false;
		aug_end = c.p + n;
		for (aug++; *aug; aug++) {
			if (*aug == 'R') {
				cie->fde_enc = cursor_uint(&c, 1);
			} else if (*aug == 'P') {
				uint8_t enc = cursor_uint(&c, 1);

				/*
				 * Only the size of the pointer matters here. Indirect pointers have
				 * the same size.
				 */
				read_encoded(&c, enc & 0x7f, f, r.p, r.addr);
			} else if (*aug == 'L') {
				cursor_uint(&c, 1);
			} else if (*aug == 'S') {
				cie->signal = true;
			} else {
				/*
				 * Stop at an unknown letter. The position of the instructions does
				 * not depend on this letter, because the length of the augmentation
				 * data is known.
				 */
				break;
			}
		}
		if (c.bad || c.p > aug_end)
			return false;
		c.p = aug_end;
	} else if (*aug) {
		return false;
	}
	cie->program = c.p;
	cie->end = c.end;
	return !c.bad;
}

static bool read_fde_range(struct elf_file *f, const struct cie *cie, const struct record *r,
			   struct cursor *c, uint64_t *lo, uint64_t *hi)
{
	*c = (struct cursor){r->p, r->end, false};
	*lo = read_encoded(c, cie->fde_enc, f, r->p, r->addr);
	*hi = *lo + read_encoded(c, cie->fde_enc & 0x0f, f, r->p, r->addr);
	if (!f->is64)
		*hi = (uint32_t)*hi;
	if (cie->augmented)
		cursor_skip(c, cursor_uleb(c));
	return !c->bad && *hi > *lo;
}

/* Building an index of FDEs */

static int compare_entries(const void *a, const void *b)
{
	const struct fde_entry *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/*
 * Builds an index of all FDEs of a section. Stops at the first invalid record, as the C runtime's
 * unwinder does. If the budget is used up before the end, sets s->cut. If no time is left at the
 * start, does nothing.
 */
static void section_index(struct elf_file *f, struct frame_section *s)
{
	uint64_t at = 0, cie_at = UINT64_MAX;
	struct cie cie = {0};
	unsigned steps = 0, zeros = 0;
	uint8_t *buf = NULL;
	struct record r;
	struct cursor c;

	if (s->indexed || !s->exists || !budget_begin(f->budget))
		return;
	s->indexed = true;
	while (s->index.n < INDEX_MAX) {
		struct fde_entry e = {.fde = at};
		int got = read_record(f, s, at, &buf, &r);

		if (++steps % STEPS == 0 && budget_expired(f->budget)) {
			s->cut = true;
			break;
		}

		if (got < 0)
			break;
		if (!got) {
			/*
			 * A zero-length record should end .eh_frame. But crtend.o may have added
			 * such a record before the last records, so continue.
			 */
			at += 4;
			if (at >= s->size || ++zeros == ZEROS_MAX)
				break;
			continue;
		}
		at = r.next;
		if (r.is_cie)
			continue;
		if (r.cie != cie_at) {
			free(cie.buf);
			cie = (struct cie){0};
			cie_at = r.cie;
			if (!read_cie(f, s, r.cie, &cie)) {
				cie_at = UINT64_MAX;
				continue;
			}
		}
		if (!read_fde_range(f, &cie, &r, &c, &e.lo, &e.hi) || !e.lo)
			continue;
		if (s->index.n == s->index.cap &&
		    !elf_file_charge(f, size_max(s->index.cap, 8) * sizeof(e))) {
			s->cut = true;
			break;
		}
		*vec_push(&s->index) = e;
	}
	free(cie.buf);
	free(buf);
	if (s->index.n)
		qsort(s->index.v, s->index.n, sizeof(s->index.v[0]), compare_entries);
	budget_end(f->budget);
}

static bool index_find(const struct frame_section *s, uint64_t addr, uint64_t *fde)
{
	const size_t n = bisect(s->index.n, i, s->index.v[i].lo <= addr);

	if (!n || addr >= s->index.v[n - 1].hi)
		return false;
	*fde = s->index.v[n - 1].fde;
	return true;
}

static bool hdr_open(struct elf_file *f, struct cfi_index *x)
{
	uint8_t b[64] = {0};
	size_t n = size_min(sizeof(b), f->eh_frame_hdr_size);
	struct cursor c;
	uint64_t count;

	if (!f->eh_frame_hdr || n < 4 || !elf_file_load(f, f->eh_frame_hdr, b, n) || b[0] != 1)
		return false;
	c = (struct cursor){b + 4, b + n, false};
	x->eh.addr = read_encoded(&c, b[1], f, b, f->eh_frame_hdr);
	if (c.bad || b[1] == PE_OMIT)
		return false;
	x->eh.exists = true;
	x->eh.size = elf_file_room(f, x->eh.addr);
	if (b[2] == PE_OMIT || b[3] != HDR_TABLE_USUAL)
		return true;
	count = read_encoded(&c, b[2], f, b, f->eh_frame_hdr);
	if (c.bad || !count || count > elf_file_room(f, f->eh_frame_hdr + (c.p - b)) / 8)
		return true;
	x->table = f->eh_frame_hdr + (c.p - b);
	x->nentries = count;
	return true;
}

static struct cfi_index *index_get(struct elf_file *f)
{
	const struct elf_section *s;
	struct cfi_index *x = elf_file_part(f, ELF_CFI);

	if (x)
		return x;
	x = mem_zalloc(sizeof(*x));
	elf_file_set_part(f, ELF_CFI, x, index_destroy);
	x->debug.debug = true;
	if (!hdr_open(f, x)) {
		s = elf_file_section(f, ".eh_frame");
		if (s && s->type != 8 /* SHT_NOBITS */ && s->size <= SECTION_MAX) {
			x->eh.exists = true;
			x->eh.addr = s->addr;
			x->eh.size = s->size;
		}
	}
	/*
	 * The index needs the size of the section. The end of the segment is not a substitute,
	 * because it may contain other data.
	 */
	if (x->eh.exists && !x->table) {
		s = elf_file_section(f, ".eh_frame");
		if (s && s->addr == x->eh.addr && s->size < x->eh.size)
			x->eh.size = s->size;
	}
	return x;
}

static bool table_find(struct elf_file *f, const struct cfi_index *x, uint64_t addr, uint64_t *fde)
{
	uint64_t lo = 0, hi = x->nentries;
	int32_t e[2];

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2, start;

		if (!elf_file_load(f, x->table + mid * 8, e, sizeof(e)))
			return false;
		start = f->eh_frame_hdr + (int64_t)e[0];
		if (!f->is64)
			start = (uint32_t)start;
		if (start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !elf_file_load(f, x->table + (lo - 1) * 8, e, sizeof(e)))
		return false;
	*fde = f->eh_frame_hdr + (int64_t)e[1];
	if (!f->is64)
		*fde = (uint32_t)*fde;
	if (*fde < x->eh.addr)
		return false;
	*fde -= x->eh.addr;
	return true;
}

static void debug_frame_open(struct elf_file *f, struct cfi_index *x)
{
	const struct elf_section *s;
	size_t size;

	if (x->debug_opened)
		return;
	x->debug_opened = true;
	s = elf_file_section(f, ".debug_frame");
	if (!s || s->size > SECTION_MAX)
		return;
	x->debug.data = elf_file_section_data(f, s, &size);
	x->debug.cut =
		x->debug.data ? !elf_file_charge(f, size) : !budget_has_room(f->budget, s->size);
	if (x->debug.cut) {
		free(x->debug.data);
		x->debug.data = NULL;
	}
	x->debug.size = size;
	x->debug.exists = x->debug.data;
}

struct fde {
	struct cie cie;
	uint8_t *buf;
	struct cursor program;
	uint64_t lo, hi;
};

static void fde_deinit(struct fde *d)
{
	free(d->cie.buf);
	free(d->buf);
}

static int fde_read(struct elf_file *f, const struct frame_section *s, uint64_t at, uint64_t addr,
		    struct fde *d)
{
	struct record r;

	*d = (struct fde){0};
	if (read_record(f, s, at, &d->buf, &r) != 1 || r.is_cie ||
	    !read_cie(f, s, r.cie, &d->cie) ||
	    !read_fde_range(f, &d->cie, &r, &d->program, &d->lo, &d->hi)) {
		fde_deinit(d);
		return -EINVAL;
	}
	if (addr < d->lo || addr >= d->hi) {
		fde_deinit(d);
		return -ENOENT;
	}
	return 0;
}

/*
 * Searches the section's index for the FDE that covers addr. The first call builds the index.
 * Returns 0 or an error as cfi_lookup() does. If the index lacks the FDE because the budget was
 * used up, the error is -EAGAIN.
 */
static int indexed_find(struct elf_file *f, struct frame_section *s, uint64_t addr, struct fde *d)
{
	uint64_t at;

	section_index(f, s);
	if (s->exists && index_find(s, addr, &at))
		return fde_read(f, s, at, addr, d);
	return s->cut || (s->exists && !s->indexed) ? -EAGAIN : -ENOENT;
}

static int fde_find(struct elf_file *f, uint64_t addr, struct fde *d)
{
	struct cfi_index *x = index_get(f);
	uint64_t at;
	int err = -ENOENT;

	if (x->table) {
		if (table_find(f, x, addr, &at))
			err = fde_read(f, &x->eh, at, addr, d);
	} else {
		err = indexed_find(f, &x->eh, addr, d);
	}
	if (err != -ENOENT)
		return err;
	if (!x->debug_opened) {
		if (!budget_begin(f->budget))
			return -EAGAIN;
		debug_frame_open(f, x);
		budget_end(f->budget);
	}
	return indexed_find(f, &x->debug, addr, d);
}

uint64_t cfi_pointer(struct cursor *c, const struct elf_file *f, uint8_t encoding)
{
	/*
	 * A relative encoding needs the address of the pointer, which is not known here. No known
	 * compiler or linker uses relative encodings in CFI instructions.
	 */
	if (encoding & 0x70)
		c->bad = true;
	return read_encoded(c, encoding, f, c->p, 0);
}

int cfi_fde_get(struct elf_file *f, uint64_t addr, struct cfi_fde *fde)
{
	struct fde d;
	int err = fde_find(f, addr, &d);

	if (err)
		return err;
	*fde = (struct cfi_fde){.lo = d.lo,
				.hi = d.hi,
				.code_align = d.cie.code_align,
				.data_align = d.cie.data_align,
				.ra = d.cie.ra,
				.signal = d.cie.signal,
				.pointers = d.cie.fde_enc,
				.initial = d.cie.program,
				.initial_end = d.cie.end,
				.program = d.program.p,
				.program_end = d.program.end,
				.buffers = {d.cie.buf, d.buf}};
	return 0;
}

void cfi_fde_free(struct cfi_fde *fde)
{
	free(fde->buffers[0]);
	free(fde->buffers[1]);
}

bool cfi_function(struct elf_file *f, uint64_t addr, uint64_t *lo, uint64_t *hi)
{
	struct fde d;

	if (fde_find(f, addr, &d))
		return false;
	*lo = d.lo;
	*hi = d.hi;
	fde_deinit(&d);
	return true;
}

bool cfi_search_table(struct elf_file *f, uint64_t *table, uint64_t *entries)
{
	const struct cfi_index *x = index_get(f);

	*table = x->table;
	*entries = x->nentries;
	return x->table;
}
