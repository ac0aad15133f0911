/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/help.h"

#include <stdio.h>

#include "query/fields.h"

void help_query(void)
{
	fputs("Queries are expressions over decoded events. --where=EXPR shows only events that\n"
	      "match. --fail-on=EXPR makes tracer exit with status 120 if an event matches.\n"
	      "--stop-on=EXPR detaches when an event matches. -c --group-by=FIELD groups a\n"
	      "summary by the values of fields.\n"
	      "\n"
	      "  expression = and { \"||\" and }\n"
	      "  and        = term { \"&&\" term }\n"
	      "  term       = \"!\" term | \"(\" expression \")\" | comparison\n"
	      "  comparison = field                       present, and not 0 or empty\n"
	      "             | field operator literal      ==  !=  <  <=  >  >=\n"
	      "             | field \"=~\" regex            !~: it does not match\n"
	      "             | field \"in\" \"{\" literal { \",\" literal } \"}\"\n"
	      "             | field \"has\" NAME|NAME       all of these flags\n"
	      "  literal    = 42, 0x2a, 0644, 1.5M, 10ms, \"text\", 'text', NAME, NAME|NAME\n"
	      "\n"
	      "Fields of all events:\n",
	      stdout);
	for (const struct field_desc *f = query_fields; f->name; f++)
		printf("  %-10s %s\n", f->name, f->help);
	fputs("\n"
	      "Arguments and their members are fields, too, with the names that -N shows:\n"
	      "  flags, mode, count, addr.sin_port, iov[0].iov_len, argv[1]\n"
	      "  If an argument has the same name as a field above, write args.NAME: args.path\n"
	      "\n"
	      "A comparison with a field that an event does not have is false. Paths and\n"
	      "addresses are compared with patterns: *, ? and [SET] match no slash, ** matches\n"
	      "anything.\n"
	      "\n"
	      "  --where='name == openat && flags has O_CREAT'\n"
	      "  --where='bytes > 1M || duration > 10ms'\n"
	      "  --where='peer == \"127.0.0.1:5432\" && error in {ECONNREFUSED, ETIMEDOUT}'\n"
	      "  --where='path == \"/etc/**\" && !(error == ENOENT)'\n",
	      stdout);
}
