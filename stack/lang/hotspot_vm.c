/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/hotspot_vm.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "stack/lang/reader.h"
#include "stack/lang/text.h"
#include "util/mem.h"

#define ENTRIES_MAX 4000
#define ENTRY_MAX   128 /* maximum size of a table entry in bytes */
#define NAME_LENGTH 64
#define OFFSET_MAX  65535

static const struct {
	const char *type, *field;
} fields[VM_FIELDS] = {
	[VM_METHOD_CONST] = {"Method", "_constMethod"},
	[VM_CONST_POOL] = {"ConstMethod", "_constants"},
	[VM_CONST_NAME] = {"ConstMethod", "_name_index"},
	[VM_CONST_CODE_SIZE] = {"ConstMethod", "_code_size"},
	[VM_CONST_FLAGS] = {"ConstMethod", "_flags"},
	[VM_CONST_NEW_FLAGS] = {"ConstMethod", "_flags._flags"},
	[VM_POOL_HOLDER] = {"ConstantPool", "_pool_holder"},
	[VM_POOL_SOURCE] = {"ConstantPool", "_source_file_name_index"},
	[VM_CLASS_SOURCE] = {"InstanceKlass", "_source_file_name_index"},
	[VM_CLASS_NAME] = {"Klass", "_name"},
	[VM_SYMBOL_LENGTH] = {"Symbol", "_length"},
	[VM_SYMBOL_LENGTH_REF] = {"Symbol", "_length_and_refcount"},
	[VM_SYMBOL_BODY] = {"Symbol", "_body"},
	[VM_HEAP_MEMORY] = {"CodeHeap", "_memory"},
	[VM_HEAP_SEGMENTS] = {"CodeHeap", "_segmap"},
	[VM_HEAP_SEGMENT_LOG] = {"CodeHeap", "_log2_segment_size"},
	[VM_SPACE_LOW] = {"VirtualSpace", "_low"},
	[VM_SPACE_HIGH] = {"VirtualSpace", "_high"},
	[VM_GENERIC_ARRAY_LENGTH] = {"GenericGrowableArray", "_len"},
	[VM_ARRAY_LENGTH] = {"GrowableArrayBase", "_len"},
	[VM_ARRAY_DATA] = {"GrowableArray<int>", "_data"},
	[VM_BLOCK_USED] = {"HeapBlock::Header", "_used"},
	[VM_BLOB_NAME] = {"CodeBlob", "_name"},
	[VM_BLOB_SIZE] = {"CodeBlob", "_size"},
	[VM_BLOB_FRAME_SIZE] = {"CodeBlob", "_frame_size"},
	[VM_BLOB_CODE] = {"CodeBlob", "_code_begin"},
	[VM_BLOB_CODE_OFFSET] = {"CodeBlob", "_code_offset"},
	[VM_BLOB_DATA] = {"CodeBlob", "_data_offset"},
	[VM_BLOB_MUTABLE] = {"CodeBlob", "_mutable_data"},
	[VM_BLOB_RELOCATION] = {"CodeBlob", "_relocation_size"},
	[VM_NMETHOD_METHOD] = {"nmethod", "_method"},
	[VM_COMPILED_METHOD] = {"CompiledMethod", "_method"},
	[VM_NMETHOD_ID] = {"nmethod", "_compile_id"},
	[VM_NMETHOD_PCS] = {"nmethod", "_scopes_pcs_offset"},
	[VM_NMETHOD_PCS_END] = {"nmethod", "_dependencies_offset"},
	[VM_NMETHOD_SCOPES] = {"nmethod", "_scopes_data_offset"},
	[VM_COMPILED_SCOPES] = {"CompiledMethod", "_scopes_data_begin"},
	[VM_NMETHOD_IMMUTABLE] = {"nmethod", "_immutable_data"},
	[VM_NMETHOD_METADATA] = {"nmethod", "_metadata_offset"},
	[VM_NMETHOD_ORIGINAL_PC] = {"nmethod", "_orig_pc_offset"},
	[VM_NMETHOD_DEOPT] = {"nmethod", "_deopt_handler_offset"},
	[VM_NMETHOD_DEOPT_MH] = {"nmethod", "_deopt_mh_handler_offset"},
	[VM_OLD_DEOPT] = {"nmethod", "_deoptimize_offset"},
	[VM_OLD_DEOPT_MH] = {"nmethod", "_deoptimize_mh_offset"},
	[VM_COMPILED_DEOPT] = {"CompiledMethod", "_deopt_handler_begin"},
	[VM_COMPILED_DEOPT_MH] = {"CompiledMethod", "_deopt_mh_handler_begin"},
	[VM_QUEUE_BUFFER] = {"StubQueue", "_stub_buffer"},
	[VM_QUEUE_LIMIT] = {"StubQueue", "_buffer_limit"},
	[VM_INTERPRETER] = {"AbstractInterpreter", "_code"},
	[VM_CALL_STUB] = {"StubRoutines", "_call_stub_return_address"},
	[VM_ONE_HEAP] = {"CodeCache", "_heap"},
	[VM_HEAPS] = {"CodeCache", "_heaps"},
	[VM_VERSION] = {"Abstract_VM_Version", "_vm_major_version"},
};

