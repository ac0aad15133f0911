/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files as tracees have them mapped: one object per (device, inode, mtime,
 * size), shared by everything that maps the file. A file_source opens them, so that
 * deleted files, memfds and files of other mount namespaces are the right ones.
 * Read with pread(2), never mapped: a tracee that truncates its file must not
 * kill us. Everything a file says is doubted; reads out of bounds just fail.
 */
#ifndef TRACER_STACK_ELF_FILE_H
#define TRACER_STACK_ELF_FILE_H

#include "defs.h"
#include "stack/files/map_table.h"

struct file_source;
struct memory;

/* A thread that has files mapped, and can be looked at. */
struct mapper {
	pid_t tid;
	struct memory *memory;
};

/* What the parts of the unwinder know of a file, one object each. */
enum elf_part {
	ELF_CFI,     /* stack/walk/cfi.c: where its call frame information is */
	ELF_RULES,   /* stack/walk/rules.c: 16-byte rules by address */
	ELF_ROWS,    /* stack/walk/rules.c: whole rows by address */
	ELF_SYMBOLS, /* stack/names/symbols.c */
	ELF_LINES,   /* stack/names/naming.c: names found so far, by address */
	ELF_SOURCE,  /* stack/names/source_lines.c: its DWARF */
	ELF_PARTS
};

struct elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	bool exec;
};

struct elf_section {
	uint32_t name; /* offset in the section name table */
	uint32_t type, link;
	uint64_t flags, addr, offset, size, entsize;
};

struct elf_file {
	unsigned refs;
	uint64_t dev, ino, mtime, size; /* mtime in ns */
	int fd;				/* -1 for an image in memory */
	uint8_t **blocks;		/* of BLOCK_SIZE, read when first needed */
	uint8_t *image;			/* the whole of it, instead of fd and blocks */
	bool is64;
	uint16_t machine, type;
	struct file_source *source; /* for the file's debug files; NULL: none are looked for */
	pid_t opened_by;	    /* its root is where those may be, too; 0: nobody's */
	char *path;		    /* as in the maps of whoever opened it */

	struct elf_segment *segments; /* PT_LOAD */
	size_t nsegments;
	uint64_t eh_frame_hdr; /* address; 0: none */
	uint64_t eh_frame_hdr_size;

	bool sections_read;
	struct elf_section *sections;
	size_t nsections;
	struct elf_section shstrtab;

	bool debuginfod; /* servers may be asked for its debug file */
	bool build_id_read;
	char *build_id; /* lower-case hexadecimal, or NULL */

	/* See elf_file_part(). */
	struct {
		void *data;
		void (*destroy)(void *data);
	} parts[ELF_PARTS];

	struct elf_file *hash_next;
	struct elf_file *idle_prev, *idle_next;
};

struct elf_files;
/* source: borrowed. debuginfod: servers may be asked for debug files. */
struct elf_files *elf_files_create(bool debuginfod, struct file_source *source);
void elf_files_destroy(struct elf_files *set);

/* The file mapped at m, referenced; NULL where there is none, or it is no ELF file. */
struct elf_file *elf_files_open(struct elf_files *set, const struct mapper *who,
				const struct mapping *m);
/*
 * That of a descriptor, taken over whatever comes of it; -1 gives NULL. A new object, not shared,
 * released by elf_file_close().
 */
struct elf_file *elf_file_open_fd(int fd);
/* An ELF image, taken over whatever comes of it. */
struct elf_file *elf_file_from_image(uint8_t *image, size_t size);
void elf_file_close(struct elf_file *f); /* of the two above; NULL is fine */
/* Gives a shared one back; it stays around for a while. */
void elf_files_release(struct elf_files *set, struct elf_file *f);

/* What a part keeps with the file, or NULL where it has kept nothing yet. */
static inline void *elf_file_part(const struct elf_file *f, enum elf_part part)
{
	return f->parts[part].data;
}
/* Keeps data, the file's from here on: destroy(data) is called when the file is closed. */
void elf_file_set_part(struct elf_file *f, enum elf_part part, void *data,
		       void (*destroy)(void *data));

bool elf_file_read(struct elf_file *f, uint64_t offset, void *buf, size_t n);
/* By address, as the program headers lay the file out. */
bool elf_file_load(struct elf_file *f, uint64_t vaddr, void *buf, size_t n);
/* The bytes of the file that can be had from vaddr on, without the next segment. */
uint64_t elf_file_room(const struct elf_file *f, uint64_t vaddr);
/* The address of what is mapped at pc in m. False: no segment holds it. */
bool elf_file_address(const struct elf_file *f, const struct mapping *m, uint64_t pc,
		      uint64_t *addr);

/* Reads the section headers once; none is as good as unreadable ones. */
void elf_file_read_sections(struct elf_file *f);
/* By name; NULL where there is none. */
const struct elf_section *elf_file_section(struct elf_file *f, const char *name);
/* The whole content, decompressed where SHF_COMPRESSED, allocated; NULL when it cannot be had. */
uint8_t *elf_file_section_data(struct elf_file *f, const struct elf_section *s, size_t *size);
const char *elf_file_build_id(struct elf_file *f);

#endif
