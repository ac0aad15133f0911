/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files that tracees have mapped, see elf(5). A file is identified by device, inode, mtime and
 * size. There is one object for each file, which all mappings of the file share. Files are opened
 * through a file_source, which can also open deleted files, memfds and files in other mount
 * namespaces. Files are read with pread(2) and never mapped, because a tracee could kill tracer by
 * truncating a mapped file. The contents of files are not trusted; out-of-bounds reads fail.
 */
#ifndef TRACER_STACK_FILES_ELF_FILE_H
#define TRACER_STACK_FILES_ELF_FILE_H

#include "defs.h"
#include "stack/files/map_table.h"
#include "stack/namer/namer.h"
#include "util/mem.h"

struct budget;
struct debuginfod;
struct file_source;
struct memory;

/* A stopped thread that has mapped a file. The file is opened through the thread's mappings. */
struct mapper {
	pid_t tid;
	struct memory *memory;
};

/* The components of the unwinder that attach data to files, see elf_file_part(). */
enum elf_part {
	ELF_CFI,      /* stack/walk/cfi.c: the location of call frame information */
	ELF_RULES,    /* stack/walk/rules.c: unwind rules of 16 bytes each, by address */
	ELF_GO,	      /* stack/walk/go.c: addresses of Go runtime functions */
	ELF_ROWS,     /* stack/walk/rules.c: full rows, by address */
	ELF_SYMBOLS,  /* stack/names/symbols.c: symbol tables */
	ELF_LINES,    /* stack/names/naming.c: names found so far, by address */
	ELF_SOURCE,   /* stack/names/source_lines.c: the location of DWARF data */
	ELF_LANGUAGE, /* stack/lang/lang.c: the language runtime in the file */
	ELF_ASYNCIO,  /* stack/lang/python_asyncio.c: the layout of Python's tasks */
	ELF_PARTS
};

/* A PT_LOAD program header. The fields are those of Elf64_Phdr in elf(5). */
struct elf_segment {
	uint64_t offset, vaddr, filesz;
	bool exec;
};

/* A section header. The fields are those of Elf64_Shdr in elf(5). */
struct elf_section {
	uint32_t name; /* offset in the section name table */
	uint32_t type, link;
	uint64_t flags, addr, offset, size, entsize;
};

struct elf_file {
	unsigned refs;
	uint64_t dev, ino, mtime, size; /* mtime is in ns, size in bytes */
	int fd;				/* descriptor of the file, or -1 for an image in memory */
	uint8_t **blocks; /* array of blocks of BLOCK_SIZE bytes, each read when needed */
	uint8_t *image; /* the contents of the file if they were given in memory; then fd and blocks
			   are not used; otherwise NULL */
	bool is64;
	uint16_t machine, type;	    /* e_machine and e_type of the ELF header */
	uint64_t entry;		    /* e_entry: address of the program's first instruction, or 0 */
	struct file_source *source; /* opens debug files; borrowed; may be NULL */
	pid_t opened_by; /* pid of a process whose root is also searched for debug files, or 0 */
	char *path; /* the path in /proc/PID/maps or, for a debug file, the path that was opened;
		       NULL if unknown */

	struct elf_segment *segments;
	size_t nsegments;
	uint64_t eh_frame_hdr;	    /* ELF address of .eh_frame_hdr, or 0 if the file has none */
	uint64_t eh_frame_hdr_size; /* size of .eh_frame_hdr in bytes */
	/*
	 * Address and size (in bytes) of the segment whose type is `unwind_table` of struct
	 * arch_mode.
	 */
	uint64_t unwind_table, unwind_table_size;
	uint64_t not_address; /* bits in the values of function symbols that are not part of the
				 address, such as Arm's Thumb bit */

	bool sections_read; /* true if elf_file_read_sections() has been called */
	struct elf_section *sections;
	size_t nsections;
	struct elf_section shstrtab; /* the section name table */

	struct budget *budget; /* the budget that all files share; borrowed; may be NULL */
	uint64_t bytes;	       /* number of bytes charged to the budget for this file */
	size_t nblocks;	       /* number of blocks in memory */

	/*
	 * Number of addresses that were shown without a name because the file's symbols are not
	 * installed.
	 */
	unsigned unnamed;

	struct namer *namer; /* parses data with third-party libraries; borrowed; may be NULL */
	struct namer_file naming; /* the namer's data about this file */

	struct debuginfod *debuginfod; /* gets debug files from debuginfod servers; may be NULL */
	bool build_id_read;	       /* true if elf_file_build_id() has been called */
	char *build_id;		       /* build id in lower-case hexadecimal, or NULL */

	/* Data that components of the unwinder have attached, see elf_file_part(). */
	struct {
		void *data;
		void (*destroy)(void *data);
	} parts[ELF_PARTS];

	struct elf_file *hash_next; /* next file in the same bucket of struct elf_files */
	struct elf_file *idle_prev, *idle_next; /* links of the list of unreferenced files */
};

