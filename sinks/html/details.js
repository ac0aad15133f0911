// SPDX-License-Identifier: LGPL-2.1-or-later
// All about the selected row: its text, times, and stack.

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

	// Returns the buttons that copy parts of a row. Control characters are copied as they are shown.
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

	// Shows processes: one with its facts, or a list of several.
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
		if (trace.isCall(r))
			add("duration", trace.kind[r] === KIND.UNFINISHED ? "had not returned when the trace ended" : span(trace.duration[r]));
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
		const classes = trace.classes.filter((c, bit) => name.classes >> bit & 1);
		if (classes.length)
			add("class", classes.join(", "));
		return list;
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