struct vm_file *vm_file_read(struct elf_file *f)
{
	struct elf_name names[] = {{.name = "gHotSpotVMStructs"},
				   {.name = "gHotSpotVMTypes"},
				   {.name = "gHotSpotVMStructEntryArrayStride"},
				   {.name = "gHotSpotVMStructEntryTypeNameOffset"},
				   {.name = "gHotSpotVMStructEntryFieldNameOffset"},
				   {.name = "gHotSpotVMStructEntryIsStaticOffset"},
				   {.name = "gHotSpotVMStructEntryOffsetOffset"},
				   {.name = "gHotSpotVMStructEntryAddressOffset"},
				   {.name = "gHotSpotVMTypeEntryArrayStride"},
				   {.name = "gHotSpotVMTypeEntryTypeNameOffset"},
				   {.name = "gHotSpotVMTypeEntrySizeOffset"}};
	struct vm_file *v;

	if (!elf_names_dynamic(f, names, 1) ||
	    elf_names_dynamic(f, names, ARRAY_SIZE(names)) != ARRAY_SIZE(names) - 1)
		return NULL;
	v = mem_zalloc(sizeof(*v));
	v->elf = f;
	v->structs = names[0].addr;
	v->types = names[1].addr;
	for (size_t i = 0; i < ARRAY_SIZE(v->numbers); i++)
		v->numbers[i] = names[2 + i].addr;
	return v;
}

/* Returns true if the string at addr is equal to `name`. */
static bool is_name(struct lang_run *r, uint64_t addr, const char *name)
{
	char buf[NAME_LENGTH];
	const size_t n = strlen(name) + 1;

	return lang_read_once(r->mem, addr, buf, n) && !memcmp(buf, name, n);
}

static void take_field(struct vm_file *f, struct lang_run *r, const uint8_t *entry,
		       struct strbuf *type, struct strbuf *field)
{
	for (int k = 0; k < VM_FIELDS; k++) {
		bool is_static;

		if (strcmp(fields[k].type, strbuf_str(type)) != 0 ||
		    strcmp(fields[k].field, strbuf_str(field)) != 0)
			continue;
		is_static = k >= VM_INTERPRETER;
		if ((word_at(entry, f->is_static) & 1) != is_static)
			continue;
		f->at[k] = is_static ? word_at(entry, f->address) - r->bias
				     : word_at(entry, f->offset);
		f->has[k] = is_static || f->at[k] <= OFFSET_MAX;
	}
}

static void read_structs(struct vm_file *f, struct lang_run *r)
{
	struct strbuf type = {0}, field = {0};
	uint64_t at, last = 0;
	uint8_t entry[ENTRY_MAX + 8];

	if (!lang_read_once(r->mem, f->structs + r->bias, &at, sizeof(at)))
		return;
	for (int i = 0; i < ENTRIES_MAX; i++, at += f->stride) {
		if (!lang_read_once(r->mem, at, entry, f->stride) || !word_at(entry, f->type))
			break;
		/*
		 * All entries of the same type are adjacent, so read the name of a type only once.
		 */
		if (word_at(entry, f->type) != last) {
			last = word_at(entry, f->type);
			type.len = 0;
			if (!lang_text_cstring(r->mem, last, NAME_LENGTH, &type))
				break;
		}
		field.len = 0;
		if (!lang_text_cstring(r->mem, word_at(entry, f->field), NAME_LENGTH, &field))
			break;
		take_field(f, r, entry, &type, &field);
	}
	strbuf_deinit(&type);
	strbuf_deinit(&field);
}

static void read_types(struct vm_file *f, struct lang_run *r)
{
	uint8_t entry[ENTRY_MAX + 8];
	uint64_t at;

	if (!lang_read_once(r->mem, f->types + r->bias, &at, sizeof(at)))
		return;
	for (int i = 0; i < ENTRIES_MAX && !(f->const_size && f->pool_size && f->block_size);
	     i++, at += f->types_stride) {
		uint64_t name;

		if (!lang_read_once(r->mem, at, entry, f->types_stride))
			break;
		name = word_at(entry, f->types_name);
		if (!name)
			break;
		if (is_name(r, name, "ConstMethod"))
			f->const_size = word_at(entry, f->types_size);
		else if (is_name(r, name, "ConstantPool"))
			f->pool_size = word_at(entry, f->types_size);
		else if (is_name(r, name, "HeapBlock"))
			f->block_size = word_at(entry, f->types_size);
	}
}

