// SPDX-License-Identifier: LGPL-2.1-or-later
// Shows the text, the times and the stack of the selected row.

class Details {
	constructor(app) {
		this.app = app;
		this.trace = app.trace;
		this.box = $("panel-call");
		this.show(-1);
	}

	async show(r) {
		const {box, trace} = this;
		this.record = r;
		if (r < 0) {
			box.textContent = "";
			box.append(make("p", "empty", "Select a call in the timeline or in the list."));
			return;
		}
		const text = await trace.text(r);
		if (this.record !== r)
			return;
		const line = make("pre", "line" + (trace.kind[r] === KIND.FAILED ? " bad" : ""), text), name = trace.names[trace.nameOf[r]];
		if (trace.isCall(r))
			line.style.borderLeftColor = `var(--${COLORS[name.color]})`;
		box.textContent = "";
		box.append(line, this.copies(r, text), this.facts(r, name), ...this.stack(r));
		box.scrollTop = 0;
	}

	// Returns the buttons that copy parts of a row. Control characters are copied in the form in which the page
	// shows them.
	copies(r, text) {
		const {trace} = this, bar = make("div"), {process} = trace.threadOf(r), frames = trace.stack(r);
		const add = (label, get) => {
			const button = make("button", "", label);
			button.onclick = () => copy(button, clean(get()));
			bar.append(button);
		};
		bar.id = "copies";
		add("Copy call", () => text);
		if (frames.length) {
			const button = make("button", "", "Copy stack");
			button.onclick = () => copy(button, frames.map(f => clean(`${frameName(f)}${f.file ? ` ${f.file}:${f.line}` : ""} ${f.module}`)).join("\n"));
			bar.append(button);
		}
		const command = process && (process.commands.filter(c => c.time <= trace.start[r]).pop() || process.commands[0]);
		if (command)
			add("Copy command line", () => command.text);
		add("Copy link", () => location.href.replace(/#.*/s, "") + this.app.address.text());
		return bar;
	}

	// Shows the facts about a single process, or a list of several processes.
	showProcesses(processes) {
		const {box, trace} = this;
		this.record = -1;
		box.textContent = "";
		if (processes.length === 1) {
			box.append(...this.process(processes[0]));
			return;
		}
		const list = make("ul");
		for (const p of processes.slice(0, 1000)) {
			const item = make("li");
			item.append(this.linkTo(p), make("span", "soft", `  ${span(p.last - p.first)}, ${endOf(trace, p)}`));
			list.append(item);
		}
		box.append(make("h2", "", count(processes.length) + " processes in this lane"), list);
	}

	// Shows how much time each thread and call contributes to the critical path. Adds up threads with the same name.
	showPath({sums, wakers, inferred}) {
		const {box, trace} = this, table = make("table"), body = make("tbody"), head = make("tr"), rows = new Map();
		this.record = -1;
		for (const {thread, name, time, longest} of sums) {
			const key = thread.name + "(" + name, row = rows.get(key);
			if (!row)
				rows.set(key, {threads: 1, thread, name, time, longest});
			else
				Object.assign(row, {threads: row.threads + 1, time: row.time + time});
		}
		for (const title of ["activity", "thread", "time", "share"])
			head.append(make("th", "", title));
		table.append(make("caption", "", "Critical path: the calls and threads that determined the duration of the run. The times add up to it." +
			(inferred ? ` ${count(inferred)} of the ${count(wakers)} wakers on the path were inferred from the order of calls.` : "")), head, body);
		for (const {threads, thread, name, time, longest} of [...rows.values()].sort((a, b) => b.time - a.time).slice(0, 100)) {
			const item = make("tr"), cell = make("td"), link = make("button", "link", name);
			link.title = "zoom to a long part of this time";
			link.onclick = () => {
				this.app.timeline.view(...longest);
				this.app.timeline.showThread(thread);
			};
			cell.append(link);
			item.append(cell, make("td", "", `${thread.name} ${threads > 1 ? "× " + count(threads) : thread.tid}`), make("td", "", span(time)), make("td", "", percent(time, trace.to - trace.from)));
			body.append(item);
		}
		box.replaceChildren(table);
	}

	linkTo(p) {
		const link = make("button", "link", `${p.pid} ${commandOf(p).slice(0, 200)}`);
		link.onclick = () => this.app.pickProcesses([p]);
		return link;
	}

	process(p) {
		const {trace, app} = this, list = make("dl"), bar = make("div"), t = totalsOf(trace, p);
		const command = p.commands.length ? p.commands[p.commands.length - 1].text : p.name;
		const add = (term, what) => {
			const dd = make("dd");
			dd.append(what);
			list.append(make("dt", "", term), dd);
		};
		const button = (label, act) => {
			const b = make("button", "", label);
			b.onclick = () => act(b);
			bar.append(b);
		};
		bar.id = "copies";
		button("Copy command line", b => copy(b, clean(command)));
		button("Only this process", () => app.onlyProcess(p));
		button("Zoom to it", () => app.timeline.view(p.first, p.last));
		add("process", clean(`${p.name} ${p.pid}`));
		add("parent", p.parent ? this.linkTo(p.parent) : "not traced");
		add("lived", `${moment(p.first)} s to ${moment(p.last)} s: ${span(p.last - p.first)}`);
		add("end", endOf(trace, p));
		add("threads", count(p.threads.length));
		add("children", count(p.children.length));
		add("calls", `${count(t.calls)}, ${count(t.failed)} failed`);
		add("time in calls", `${span(t.time)}, of which ${span(t.waiting)} in waiting calls`);
		add("not waiting", span(t.busy));
		add("transferred", size(t.bytes));
		return [make("pre", "line", command), bar, list];
	}

	facts(r, name) {
		const {trace} = this, list = make("dl"), thread = trace.threadOf(r), {process} = thread;
		const add = (term, what) => {
			const dd = make("dd");
			dd.append(what);
			list.append(make("dt", "", term), dd);
		};
		add("start", `${moment(trace.start[r], 1)} s (${clockTime(trace, trace.start[r])})`);
		const took = trace.took(r, "had not returned when the trace ended");
		if (took)
			add("duration", took);
		if (trace.bytes[r])
			add("transferred", size(trace.bytes[r]));
		add("thread", make("span", "", whom(trace, r)));
		if (process) {
			const link = make("button", "link", `${process.name} ${process.pid}`);
			link.title = "show only this process";
			link.onclick = () => this.app.onlyProcess(process);
			add("process", link);
		}
		if (trace.isCall(r)) {
			const link = make("button", "link", name.text);
			link.title = "show only these calls";
			link.onclick = () => this.app.onlyCalls(name.text);
			add("call", link);
		}
		const {arrows} = this.app.timeline.arrows, woken = arrows.ofRow.get(r), born = thread.rows[0] === r && arrows.born.get(thread);
		if (woken || born)
			add(born ? "created by" : "woken by", this.cause(born || woken));
		const classes = trace.classes.filter((c, bit) => name.classes >> bit & 1);
		if (classes.length)
			add("class", classes.join(", "));
		return list;
	}

	// Returns a description of the other end of an arrow, with a link to the call there.
	cause({cause, inferred, from, at}) {
		if (!from)
			return cause + (inferred ? " (inferred)" : "");
		const {rows} = from, i = firstIndex(rows.length, k => this.trace.start[rows[k]] > at) - 1;
		const link = make("button", "link", `${from.name} ${from.tid} (${cause}${inferred ? ", inferred" : ""})`);
		link.onclick = () => this.app.pick(rows[Math.max(0, i)], this);
		return link;
	}

	stack(r) {
		const {trace} = this, frames = trace.stack(r), status = trace.status[r], parts = [make("h2", "", "Stack")];
		if (!frames.length && !status) {
			parts.push(make("p", "soft", trace.stacks ? "This event has no stack." : "This page has no stacks: record them with -k."));
			return parts;
		}
		const list = make("ol", "stack");
		list.start = 0;
		for (const f of frames) {
			const item = make("li", "", f.symbol || "?");
			const where = [];
			if (f.symbol && !f.inlined)
				item.append("+0x" + BigInt(f.offset).toString(16));
			if (f.inlined)
				where.push("inlined");
			if (f.file)
				where.push(`${f.file}:${f.line}`);
			where.push(baseName(f.module) || "0x" + BigInt(f.address).toString(16));
			const soft = make("span", "soft", "  " + where.join("  "));
			soft.title = `${clean(f.module)} 0x${BigInt(f.address).toString(16)}`;
			item.append(soft);
			list.append(item);
		}
		parts.push(list);
		if (status)
			parts.push(make("p", "bad", "The stack ends here: " + (STATUS[status] || "unknown reason") + "."));
		return parts;
	}
}
