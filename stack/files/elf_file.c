/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/memory.h"
#include "linux/arch/arch.h"
#include "stack/files/budget.h"
#include "stack/files/debuginfod.h"
#include "stack/files/file_source.h"
#include "util/mem.h"

#define BLOCK_SIZE (16u << 10)
/* No real program is larger, but a tracee can easily create a huge sparse file. */
#define FILE_SIZE_MAX	 (16ull << 30)
#define HASH_SIZE	 256
#define IDLE_MAX	 48
#define SEGMENTS_MAX	 1024
#define SECTIONS_MAX	 (1u << 20)
#define SECTION_SIZE_MAX (1ull << 30)
#define BLOCKS_MAX	 1024
/* Size limit of a decompressed section, in bytes. */
#define UNPACKED_MAX  (64u << 20)
#define VDSO_SIZE_MAX (256u << 10)
#define NOTES_MAX     4096

struct elf_files {
	struct elf_file *hash[HASH_SIZE];
	struct elf_file *idle_first, *idle_last;
	size_t nidle;
	struct debuginfod *debuginfod; /* owned by the set */
	struct file_source *source;
	struct namer *namer;
	struct budget *budget;
};

/* Reading bytes of a file */

bool elf_file_charge(struct elf_file *f, uint64_t n)
{
	if (!f->budget)
		return true;
	if (n > BUDGET_FILE_BYTES || f->bytes > BUDGET_FILE_BYTES - n ||
	    !budget_has_room(f->budget, n))
		return false;
	f->bytes += n;
	f->budget->bytes += n;
	return true;
}

void elf_file_return(struct elf_file *f, uint64_t n)
{
	if (!f->budget)
		return;
	n = n < f->bytes ? n : f->bytes;
	f->bytes -= n;
	f->budget->bytes -= n;
}

static void drop_blocks(struct elf_file *f)
{
	for (uint64_t i = 0; f->nblocks && i <= f->size / BLOCK_SIZE; i++) {
		if (!f->blocks[i])
			continue;
		free(f->blocks[i]);
		f->blocks[i] = NULL;
		f->nblocks--;
		elf_file_return(f, BLOCK_SIZE);
	}
}

static uint8_t *block_get(struct elf_file *f, uint64_t i)
{
	uint64_t base = i * BLOCK_SIZE;
	size_t n = size_min(BLOCK_SIZE, f->size - base), got = 0;
	uint8_t *b;

	if (f->blocks[i])
		return f->blocks[i];
	/*
	 * Drop all cached blocks of the file; they can be read again. Allow one block even if the
	 * budget is used up, because each read needs a block.
	 */
	if (f->nblocks == BLOCKS_MAX || !elf_file_charge(f, BLOCK_SIZE)) {
		drop_blocks(f);
		f->bytes += f->budget ? BLOCK_SIZE : 0;
		if (f->budget)
			f->budget->bytes += BLOCK_SIZE;
	}
	f->nblocks++;
	b = mem_alloc(n);
	while (got < n) {
		ssize_t r = pread(f->fd, b + got, n - got, base + got);

		if (r <= 0)
			break;
		got += r;
	}
	/*
	 * If the file has been truncated, fill the rest of the block with zeros, which are harmless
	 * in ELF data.
	 */
	memset(b + got, 0, n - got);
	f->blocks[i] = b;
	return b;
}

static bool in_file(const struct elf_file *f, uint64_t offset, uint64_t n)
{
	return offset <= f->size && n <= f->size - offset;
}

bool elf_file_read(struct elf_file *f, uint64_t offset, void *buf, size_t n)
{
	uint8_t *out = buf;

	if (!in_file(f, offset, n))
		return false;
	if (f->image) {
		memcpy(buf, f->image + offset, n);
		return true;
	}
	while (n) {
		size_t at = offset % BLOCK_SIZE, part = size_min(n, BLOCK_SIZE - at);

		memcpy(out, block_get(f, offset / BLOCK_SIZE) + at, part);
		out += part;
		offset += part;
		n -= part;
	}
	return true;
}

/*
 * Reads a large range of the file into allocated memory. Does not cache the range, because it is
 * needed only once. Returns NULL on failure.
 */
