/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/exit_path.h"

#define STEPS_MAX 600
#define FORKS_MAX 16
#define SEEN_SIZE 512
#define STUB_MAX                                                                                   \
	8 /* maximum number of instructions in a stub, such as one in a procedure linkage table */

struct exit_search {
	struct exit_path forks[FORKS_MAX];
	unsigned nforks;
	uint64_t seen[SEEN_SIZE];
};

static bool is_kept(const struct exit_path *p, unsigned reg)
{
	return reg < ARRAY_SIZE(p->where) && p->machine->kept & 1u << reg;
}

void exit_store(struct exit_path *p, unsigned reg, int64_t at)
{
	if (!is_kept(p, reg))
		return;
	if (!(p->stored & 1u << reg))
		p->where[reg] = at;
	p->stored |= 1u << reg;
}

void exit_load(struct exit_path *p, unsigned reg, int64_t at)
{
	if (!is_kept(p, reg))
		return;
	if (reg == p->machine->ra)
		p->lost = false;
	/*
	 * The path loads a register that it has stored itself at this place, so the register has
	 * its old value.
	 */
	if (p->stored & 1u << reg && p->where[reg] == at) {
		p->x.saved &= ~(1u << reg);
		return;
	}
	p->x.saved |= 1u << reg;
	p->x.at[reg] = at;
}

static void set_bp(struct exit_path *p, int64_t at)
{
	p->own_fp = true;
	p->fp = at;
}

static void set_sp_from_bp(struct exit_path *p, int64_t n)
{
	if (p->own_fp) {
		p->sp = p->fp + n;
		return;
	}
	/* The distance between bp and the old sp is unknown, so forget offsets from the old sp. */
	if (p->x.base != p->machine->bp)
		p->x.saved = p->stored = 0;
	p->x.base = p->machine->bp;
	p->sp = n;
}

enum exit_outcome exit_add(struct exit_path *p, unsigned to, unsigned from, int64_t n)
{
	const struct exit_machine *m = p->machine;

	if (to == m->sp && from == m->sp)
		p->sp += n;
	else if (to == m->sp && from == m->bp)
		set_sp_from_bp(p, n);
	else if (to == m->sp)
		return EXIT_DEAD_END;
	else if (to == m->bp && from == m->sp)
		set_bp(p, p->sp + n);
	return EXIT_GO_ON;
}

void exit_fork(struct exit_search *s, const struct exit_path *p, uint64_t pc)
{
	if (s->nforks == FORKS_MAX)
		return;
	s->forks[s->nforks] = *p;
	s->forks[s->nforks++].pc = pc;
}

enum exit_outcome exit_return(struct exit_path *p)
{
	const uint32_t ra = 1u << p->machine->ra;

	p->x.ra_kept = !(p->x.saved & ra);
	if (p->x.ra_kept && p->lost)
		return EXIT_DEAD_END;
	p->x.ra = p->x.at[p->machine->ra];
	p->x.saved &= ~ra;
	p->x.sp = p->sp;
	return EXIT_RETURNS;
}

enum exit_outcome exit_leave(struct exit_path *p)
{
	const bool taken_down = p->x.saved & 1u << p->machine->ra;

	if (!taken_down &&
	    (p->lost || p->sp || p->x.base == p->machine->bp || p->length > STUB_MAX))
		return EXIT_DEAD_END;
	return exit_return(p);
}

static bool seen_before(struct exit_search *s, uint64_t pc)
{
	uint64_t *slot = &s->seen[pc / 2 % SEEN_SIZE];

	if (*slot == pc + 1)
		return true;
	*slot = pc + 1; /* 1 + pc, because 0 marks an empty slot */
	return false;
}

bool exit_find(const struct exit_machine *machine, const struct code_source *code, uint64_t pc,
	       struct code_exit *exit)
{
	struct exit_search s = {.nforks = 0};
	struct exit_path p = {.machine = machine, .pc = pc, .x.base = machine->sp};

	for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
		enum exit_outcome o = EXIT_DEAD_END;

		p.length++;
		if (!seen_before(&s, p.pc))
			o = machine->follow(&s, &p, code);
		if (o == EXIT_RETURNS) {
			*exit = p.x;
			return true;
		}
		if (o == EXIT_DEAD_END) {
			if (!s.nforks)
				return false;
			p = s.forks[--s.nforks];
		}
	}
	return false;
}