/* The set of files that mappings share. */
struct elf_files;
/*
 * Creates a set of files. source opens the files, namer parses data that needs third-party
 * libraries, and budget limits the memory for cached data. All three are borrowed. If debuginfod is
 * true, debug files may be requested from servers.
 */
struct elf_files *elf_files_create(bool debuginfod, struct file_source *source, struct namer *namer,
				   struct budget *budget);
/*
 * Frees the cached blocks of all files and the data that elf_file_set_part() has attached to the
 * files. Both are read again when needed. Pointers to blocks and attached data become invalid;
 * pointers to files remain valid.
 */
void elf_files_trim(struct elf_files *set);
void elf_files_destroy(struct elf_files *set);

/*
 * Opens the file that the thread `who` has mapped at m, or the vdso. Returns NULL if the mapping
 * has no file, or if the file cannot be opened or is not an ELF file. The caller releases the file
 * with elf_files_release().
 */
struct elf_file *elf_files_open(struct elf_files *set, const struct mapper *who,
				const struct mapping *m);
/*
 * Creates an object for an open file. The object is not shared. Takes ownership of fd, which is
 * closed on failure or together with the object. Returns NULL if fd is -1 or is not an ELF file.
 * The caller closes the object with elf_file_close().
 */
struct elf_file *elf_file_open_fd(int fd);
/*
 * Does the same as elf_file_open_fd() for an ELF image of `size` bytes in allocated memory. Takes
 * ownership of image, even on failure.
 */
struct elf_file *elf_file_from_image(uint8_t *image, size_t size);
/* Closes a file from elf_file_open_fd() or elf_file_from_image(). f may be NULL. */
void elf_file_close(struct elf_file *f);
/*
 * Among the files whose symbols are not installed, returns the path of the file in which the most
 * addresses were shown without a name. Returns NULL if there is no such file. The path is valid as
 * long as the set exists.
 */
const char *elf_files_unnamed(const struct elf_files *set);
/*
 * Releases a reference from elf_files_open(). A file without references stays in memory for a
 * while, because it may be needed again.
 */
void elf_files_release(struct elf_files *set, struct elf_file *f);

/* Returns the data that the component `part` has attached to the file, or NULL. */
static inline void *elf_file_part(const struct elf_file *f, enum elf_part part)
{
	return f->parts[part].data;
}
/*
 * Attaches data to the file, which then owns the data: destroy(data) is called when the file is
 * closed.
 */
void elf_file_set_part(struct elf_file *f, enum elf_part part, void *data,
		       void (*destroy)(void *data));
/* Does the same as elf_file_part(), but if there is no data, first attaches `size` zero bytes. */
static inline void *elf_file_make_part(struct elf_file *f, enum elf_part part, size_t size,
				       void (*destroy)(void *data))
{
	if (unlikely(!elf_file_part(f, part)))
		elf_file_set_part(f, part, mem_zalloc(size), destroy);
	return elf_file_part(f, part);
}

/*
 * Charges n bytes to the budget for data that is attached to the file. Returns false if this would
 * exceed the limit for all files or for this file. In this case, the caller must not keep the data.
 * The bytes are returned to the budget by elf_file_return(), by elf_files_trim(), and when the file
 * is closed.
 */
bool elf_file_charge(struct elf_file *f, uint64_t n) attr_must_check;
void elf_file_return(struct elf_file *f, uint64_t n);

/* Reads n bytes at a file offset. Returns false if the file does not contain the whole range. */
bool elf_file_read(struct elf_file *f, uint64_t offset, void *buf, size_t n);
/*
 * Reads n bytes at an ELF address, using the program headers. Returns false unless one segment's
 * file contents contain the whole range.
 */
bool elf_file_load(struct elf_file *f, uint64_t vaddr, void *buf, size_t n);
/*
 * Returns the number of bytes from vaddr to the end of its segment's file contents, or 0 if no
 * segment contains vaddr.
 */
uint64_t elf_file_room(const struct elf_file *f, uint64_t vaddr);
/*
 * Sets *addr to the ELF address of the byte that is mapped at pc. m is the mapping that contains
 * pc. Returns false if no executable segment contains the byte.
 */
bool elf_file_address(const struct elf_file *f, const struct mapping *m, uint64_t pc,
		      uint64_t *addr);

/*
 * Reads the section headers unless this has already been done. If they cannot be read, the file has
 * no sections.
 */
void elf_file_read_sections(struct elf_file *f);
/* Returns the section with the given name, owned by f, or NULL. */
const struct elf_section *elf_file_section(struct elf_file *f, const char *name);
/*
 * Returns the contents of a section and stores their length in *size. Decompresses a section with
 * SHF_COMPRESSED. The caller frees the result. Returns NULL on failure.
 */
uint8_t *elf_file_section_data(struct elf_file *f, const struct elf_section *s, size_t *size);
/* Returns the GNU build id in lower-case hexadecimal, owned by f, or NULL. */
const char *elf_file_build_id(struct elf_file *f);

#endif