static uint8_t *read_whole(struct elf_file *f, uint64_t offset, uint64_t n)
{
	uint8_t *buf;
	size_t got = 0;

	if (!in_file(f, offset, n) || n > SECTION_SIZE_MAX || !budget_has_room(f->budget, n))
		return NULL;
	buf = mem_alloc(n);
	if (f->image) {
		memcpy(buf, f->image + offset, n);
		return buf;
	}
	while (got < n) {
		ssize_t r = pread(f->fd, buf + got, n - got, offset + got);

		if (r <= 0) {
			free(buf);
			return NULL;
		}
		got += r;
	}
	return buf;
}

static const struct elf_segment *segment_at(const struct elf_file *f, uint64_t vaddr)
{
	for (size_t i = 0; i < f->nsegments; i++) {
		const struct elf_segment *s = &f->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->filesz)
			return s;
	}
	return NULL;
}

uint64_t elf_file_room(const struct elf_file *f, uint64_t vaddr)
{
	const struct elf_segment *s = segment_at(f, vaddr);

	return s ? s->filesz - (vaddr - s->vaddr) : 0;
}

bool elf_file_load(struct elf_file *f, uint64_t vaddr, void *buf, size_t n)
{
	const struct elf_segment *s = segment_at(f, vaddr);

	if (!s || s->filesz - (vaddr - s->vaddr) < n)
		return false;
	return elf_file_read(f, s->offset + (vaddr - s->vaddr), buf, n);
}

bool elf_file_address(const struct elf_file *f, const struct mapping *m, uint64_t pc,
		      uint64_t *addr)
{
	uint64_t offset = pc - m->start + m->offset;
	const struct elf_segment *best = NULL;

	/*
	 * Compare file offsets, because start addresses of mappings are unreliable: lld and gold
	 * split a program's code across segments, and tools for huge pages split mappings.
	 */
	for (size_t i = 0; i < f->nsegments; i++) {
		const struct elf_segment *s = &f->segments[i];
		uint64_t lo = s->offset & ~4095ULL;

		if (!s->exec || offset < lo)
			continue;
		if (offset >= s->offset && offset - s->offset < s->filesz) {
			best = s;
			break;
		}
		/*
		 * The rest of the segment's last page also belongs to this segment, unless another
		 * segment contains it.
		 */
		if (offset - lo < align_up(s->offset - lo + s->filesz, 4096))
			best = s;
	}
	if (!best)
		return false;
	*addr = offset - best->offset + best->vaddr;
	return true;
}

/* Reading the headers */

