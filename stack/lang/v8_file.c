/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/v8_file.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "util/mem.h"

#define P "v8dbg_"

/*
 * A value, and one of the symbol names under which V8 exports it. All names of the same value are
 * adjacent, the newest first.
 */
static const struct {
	enum v8_value value;
	const char *name;
} symbols[] = {
	{V8_FP_FUNCTION, P "off_fp_function"},
	{V8_FP_BYTECODE, P "off_fp_bytecode_array"},
	{V8_FP_OFFSET, P "off_fp_bytecode_offset"},
	{V8_MAP_TYPE, P "class_Map__instance_type__uint16_t"},
	{V8_FUNCTION_SHARED, P "class_JSFunction__shared__SharedFunctionInfo"},
	{V8_SHARED_NAME,
	 P "class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_"},
	{V8_SHARED_NAME, P "class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_"},
	{V8_SHARED_NAME, P "class_SharedFunctionInfo__name_or_scope_info__Object"},
	{V8_SHARED_SCRIPT, P "class_SharedFunctionInfo__script__Tagged_HeapObject_"},
	{V8_SHARED_SCRIPT, P "class_SharedFunctionInfo__script_or_debug_info__Tagged_HeapObject_"},
	{V8_SHARED_SCRIPT, P "class_SharedFunctionInfo__script_or_debug_info__HeapObject"},
	{V8_SCRIPT_NAME, P "class_Script__name__Object"},
	{V8_SCRIPT_SOURCE, P "class_Script__source__Object"},
	{V8_BYTECODE_DATA, P "class_BytecodeArray__data__uintptr_t"},
	{V8_STRING_LENGTH, P "class_String__length__int32_t"},
	{V8_SEQ_ONE, P "class_SeqOneByteString__chars__char"},
	{V8_SEQ_TWO, P "class_SeqTwoByteString__chars__char"},
	{V8_CONS_FIRST, P "class_ConsString__first__String"},
	{V8_CONS_SECOND, P "class_ConsString__second__String"},
	{V8_THIN_ACTUAL, P "class_ThinString__actual__String"},
	{V8_TYPE_FUNCTION, P "type_JSFunction__JS_FUNCTION_TYPE"},
	{V8_TYPE_SCOPE, P "type_ScopeInfo__SCOPE_INFO_TYPE"},
	{V8_TYPE_SCRIPT, P "type_Script__SCRIPT_TYPE"},
	{V8_TYPE_BYTECODE, P "type_BytecodeArray__BYTECODE_ARRAY_TYPE"},
	{V8_TYPE_BYTES, P "type_ByteArray__BYTE_ARRAY_TYPE"},
	{V8_TYPE_TRUSTED_BYTES, P "type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE"},
	{V8_NO_STRING, P "FirstNonstringType"},
	{V8_REPRESENTATION, P "StringRepresentationMask"},
	{V8_SEQ, P "SeqStringTag"},
	{V8_CONS, P "ConsStringTag"},
	{V8_THIN, P "ThinStringTag"},
	{V8_EXTERNAL, P "ExternalStringTag"},
	{V8_ENCODING, P "StringEncodingMask"},
	{V8_ONE_BYTE, P "OneByteStringTag"},
	{V8_SCOPE_LOCALS, P "scopeinfo_idx_ncontextlocals"},
	{V8_SCOPE_VARS, P "scopeinfo_idx_first_vars"},
	{V8_TYPE_SHARED, P "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE"},
	{V8_TYPE_CODE, P "type_Code__CODE_TYPE"},
	{V8_TYPE_STREAM, P "type_InstructionStream__INSTRUCTION_STREAM_TYPE"},
	{V8_KIND_MASK, P "CodeKindFieldMask"},
	{V8_KIND_SHIFT, P "CodeKindFieldShift"},
	{V8_KIND_BASELINE, P "CodeKindBaseline"},
	{V8_CODE_DEOPT, P "class_Code__deoptimization_data__FixedArray"},
	{V8_CODE_POSITIONS, P "class_Code__source_position_table__ByteArray"},
	{V8_CODE_STREAM, P "class_Code__instruction_stream__Tagged_InstructionStream_"},
	{V8_CODE_START, P "class_Code__instruction_start__Address"},
	{V8_CODE_FLAGS, P "class_Code__flags__uint32_t"},
	{V8_CODE_SIZE, P "class_Code__instruction_size__int"},
	{V8_STREAM_START, P "class_InstructionStream__instruction_start__uintptr_t"},
	{V8_STREAM_START, P "class_Code__instruction_start__uintptr_t"},
	{V8_DEOPT_LITERALS, P "DeoptimizationDataLiteralArrayIndex"},
	/*
	 * This is the index of another element. take_compiled() calculates V8_DEOPT_ENTRIES from
	 * that index.
	 */
	{V8_DEOPT_ENTRIES, P "DeoptimizationDataInliningPositionsIndex"},
};

enum { MAJOR = ARRAY_SIZE(symbols), MINOR, SIZES, CODE_WRAPPER, INTERPRETER, NAMES };

