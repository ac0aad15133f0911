/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files that tracees have mapped, see elf(5). There is one object for each (device, inode,
 * mtime, size), shared by all mappings of the file. A file_source opens them, so that deleted
 * files, memfds and files of other mount namespaces are found as well. Files are read with
 * pread(2) and never mapped, because a tracee that truncates its file could kill us. Nothing that
 * a file says is trusted; reads out of bounds fail.
 */
#ifndef TRACER_STACK_FILES_ELF_FILE_H
#define TRACER_STACK_FILES_ELF_FILE_H

#include "defs.h"
#include "stack/files/map_table.h"
#include "stack/namer/namer.h"

struct budget;
struct debuginfod;
struct file_source;
struct memory;

/* A stopped thread that has a file mapped: whom to ask for the file. */
struct mapper {
	pid_t tid;
	struct memory *memory;
};

/* Parts of the unwinder that keep an object of their own with each file, see elf_file_part(). */
enum elf_part {
	ELF_CFI,      /* stack/walk/cfi.c: where the file's call frame information is */
	ELF_RULES,    /* stack/walk/rules.c: 16-byte rules by address */
	ELF_ROWS,     /* stack/walk/rules.c: whole rows by address */
	ELF_SYMBOLS,  /* stack/names/symbols.c */
	ELF_LINES,    /* stack/names/naming.c: names found so far, by address */
	ELF_SOURCE,   /* stack/names/source_lines.c: where the file's DWARF is */
	ELF_LANGUAGE, /* stack/lang/lang.c: the runtime of a language that it contains */
	ELF_PARTS
};

/* A program header with the type PT_LOAD; the fields are those of Elf64_Phdr, elf(5). */
struct elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	bool exec;
};

/* A section header; the fields are those of Elf64_Shdr, elf(5). */
struct elf_section {
	uint32_t name; /* offset in the section name table */
	uint32_t type, link;
	uint64_t flags, addr, offset, size, entsize;
};

struct elf_file {
	unsigned refs;
	uint64_t dev, ino, mtime, size; /* mtime in ns, size in bytes */
	int fd;				/* -1 for an image in memory */
	uint8_t **blocks;		/* of BLOCK_SIZE bytes, read when first needed */
	uint8_t *image;			/* the whole file in memory, instead of fd and blocks */
	bool is64;
	uint16_t machine, type;	    /* e_machine and e_type of its header */
	uint64_t entry;		    /* e_entry: the address where the program begins; 0: none */
	struct file_source *source; /* opens debug files; borrowed; NULL: there are none */
	pid_t opened_by; /* debug files are looked for in the root of this process, too; 0: none */
	char *path;	 /* as in the maps of the tracee for which it was opened */

	struct elf_segment *segments;
	size_t nsegments;
	uint64_t eh_frame_hdr;	    /* address; 0: none */
	uint64_t eh_frame_hdr_size; /* in bytes */
	/* The table that unwind_table of struct arch_mode is about: address, and size in bytes. */
	uint64_t unwind_table, unwind_table_size;
	uint64_t not_address; /* bits in symbols of functions that are not part of the address */

	bool sections_read; /* elf_file_read_sections() was called */
	struct elf_section *sections;
	size_t nsections;
	struct elf_section shstrtab; /* the section name table */

	struct budget *budget; /* of all files together; borrowed; NULL: there is none */
	uint64_t bytes;	       /* of it, in use for this file */
	size_t nblocks;	       /* blocks that are read */

	struct namer *namer;	  /* reads what libraries are needed for; borrowed; NULL: nobody */
	struct namer_file naming; /* what it knows of this file */

	struct debuginfod *debuginfod; /* asks servers for its debug file; NULL: nobody */
	bool build_id_read;	       /* elf_file_build_id() was called */
	char *build_id;		       /* lower-case hexadecimal, or NULL */

	/* See elf_file_part(). */
	struct {
		void *data;
		void (*destroy)(void *data);
	} parts[ELF_PARTS];