static bool read_headers(struct elf_file *f)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} h = {0};
	const struct arch_mode *mode;
	uint64_t phoff;
	size_t phnum, phentsize;

	if (!elf_file_read(f, 0, &h, size_min(f->size, sizeof(h))) ||
	    memcmp(h.ident, ELFMAG, SELFMAG) || h.ident[EI_DATA] != ELFDATA2LSB)
		return false;
	f->is64 = h.ident[EI_CLASS] == ELFCLASS64;
	if (!f->is64 && h.ident[EI_CLASS] != ELFCLASS32)
		return false;
	f->machine = h.e64.e_machine;
	f->type = h.e64.e_type;
	mode = arch_mode_of_elf(f->machine);
	f->not_address = mode ? mode->set_bit : 0;
	f->entry = (f->is64 ? h.e64.e_entry : h.e32.e_entry) & ~f->not_address;
	phoff = f->is64 ? h.e64.e_phoff : h.e32.e_phoff;
	phnum = f->is64 ? h.e64.e_phnum : h.e32.e_phnum;
	phentsize = f->is64 ? h.e64.e_phentsize : h.e32.e_phentsize;
	if (phentsize < (f->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return true; /* A file without segments is valid, but all look-ups of addresses in
				it fail. */
	phnum = size_min(phnum, SEGMENTS_MAX);
	f->segments = mem_zalloc((phnum + 1) * sizeof(*f->segments));
	for (size_t i = 0; i < phnum; i++) {
		uint64_t at = phoff + i * phentsize;
		struct elf_segment *s = &f->segments[f->nsegments];
		Elf64_Phdr p;

		if (f->is64) {
			if (!elf_file_read(f, at, &p, sizeof(p)))
				break;
		} else {
			Elf32_Phdr p32;

			if (!elf_file_read(f, at, &p32, sizeof(p32)))
				break;
			p = (Elf64_Phdr){.p_type = p32.p_type,
					 .p_flags = p32.p_flags,
					 .p_offset = p32.p_offset,
					 .p_vaddr = p32.p_vaddr,
					 .p_filesz = p32.p_filesz,
					 .p_memsz = p32.p_memsz};
		}
		if (p.p_type == PT_GNU_EH_FRAME) {
			f->eh_frame_hdr = p.p_vaddr;
			f->eh_frame_hdr_size = p.p_memsz;
		}
		if (mode && mode->unwind_table && p.p_type == mode->unwind_table) {
			f->unwind_table = p.p_vaddr;
			f->unwind_table_size = p.p_memsz;
		}
		if (p.p_type != PT_LOAD || p.p_offset > f->size)
			continue;
		s->offset = p.p_offset;
		s->vaddr = p.p_vaddr;
		s->filesz = p.p_filesz < f->size - p.p_offset ? p.p_filesz : f->size - p.p_offset;
		s->exec = p.p_flags & PF_X;
		f->nsegments++;
	}
	return true;
}

static bool read_section(struct elf_file *f, uint64_t at, struct elf_section *s)
{
	if (f->is64) {
		Elf64_Shdr h;

		if (!elf_file_read(f, at, &h, sizeof(h)))
			return false;
		*s = (struct elf_section){h.sh_name, h.sh_type,	  h.sh_link, h.sh_flags,
					  h.sh_addr, h.sh_offset, h.sh_size, h.sh_entsize};
	} else {
		Elf32_Shdr h;

		if (!elf_file_read(f, at, &h, sizeof(h)))
			return false;
		*s = (struct elf_section){h.sh_name, h.sh_type,	  h.sh_link, h.sh_flags,
					  h.sh_addr, h.sh_offset, h.sh_size, h.sh_entsize};
	}
	return true;
}

void elf_file_read_sections(struct elf_file *f)
{
	union {
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} h;
	size_t num, entsize, strndx;
	uint64_t off;

	if (f->sections_read)
		return;
	f->sections_read = true;
	if (!elf_file_read(f, 0, &h, f->is64 ? sizeof(h.e64) : sizeof(h.e32)))
		return;
	off = f->is64 ? h.e64.e_shoff : h.e32.e_shoff;
	num = f->is64 ? h.e64.e_shnum : h.e32.e_shnum;
	entsize = f->is64 ? h.e64.e_shentsize : h.e32.e_shentsize;
	strndx = f->is64 ? h.e64.e_shstrndx : h.e32.e_shstrndx;
	if (!off || entsize < (f->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return;
	if (!num || strndx == SHN_XINDEX) {
		struct elf_section first;

		if (!read_section(f, off, &first))
			return;
		if (!num)
			num = size_min(first.size, SECTIONS_MAX);
		if (strndx == SHN_XINDEX)
			strndx = first.link;
	}
	num = size_min(num, f->size / entsize);
	f->sections = mem_alloc((num + 1) * sizeof(*f->sections));
	while (f->nsections < num &&
	       read_section(f, off + f->nsections * entsize, &f->sections[f->nsections]))
		f->nsections++;
	if (strndx < f->nsections)
		f->shstrtab = f->sections[strndx];
}

const struct elf_section *elf_file_section(struct elf_file *f, const char *name)
{
	size_t n = strlen(name) + 1;
	char buf[64];

	elf_file_read_sections(f);
	if (n > sizeof(buf))
		return NULL;
	for (size_t i = 0; i < f->nsections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (s->name < f->shstrtab.size && f->shstrtab.size - s->name >= n &&
		    elf_file_read(f, f->shstrtab.offset + s->name, buf, n) && !memcmp(buf, name, n))
			return s;
	}
	return NULL;
}

static uint8_t *decompress(struct elf_file *f, size_t index, size_t *size)
{
	uint8_t *data;

	if (f->fd < 0)
		return NULL;
	namer_unpack(f->namer, &f->naming, f->fd, NAMER_SECTION, index, 0, UNPACKED_MAX, &data,
		     size);
	return data;
}

uint8_t *elf_file_section_data(struct elf_file *f, const struct elf_section *s, size_t *size)
{
	*size = 0;
	if (s->type == SHT_NOBITS)
		return NULL;
	if (s->flags & SHF_COMPRESSED)
		return decompress(f, s - f->sections, size);
	*size = s->size;
	return read_whole(f, s->offset, s->size);
}

/*
 * Returns the GNU build id in the ELF notes in buf as an allocated string, or NULL if there is
 * none. See elf(5), "Notes".
 */
static char *find_build_id(const uint8_t *buf, size_t n)
{
	while (n >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *h = (const void *)buf;
		uint64_t name = align_up(h->n_namesz, 4), desc = align_up(h->n_descsz, 4);
		const uint8_t *d = buf + sizeof(*h) + name;

		if (sizeof(*h) + name + h->n_descsz > n)
			return NULL;
		if (h->n_type == NT_GNU_BUILD_ID && h->n_namesz == 4 &&
		    !memcmp(buf + sizeof(*h), "GNU", 4) && h->n_descsz && h->n_descsz <= 64) {
			char *hex = mem_alloc(h->n_descsz * 2 + 1);

			for (size_t i = 0; i < h->n_descsz; i++)
				sprintf(hex + 2 * i, "%02x", d[i]);
			return hex;
		}
		if (sizeof(*h) + name + desc > n)
			return NULL;
		buf += sizeof(*h) + name + desc;
		n -= sizeof(*h) + name + desc;
	}
	return NULL;
}

const char *elf_file_build_id(struct elf_file *f)
{
	if (f->build_id_read)
		return f->build_id;
	f->build_id_read = true;
	elf_file_read_sections(f);
	for (size_t i = 0; i < f->nsections && !f->build_id; i++) {
		const struct elf_section *s = &f->sections[i];
		uint8_t notes[NOTES_MAX] __attribute__((aligned(8)));
		size_t n = size_min(s->size, NOTES_MAX);

		if (s->type == SHT_NOTE && elf_file_read(f, s->offset, notes, n))
			f->build_id = find_build_id(notes, n);
	}
	return f->build_id;
}

/* Creating, sharing and destroying file objects */

static struct elf_file *file_new(int fd, uint8_t *image, uint64_t size)
{
	struct elf_file *f = mem_zalloc(sizeof(*f));

	f->refs = 1;
	f->fd = fd;
	f->image = image;
	f->size = size_min(size, FILE_SIZE_MAX);
	if (fd >= 0)
		f->blocks = mem_zalloc((f->size / BLOCK_SIZE + 1) * sizeof(*f->blocks));
	if (!read_headers(f)) {
		elf_file_close(f);
		return NULL;
	}
	return f;
}

void elf_file_set_part(struct elf_file *f, enum elf_part part, void *data,
		       void (*destroy)(void *data))
{
	f->parts[part].data = data;
	f->parts[part].destroy = destroy;
}

static void drop_parts(struct elf_file *f)
{
	for (int i = 0; i < ELF_PARTS; i++) {
		if (f->parts[i].data)
			f->parts[i].destroy(f->parts[i].data);
		f->parts[i].data = NULL;
	}
}

void elf_file_close(struct elf_file *f)
{
	if (!f)
		return;
	if (f->naming.id)
		namer_close(f->namer, &f->naming);
	drop_parts(f);
	if (f->blocks)
		drop_blocks(f);
	elf_file_return(f, f->bytes);
	free(f->blocks);
	free(f->image);
	free(f->segments);
	free(f->sections);
	free(f->build_id);
	free(f->path);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

struct elf_file *elf_file_from_image(uint8_t *image, size_t size)
{
	return file_new(-1, image, size);
}

struct elf_file *elf_file_open_fd(int fd)
{
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	return file_new(fd, NULL, st.st_size);
}

struct elf_files *elf_files_create(bool debuginfod, struct file_source *source, struct namer *namer,
				   struct budget *budget)
{
	struct elf_files *set = mem_zalloc(sizeof(*set));

	set->debuginfod = debuginfod ? debuginfod_create() : NULL;
	set->source = source;
	set->namer = namer;
	set->budget = budget;
	return set;
}

static struct elf_file **hash_slot(struct elf_files *set, uint64_t ino)
{
	return &set->hash[(ino ^ ino >> 8) % HASH_SIZE];
}

static void idle_remove(struct elf_files *set, struct elf_file *f)
{
	*(f->idle_prev ? &f->idle_prev->idle_next : &set->idle_first) = f->idle_next;
	*(f->idle_next ? &f->idle_next->idle_prev : &set->idle_last) = f->idle_prev;
	f->idle_prev = f->idle_next = NULL;
	set->nidle--;
}

static void idle_evict(struct elf_files *set)
{
	struct elf_file *f = set->idle_first, **p = hash_slot(set, f->ino);

	idle_remove(set, f);
	while (*p != f)
		p = &(*p)->hash_next;
	*p = f->hash_next;
	elf_file_close(f);
}

void elf_files_release(struct elf_files *set, struct elf_file *f)
{
	if (!f || --f->refs)
		return;
	f->idle_prev = set->idle_last;
	*(set->idle_last ? &set->idle_last->idle_next : &set->idle_first) = f;
	set->idle_last = f;
	if (++set->nidle > IDLE_MAX)
		idle_evict(set);
}

const char *elf_files_unnamed(const struct elf_files *set)
{
	const struct elf_file *most = NULL;

	for (size_t i = 0; i < HASH_SIZE; i++)
		for (const struct elf_file *f = set->hash[i]; f; f = f->hash_next)
			if (f->unnamed > (most ? most->unnamed : 0))
				most = f;
	return most ? most->path : NULL;
}

void elf_files_trim(struct elf_files *set)
{
	for (size_t i = 0; i < HASH_SIZE; i++)
		for (struct elf_file *f = set->hash[i]; f; f = f->hash_next) {
			drop_parts(f);
			if (f->blocks)
				drop_blocks(f);
			elf_file_return(f, f->bytes);
		}
}

void elf_files_destroy(struct elf_files *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < HASH_SIZE; i++)
		for (struct elf_file *f = set->hash[i], *next; f; f = next) {
			next = f->hash_next;
			elf_file_close(f);
		}
	debuginfod_destroy(set->debuginfod);
	free(set);
}

static struct elf_file *share(struct elf_files *set, struct elf_file *f)
{
	if (!f->refs++)
		idle_remove(set, f);
	return f;
}

/*
 * Returns the file object of the vdso that is mapped at m. A vdso has no file, so equal contents
 * mean the same vdso.
 */
static struct elf_file *open_vdso(struct elf_files *set, struct memory *memory,
				  const struct mapping *m)
{
	uint64_t size = m->end - m->start;
	struct elf_file *f, **slot;
	uint8_t *image;

	if (size > VDSO_SIZE_MAX)
		return NULL;
	image = mem_alloc(size);
	if (memory_read(memory, m->start, image, size)) {
		free(image);
		return NULL;
	}
	slot = hash_slot(set, 0);
	for (f = *slot; f; f = f->hash_next)
		if (f->image && f->size == size && !memcmp(f->image, image, size)) {
			free(image);
			return share(set, f);
		}
	f = elf_file_from_image(image, size);
	if (!f)
		return NULL;
	f->path = mem_strdup(m->name);
	f->hash_next = *slot;
	*slot = f;
	return f;
}

struct elf_file *elf_files_open(struct elf_files *set, const struct mapper *who,
				const struct mapping *m)
{
	struct file_source *source = set->source;
	struct elf_file *f, **slot;
	uint64_t mtime;
	struct stat st;
	int fd;

	if (!m->inode)
		return m->name && !strcmp(m->name, "[vdso]") ? open_vdso(set, who->memory, m)
							     : NULL;
	fd = source->ops->open_mapped(source, who->tid, m);
	if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
		while (set->nidle)
			idle_evict(set);
		fd = source->ops->open_mapped(source, who->tid, m);
	}
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	mtime = st.st_mtim.tv_sec * 1000000000ull + st.st_mtim.tv_nsec;
	slot = hash_slot(set, st.st_ino);
	for (f = *slot; f; f = f->hash_next)
		if (f->ino == st.st_ino && f->dev == st.st_dev && f->mtime == mtime &&
		    f->size == size_min(st.st_size, FILE_SIZE_MAX) && !f->image) {
			close(fd);
			return share(set, f);
		}
	f = file_new(fd, NULL, st.st_size);
	if (!f)
		return NULL;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->mtime = mtime;
	f->source = source;
	f->namer = set->namer;
	f->budget = set->budget;
	f->opened_by = who->tid;
	f->debuginfod = set->debuginfod;
	f->path = mem_strdup(m->name ? m->name : "");
	f->hash_next = *slot;
	*slot = f;
	return f;
}
