# SPDX-License-Identifier: LGPL-2.1-or-later
# ELF notes list the libraries that tracer loads at run time, for tools that make packages.
. "$SRC/tests/lib.sh"

sonames=$(sed -nE 's/^#define [A-Z]+_SONAME "(.*)"/\1/p' "$BUILD/config.h" | sort)
if [ -z "$sonames" ]; then
	skip "the notes" "all libraries are linked"
	exit
fi
like "the section is of type NOTE" "$(readelf -WS "$TRACER")" '\.note\.dlopen +NOTE '
objcopy --dump-section .note.dlopen=notes "$TRACER" copy
is "the notes name all libraries" "$(python3 -c '
import json, struct
notes = open("notes", "rb").read()
while notes:
    name_size, size, kind = struct.unpack_from("III", notes)
    assert (name_size, kind, notes[12:16]) == (4, 0x407c0c0a, b"FDO\0")
    for library in json.loads(notes[16:16 + size].rstrip(b"\0")):
        assert library["feature"] and library["description"]
        assert library["priority"] == "recommended"
        print(*library["soname"], sep="\n")
    notes = notes[16 + (size + 3) // 4 * 4:]
' | sort)" "$sonames"