/*
 * Returns the number of byte values that an encoded number cannot contain: since JDK 20, no byte is
 * zero. The new flags exist since JDK 21.
 */
static unsigned excluded_values(const struct vm_file *f, struct lang_run *r)
{
	int32_t version;

	if (f->has[VM_CONST_NEW_FLAGS])
		return 1;
	return f->has[VM_VERSION] &&
	       lang_read_once(r->mem, f->at[VM_VERSION] + r->bias, &version, sizeof(version)) &&
	       version == 20;
}

bool vm_tables_read(struct vm_file *f, struct lang_run *r)
{
	static const enum vm_field needed[] = {VM_METHOD_CONST,	   VM_CONST_POOL,   VM_CONST_NAME,
					       VM_CONST_CODE_SIZE, VM_POOL_HOLDER,  VM_CLASS_NAME,
					       VM_SYMBOL_BODY,	   VM_QUEUE_BUFFER, VM_QUEUE_LIMIT,
					       VM_INTERPRETER};

	uint64_t *const to[] = {&f->stride,	  &f->type,	  &f->field,
				&f->is_static,	  &f->offset,	  &f->address,
				&f->types_stride, &f->types_name, &f->types_size};

	if (f->read)
		return !f->why;
	/* The JVM sets these variables when it is loaded. Until then, they are 0. */
	for (size_t i = 0; i < ARRAY_SIZE(f->numbers); i++)
		if (!lang_read_once(r->mem, f->numbers[i] + r->bias, to[i], sizeof(*to[i])) ||
		    *to[i] > ENTRY_MAX || !f->stride) {
			f->why = "the JVM has not started, or describes itself inconsistently";
			return false;
		}
	f->why = NULL;
	f->read = true;
	if (f->stride < 8 || f->types_stride < 8 || f->type + 8 > f->stride ||
	    f->field + 8 > f->stride || f->types_name + 8 > f->types_stride) {
		f->why = "the JVM describes its structures inconsistently";
		return false;
	}
	read_structs(f, r);
	read_types(f, r);
	f->excluded = excluded_values(f, r);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (!f->has[needed[i]])
			f->why = "unsupported version of the JVM";
	if ((!f->has[VM_SYMBOL_LENGTH] && !f->has[VM_SYMBOL_LENGTH_REF]) || !f->const_size ||
	    !f->pool_size || f->const_size > OFFSET_MAX || f->pool_size > OFFSET_MAX ||
	    f->block_size > OFFSET_MAX)
		f->why = "unsupported version of the JVM";
	return !f->why;
}

uint64_t vm_static(const struct lang_run *r, struct vm_file *f, enum vm_field field)
{
	uint64_t *value = &f->statics.value[field - VM_INTERPRETER];

	if (f->statics.maps != r->maps)
		memset(&f->statics, 0, sizeof(f->statics));
	f->statics.maps = r->maps;
	if (!r->maps)
		return vm_pointer(r, f->at[field] + r->bias, 0);
	if (!*value && !lang_read_once(r->mem, f->at[field] + r->bias, value, sizeof(*value)))
		*value = 0;
	return *value;
}

void vm_stream_begin(struct vm_stream *s, const struct lang_run *r, const struct vm_file *f,
		     uint64_t addr)
{
	s->r = r;
	s->next = addr;
	s->excluded = f->excluded;
	s->n = s->at = 0;
	s->failed = false;
}

unsigned vm_stream_byte(struct vm_stream *s)
{
	if (s->at == s->n) {
		/*
		 * Memory after the end of the stream may be unreadable. Retry with smaller reads.
		 */
		for (s->n = sizeof(s->bytes); s->n; s->n /= 2)
			if (lang_read_once(s->r->mem, s->next, s->bytes, s->n))
				break;
		s->next += s->n;
		s->at = 0;
		if (!s->n) {
			s->failed = true;
			return 0;
		}
	}
	return s->bytes[s->at++];
}

uint32_t vm_stream_number(struct vm_stream *s)
{
	unsigned c = vm_stream_byte(s);
	uint32_t v = c - s->excluded;

	for (unsigned shift = 6; c >= 192 && shift <= 24; shift += 6) {
		c = vm_stream_byte(s);
		v += (c - s->excluded) << shift;
	}
	return v;
}
