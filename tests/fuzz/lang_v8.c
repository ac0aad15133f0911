/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs V8. The input is a byte that selects the version, followed by the
 * memory contents.
 *
 * fuzz: -max_len=16384
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/v8.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* values from Node.js 20 */
	static const int32_t value[V8_VALUES] = {[V8_FP_FUNCTION] = -16,
						 [V8_FP_BYTECODE] = -32,
						 [V8_FP_OFFSET] = -40,
						 [V8_MAP_TYPE] = 12,
						 [V8_FUNCTION_SHARED] = 24,
						 [V8_SHARED_NAME] = 16,
						 [V8_SHARED_SCRIPT] = 32,
						 [V8_SCRIPT_NAME] = 16,
						 [V8_SCRIPT_SOURCE] = 8,
						 [V8_BYTECODE_DATA] = 54,
						 [V8_STRING_LENGTH] = 12,
						 [V8_SEQ_ONE] = 16,
						 [V8_SEQ_TWO] = 16,
						 [V8_CONS_FIRST] = 16,
						 [V8_CONS_SECOND] = 24,
						 [V8_THIN_ACTUAL] = 16,
						 [V8_TYPE_FUNCTION] = 1,
						 [V8_TYPE_SCOPE] = 257,
						 [V8_TYPE_SCRIPT] = 258,
						 [V8_TYPE_BYTECODE] = 259,
						 [V8_TYPE_BYTES] = 260,
						 [V8_TYPE_TRUSTED_BYTES] = -1,
						 [V8_NO_STRING] = 128,
						 [V8_REPRESENTATION] = 7,
						 [V8_CONS] = 1,
						 [V8_EXTERNAL] = 2,
						 [V8_THIN] = 5,
						 [V8_ENCODING] = 8,
						 [V8_ONE_BYTE] = 8,
						 [V8_SCOPE_LOCALS] = 2,
						 [V8_SCOPE_VARS] = 3,
						 [V8_TYPE_SHARED] = 263,
						 [V8_TYPE_CODE] = 261,
						 [V8_TYPE_STREAM] = 262,
						 [V8_KIND_MASK] = 15,
						 [V8_KIND_BASELINE] = 11,
						 [V8_CODE_DEOPT] = 16,
						 [V8_CODE_POSITIONS] = 24,
						 [V8_CODE_STREAM] = 32,
						 [V8_CODE_START] = 40,
						 [V8_CODE_FLAGS] = 48,
						 [V8_CODE_SIZE] = 56,
						 [V8_STREAM_START] = 16,
						 [V8_DEOPT_LITERALS] = 2,
						 [V8_DEOPT_ENTRIES] = 11};
	static const struct {
		unsigned major, minor;
	} versions[] = {{10, 2}, {11, 3}, {12, 4}, {13, 6}, {14, 1}};
	struct v8_file file = {.known = true, .compiled = true, .nsizes = 200};
	struct v8_spot spots[V8_INLINED];

	if (!size)
		return 0;
	file.major = versions[data[0] % ARRAY_SIZE(versions)].major;
	file.minor = versions[data[0] % ARRAY_SIZE(versions)].minor;
	memcpy(file.value, value, sizeof(value));
	if (file.major == 10) {
		file.value[V8_TYPE_STREAM] = -1;
		file.value[V8_STREAM_START] = 128;
	}
	for (unsigned i = 0; i < V8_BYTECODES; i++) {
		file.sizes[0][i] = 1 + i % 4;
		file.sizes[1][i] = 1 + 2 * (i % 4);
		file.sizes[2][i] = 1 + 4 * (i % 4);
	}
	fuzz_code = LANG_BASE + 0x1060;
	fuzz_language(&language_javascript, &file, data + 1, size - 1);
	position_at(data, size, data[0]);
	if (v8_format_of(file.major, file.minor))
		v8_translation_read(v8_format_of(file.major, file.minor), data, size, data[0] / 8,
				    spots);
	return 0;
}
