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
};

enum { MAJOR = ARRAY_SIZE(symbols), NAMES };

/* Returns true if some versions lack the value. */
static bool is_optional(enum v8_value v)
{
	return v == V8_TYPE_BYTES || v == V8_TYPE_TRUSTED_BYTES || v == V8_EXTERNAL;
}

/* Returns the 32-bit value of a symbol, or 0 if the file does not contain it. */
static int32_t word_of(struct elf_file *f, const struct elf_name *n)
{
	int32_t v;

	return n->found && elf_file_load(f, n->addr, &v, sizeof(v)) ? v : 0;
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
	for (int k = 0; k < V8_VALUES; k++) {
		const int32_t value = v->value[k];

		if (!found[k] && is_optional(k))
			v->value[k] = k == V8_EXTERNAL ? 2 : -1;
		else if (!found[k] || value < -4096 || value > 65535)
			v->known = false;
	}
}

struct v8_file *v8_file_read(struct elf_file *f)
{
	struct elf_name names[NAMES] = {[MAJOR] = {.name = "_ZN2v88internal7Version6major_E"}};
	struct elf_name first[] = {{.name = P "off_fp_function"},
				   {.name = "_ZNK2v88internal7Isolate18embedded_blob_codeEv"}};
	struct v8_file *v;

	if (!elf_names_dynamic(f, first, ARRAY_SIZE(first)))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		names[i].name = symbols[i].name;
	elf_names_dynamic(f, names, NAMES);
	/* Some builds have these symbols only in .symtab. */
	if (!first[0].found)
		elf_names_static(f, names, NAMES);
	v = mem_zalloc(sizeof(*v));
	take(v, f, names);
	v->major = word_of(f, &names[MAJOR]);
	return v;
}