/*
 * Values about compiled code that a version of V8 does not export. They come from the headers
 * src/objects/code.h, instruction-stream.h and deoptimization-data.h of this version.
 */
static const struct {
	unsigned major;
	enum v8_value value;
	int32_t is;
} missing[] = {
	/* Up to version 10, the object with the instructions is also the code object. */
	{10, V8_TYPE_STREAM, -1},  {10, V8_CODE_STREAM, -1},	{10, V8_CODE_START, -1},
	{10, V8_CODE_DEOPT, 16},   {10, V8_CODE_POSITIONS, 24}, {10, V8_DEOPT_LITERALS, 2},
	{10, V8_DEOPT_ENTRIES, 7}, {11, V8_CODE_STREAM, 32},	{11, V8_CODE_START, 40},
	{11, V8_CODE_FLAGS, 48},   {11, V8_CODE_SIZE, 56},
};

/* Returns true if some versions lack the value. */
static bool is_optional(enum v8_value v)
{
	return v == V8_TYPE_BYTES || v == V8_TYPE_TRUSTED_BYTES || v == V8_EXTERNAL;
}

static bool is_plausible(int32_t value)
{
	return value >= -4096 && value <= 65535;
}

/* Returns the 32-bit value of a symbol, or 0 if the file does not contain it. */
static int32_t word_of(struct elf_file *f, const struct elf_name *n)
{
	int32_t v;

	return n->found && elf_file_load(f, n->addr, &v, sizeof(v)) ? v : 0;
}

/*
 * Completes the values that describe compiled code. found[] contains true for the values that the
 * file exports.
 */
static void take_compiled(struct v8_file *v, struct elf_file *f, const struct elf_name *names,
			  bool *found)
{
	if (names[CODE_WRAPPER].found && v->major >= 12) {
		/* These two members are directly before the member `wrapper`. */
		const int32_t wrapper = word_of(f, &names[CODE_WRAPPER]);

		v->value[V8_CODE_DEOPT] = wrapper - 16;
		v->value[V8_CODE_POSITIONS] = wrapper - 8;
		found[V8_CODE_DEOPT] = found[V8_CODE_POSITIONS] = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(missing); i++) {
		const enum v8_value k = missing[i].value;

		if (missing[i].major != v->major || found[k])
			continue;
		v->value[k] = missing[i].is;
		found[k] = true;
	}
	/* The entries begin four elements after the inlining positions. */
	v->value[V8_DEOPT_ENTRIES] += 4;
	v->compiled = v->known;
	for (int k = V8_TYPE_SHARED; k < V8_VALUES; k++)
		if (!found[k] || !is_plausible(v->value[k]))
			v->compiled = false;
}

static void take_sizes(struct v8_file *v, struct elf_file *f, const struct elf_name *n)
{
	const uint64_t each = n->size / 3;

	if (!n->found || n->size % 3 || !each || each > V8_BYTECODES)
		return;
	for (unsigned i = 0; i < 3; i++)
		if (!elf_file_load(f, n->addr + i * each, v->sizes[i], each))
			return;
	v->nsizes = each;
}

static void take(struct v8_file *v, struct elf_file *f, const struct elf_name *names)
{
	bool found[V8_VALUES] = {0};

	v->known = true;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		const enum v8_value k = symbols[i].value;

		if (found[k] || !names[i].found)
			continue;
		found[k] = true;
		v->value[k] = word_of(f, &names[i]);
	}
	for (int k = 0; k < V8_TYPE_SHARED; k++) {
		if (!found[k] && is_optional(k))
			v->value[k] = k == V8_EXTERNAL ? 2 : -1;
		else if (!found[k] || !is_plausible(v->value[k]))
			v->known = false;
	}
	take_compiled(v, f, names, found);
	take_sizes(v, f, &names[SIZES]);
}

struct v8_file *v8_file_read(struct elf_file *f)
{
	struct elf_name names[NAMES] = {
		[MAJOR] = {.name = "_ZN2v88internal7Version6major_E"},
		[MINOR] = {.name = "_ZN2v88internal7Version6minor_E"},
		[SIZES] = {.name = "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE"},
		[CODE_WRAPPER] = {.name = P "class_Code__wrapper__Tagged_CodeWrapper_"},
		[INTERPRETER] = {.name = "Builtins_InterpreterEntryTrampoline"}};
	struct elf_name first[] = {{.name = P "off_fp_function"},
				   {.name = "_ZNK2v88internal7Isolate18embedded_blob_codeEv"}};
	struct v8_file *v;

	if (!elf_names_dynamic(f, first, ARRAY_SIZE(first)))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		names[i].name = symbols[i].name;
	elf_names_dynamic(f, names, NAMES);
	/* Some of these symbols, or all of them, are only in .symtab. */
	elf_names_static(f, names, NAMES);
	v = mem_zalloc(sizeof(*v));
	v->major = word_of(f, &names[MAJOR]);
	v->minor = word_of(f, &names[MINOR]);
	v->interpreter = names[INTERPRETER].addr;
	v->interpreter_end = v->interpreter + names[INTERPRETER].size;
	take(v, f, names);
	return v;
}
