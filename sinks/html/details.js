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
		box.append(line, this.facts(r, name), ...this.stack(r));
		box.scrollTop = 0;
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
