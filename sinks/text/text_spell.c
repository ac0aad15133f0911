/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_spell.h"

#include <stdio.h>
#include <sys/socket.h>

static struct value *string(struct value *room, const char *text, size_t len)
{
	*room = (struct value){.kind = VALUE_STRING};
	room->str = text;
	room->len = len;
	return room;
}

static const struct value *spell_address(struct text_spelled *room, const struct value *v)
{
	size_t len = value_address_text(v, room->text, sizeof(room->text));
	struct value *call = &room->whole, *text = &room->part[1];

	string(&room->raw, v->str, v->len)->text = TEXT_HEX_STRING;
	*call = (struct value){.kind = VALUE_CALL, .name = v->name, .text = v->text};
	call->extra = v->extra ? v->extra : &room->raw;
	string(text, room->text, len);
	if (v->num == AF_INET) {
		call->function = "inet_addr";
		value_add(call, text);
	} else if (v->num == AF_INET6) {
		call->function = "inet_pton";
		room->part[0] = (struct value){
			.kind = VALUE_ENUM, .num = v->num, .table = &xlat_addr_families};
		value_add(call, &room->part[0]);
		value_add(call, text);
		if (v->name && v->text & TEXT_UNNAMED) {
			len = snprintf(room->member, sizeof(room->member), "&%s", v->name);
			string(&room->part[2], room->member, len)->text = TEXT_PLAIN;
			value_add(call, &room->part[2]);
		}
	} else {
		call->kind = VALUE_EXPR;
		call->text &= ~TEXT_ONE_WORD;
		text->text = TEXT_PLAIN;
		if (len)
			value_add(call, text);
	}
	return call;
}

static const struct value *spell_device(struct text_spelled *room, const struct value *v)
{
	struct value *call = &room->whole;

	*call = (struct value){.kind = VALUE_CALL, .num = v->num, .name = v->name, .text = v->text};
	call->function = "makedev";
	room->part[0] = (struct value){.kind = VALUE_HEX, .num = value_device_major(v)};
	room->part[1] = (struct value){.kind = VALUE_HEX, .num = value_device_minor(v)};
	value_add(call, &room->part[0]);
	value_add(call, &room->part[1]);
	return call;
}

const struct value *text_spell(struct text_spelled *room, const struct value *v)
{
	return v->kind == VALUE_DEVICE ? spell_device(room, v) : spell_address(room, v);
}
