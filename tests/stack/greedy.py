# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files that are small on disk and would cost far more to read. mapper.c maps each and calls the
code at 0x1000 in it."""
import lzma
import os
import struct
import zlib

GETPPID = bytes([0xb8, 110, 0, 0, 0, 0x0f, 5, 0xc3])
BODY = 0x11000  # file offset of the end of the code
PT_LOAD, PT_GNU_EH_FRAME = 1, 0x6474e550
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB = 1, 2, 3
SHF_COMPRESSED = 0x800
EH_FRAME_HDR = 0x800


def write_elf(path, sections=(), code=GETPPID, frame=None, size=None):
    """Writes an ELF file. sections: (name, type, flags, bytes or the size of a hole, link). frame:
    the bytes of .eh_frame; an .eh_frame_hdr without a table is added. size: of the file, whose
    end is a hole."""
    names, heads, blobs, at = b"\0", [bytes(64)], [], BODY

    def add(name, kind, flags, data, link):
        nonlocal names, at
        length = data if isinstance(data, int) else len(data)
        heads.append(struct.pack("<IIQQQQIIQQ", len(names), kind, flags, 0, at, length, link, 0, 8, 24))
        names += name.encode() + b"\0"
        if not isinstance(data, int):
            blobs.append((at, data))
        at = (at + length + 63) & ~63

    for section in sections:
        add(*section)
    if frame is None:
        add(".shstrtab", SHT_STRTAB, 0, names + b".shstrtab\0", 0)
    else:
        heads = []
        blobs.append((at, frame))
        at += len(frame)
        blobs.append((EH_FRAME_HDR, struct.pack("<BBBBi", 1, 0x1b, 0xff, 0xff, BODY - EH_FRAME_HDR - 4)))
    end = size or at + len(heads) * 64
    programs = struct.pack("<IIQQQQQQ", PT_LOAD, 5, 0, 0, 0, end, end, 4096)
    programs += struct.pack("<IIQQQQQQ", PT_GNU_EH_FRAME, 4, *[EH_FRAME_HDR] * 3, 64, 64, 4)
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, at if heads else 0, 0, 64, 56, 1 if frame is None else 2, 64,
        len(heads), max(len(heads) - 1, 0))
    with open(path, "wb") as f:
        for offset, data in [(0, header + programs), (0x1000, code), *blobs, (at, b"".join(heads))]:
            f.seek(offset)
            f.write(data)
        if size:
            f.truncate(size)


def sparse(folder):
    """16 GiB of zeros that claim to be call frame information, in 8 KiB on disk."""
    paths = [f"{folder}/sparse{i}" for i in range(4)]
    for path in paths:
        write_elf(path, frame=b"", size=16 << 30)
    return 1, 0, paths


def cies(folder):
    """FDEs of 20 bytes, which refer alternately to two CIEs of 250 KB each."""
    common = struct.pack("<I", 0) + b"\1zR\0\1\x78\x10\1\x1b"
    common = struct.pack("<I", 250000) + common + bytes(250000 - len(common))
    parts, at = [common, common], 2 * len(common)
    for i in range(2000000):
        parts.append(struct.pack("<IIiIB3x", 16, at + 4 - i % 2 * len(common), 0x100000, 4, 0))
        at += 20
    write_elf(f"{folder}/cies", frame=b"".join(parts))
    return 1, 0, [f"{folder}/cies"]


def mini(folder):
    """A .gnu_debugdata of 40 KB that decompresses to 256 MiB of symbols."""
    inner = f"{folder}/inner"
    write_elf(inner, [(".symtab", SHT_SYMTAB, 0, 255 << 20, 2), (".strtab", SHT_STRTAB, 0, b"\0a\0", 0)])
    with open(inner, "rb") as f:
        packed = lzma.compress(f.read(), preset=0)
    os.unlink(inner)
    paths = [f"{folder}/mini{i}" for i in range(4)]
    for path in paths:
        write_elf(path, [(".gnu_debugdata", SHT_PROGBITS, 0, packed, 0)])
    return 1, 0, paths


def compressed(folder):
    """A symbol table of 1 MB that decompresses to 1 GiB."""
    size, packer = 1 << 30, zlib.compressobj(1)
    data = struct.pack("<IIQQ", 1, 0, size, 8)
    data += b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()
    write_elf(f"{folder}/compressed", [(".symtab", SHT_SYMTAB, SHF_COMPRESSED, data, 2),
                                       (".strtab", SHT_STRTAB, 0, b"\0a\0", 0)])
    return 1, 0, [f"{folder}/compressed"]


def long_name(folder):
    """A function with a name of 1 MB, which makes 500 calls."""
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000, 65536)
    write_elf(f"{folder}/long", [(".symtab", SHT_SYMTAB, 0, symbols, 2),
                                 (".strtab", SHT_STRTAB, 0, b"\0" + b"x" * (1 << 20) + b"\0", 0)],
              code=(GETPPID + bytes(8)) * 500)
    return 500, 16, [f"{folder}/long"]


def perf_map(folder):
    """A perf map of 60 MB, to which eight processes make links; see MAP in mapper.c."""
    with open(f"{folder}/map", "w", encoding="ascii") as f:
        for i in range(600000):
            f.write(f"{0x10000000 + i * 64:x} 40 name_{i:090d}\n")
    return 1, 0, ["jit"]


FILES = [sparse, cies, mini, compressed, long_name, perf_map]
