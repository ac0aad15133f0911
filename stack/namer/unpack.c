/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/namer/unpack.h"

#include <unistd.h>

#include "stack/namer/libraries.h"

#define PIECE	  (64u << 10)
#define XZ_MEMORY (256u << 20)

static bool write_all(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n) {
		ssize_t w = write(fd, p, n);

		if (w <= 0)
			return false;
		p += w;
		n -= w;
	}
	return true;
}

static bool unpack_section(const struct libelf *elf, const struct namer_request *q, int in, int out)
{
	const bool works = elf->elf_version(EV_CURRENT) != EV_NONE;
	Elf *e = works ? elf->elf_begin(in, ELF_C_READ, NULL) : NULL;
	Elf_Scn *scn = e ? elf->elf_getscn(e, q->at) : NULL;
	Elf_Data *d = NULL;
	bool done = false;
	GElf_Chdr h;

	if (scn && elf->gelf_getchdr(scn, &h) && h.ch_size <= q->max &&
	    elf->elf_compress(scn, 0, 0) >= 0)
		d = elf->elf_rawdata(scn, NULL);
	if (d && d->d_buf && d->d_size <= q->max)
		done = write_all(out, d->d_buf, d->d_size);
	elf->elf_end(e);
	return done;
}

#ifdef HAVE_LIBLZMA
static bool unpack_xz(const struct liblzma *lzma, const struct namer_request *q, int in, int out)
{
	lzma_stream strm = LZMA_STREAM_INIT;
	uint64_t at = q->at, left = q->size, written = 0;
	uint8_t packed[PIECE], plain[PIECE];
	lzma_ret ret = LZMA_OK;

	if (lzma->lzma_stream_decoder(&strm, XZ_MEMORY, 0) != LZMA_OK)
		return false;
	while (ret == LZMA_OK) {
		size_t n;

		if (!strm.avail_in && left) {
			ssize_t got = pread(in, packed, size_min(left, PIECE), at);

			if (got <= 0)
				break;
			strm.next_in = packed;
			strm.avail_in = got;
			at += got;
			left -= got;
		}
		strm.next_out = plain;
		strm.avail_out = PIECE;
		ret = lzma->lzma_code(&strm, left ? LZMA_RUN : LZMA_FINISH);
		n = PIECE - strm.avail_out;
		written += n;
		if (written > q->max || !write_all(out, plain, n))
			break;
	}
	lzma->lzma_end(&strm);
	return ret == LZMA_STREAM_END;
}
#endif

bool unpack(const struct namer_libraries *libs, const struct namer_request *q, int in, int out)
{
#ifdef HAVE_LIBLZMA
	if (q->slot == NAMER_XZ)
		return libs->has_lzma && unpack_xz(&libs->lzma, q, in, out);
#endif
	return q->slot == NAMER_SECTION && libs->has_elf && unpack_section(&libs->elf, q, in, out);
}