	struct elf_file *hash_next;		/* in the same bucket of struct elf_files */
	struct elf_file *idle_prev, *idle_next; /* among those without references */
};

/* All shared files. */
struct elf_files;
/*
 * source opens the files, namer reads what they have of other libraries' formats, and budget bounds
 * what is kept of them; all are borrowed. debuginfod: servers may be asked for debug files.
 */
struct elf_files *elf_files_create(bool debuginfod, struct file_source *source, struct namer *namer,
				   struct budget *budget);
/*
 * Drops what is kept of files and can be read again: their blocks and parts. So nobody may hold on
 * to anything of theirs but the files themselves.
 */
void elf_files_trim(struct elf_files *set);
void elf_files_destroy(struct elf_files *set);

/*
 * Returns the file that thread who has mapped at m. The caller returns its reference by
 * elf_files_release(). NULL if there is none or it is not an ELF file.
 */
struct elf_file *elf_files_open(struct elf_files *set, const struct mapper *who,
				const struct mapping *m);
/*
 * A new, unshared object for an open file, or NULL if fd is -1 or no ELF file. Closes fd in any
 * case, now or with the object. The caller closes the object by elf_file_close().
 */
struct elf_file *elf_file_open_fd(int fd);
/* The same for an ELF image in allocated memory of size bytes, which is freed in any case. */
struct elf_file *elf_file_from_image(uint8_t *image, size_t size);
/* Closes a file of elf_file_open_fd() or elf_file_from_image(). NULL is fine. */
void elf_file_close(struct elf_file *f);
/* Gives back a reference of elf_files_open(). The file is kept for a while without references. */
void elf_files_release(struct elf_files *set, struct elf_file *f);

/* The object that a part keeps with the file, or NULL if there is none yet. */
static inline void *elf_file_part(const struct elf_file *f, enum elf_part part)
{
	return f->parts[part].data;
}
/* Keeps data with the file, which owns it: destroy(data) is called when the file is closed. */
void elf_file_set_part(struct elf_file *f, enum elf_part part, void *data,
		       void (*destroy)(void *data));

/*
 * Asks for n bytes of the budget, for something that is kept with the file. Returns false if that
 * would be too much, for all files or for this one; nothing is kept then. elf_file_return() gives
 * bytes back before the file is closed or trimmed.
 */
bool elf_file_charge(struct elf_file *f, uint64_t n) attr_must_check;
void elf_file_return(struct elf_file *f, uint64_t n);

/* Reads n bytes at a file offset. Returns false if they are not all within the file. */
bool elf_file_read(struct elf_file *f, uint64_t offset, void *buf, size_t n);
/*
 * Reads n bytes at an address, as the program headers map the file. Returns false if they are not
 * all within one segment of the file.
 */
bool elf_file_load(struct elf_file *f, uint64_t vaddr, void *buf, size_t n);
/* The number of bytes from address vaddr on to the end of its segment in the file; 0: none. */
uint64_t elf_file_room(const struct elf_file *f, uint64_t vaddr);
/*
 * Puts the ELF address of the byte that is mapped at pc in m into *addr. Returns false if no
 * segment contains it.
 */
bool elf_file_address(const struct elf_file *f, const struct mapping *m, uint64_t pc,
		      uint64_t *addr);

/* Reads the section headers, unless that was done. If they cannot be read, there are no sections.
 */
void elf_file_read_sections(struct elf_file *f);
/* The section with that name, owned by f, or NULL. */
const struct elf_section *elf_file_section(struct elf_file *f, const char *name);
/*
 * The content of a section, *size bytes, decompressed if it has SHF_COMPRESSED. The caller frees
 * it. NULL if it cannot be read.
 */
uint8_t *elf_file_section_data(struct elf_file *f, const struct elf_section *s, size_t *size);
/* The GNU build id in lower-case hexadecimal, owned by f, or NULL. */
const char *elf_file_build_id(struct elf_file *f);

#endif
