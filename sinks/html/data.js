// SPDX-License-Identifier: LGPL-2.1-or-later
// The data of the page: decodes the chunks that sinks/html/chunk.c writes, and derives processes and threads.
// A record is the number of a row in the page. Rows are numbered in the order of the ends of their events.

const KIND = {CALL: 0, FAILED: 1, RESTART: 2, UNFINISHED: 3, SIGNAL: 4, EXITED: 5, KILLED: 6, STOPPED: 7,
	DETACHED: 8, SUPERSEDED: 9, BLOCKED: 10, LOST: 11, OTHER: 12, REQUEST: 13};
// How the walk of a stack ended: enum stack_status.
const STATUS = ["", "too many stack frames", "no executable mapping", "no unwind information",
	"invalid unwind information", "unreadable stack memory", "stack frames in a loop", "thread is gone",
	"too much unwind information to read", "unsupported machine code", "the copy of the stack ends",
	"no copy of the stack: the call began before tracing"];

function bytesOf(base64) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(base64);
	const text = atob(base64), bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

async function inflate(bytes) {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

const decode = bytes => new TextDecoder().decode(bytes);

// Decodes numbers of seven bits per byte, the lowest first. Numbers above 2^53 are not exact.
class Numbers {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	next() {
		let b = this.bytes[this.at++];
		if (b < 128)
			return b;
		let v = b & 127, unit = 128;
		do {
			b = this.bytes[this.at++];
			v += (b & 127) * unit;
			unit *= 128;
		} while (b >= 128);
		return v;
	}

	signed() {
		const v = this.next();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}
}

// Returns the first index i below n for which is(i) is true, or n if there is none. If is(i) is true for an index, it
// must be true for all later ones.
function firstIndex(n, is) {
	let low = 0, high = n;
	while (low < high) {
		const mid = (low + high) >>> 1;
		if (is(mid))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

// Returns the indexes of key sorted by key[i]. The sort is stable. Because it merges runs, it is fast if key is nearly
// sorted.
function sortedBy(key) {
	const n = key.length;
	let from = new Uint32Array(n), to = new Uint32Array(n), runs = [0];
	for (let i = 0; i < n; i++) {
		from[i] = i;
		if (i && key[i] < key[i - 1])
			runs.push(i);
	}
	while (runs.length > 1) {
		const merged = [];
		for (let r = 0; r < runs.length; r += 2) {
			const start = runs[r], mid = r + 1 < runs.length ? runs[r + 1] : n;
			const end = r + 2 < runs.length ? runs[r + 2] : n;
			let a = start, b = mid, at = start;
			while (a < mid && b < end)
				to[at++] = key[from[b]] < key[from[a]] ? from[b++] : from[a++];
			while (a < mid)
				to[at++] = from[a++];
			while (b < end)
				to[at++] = from[b++];
			merged.push(start);
		}
		[from, to] = [to, from];
		runs = merged;
	}
	return from;
}

class Trace {
	constructor() {
		this.title = "System calls";
		this.clock = 0; // time 0 of the page, in seconds since 1970
		this.complete = false;
		this.stacks = false;
		this.classes = [];
		this.chunks = []; // {first, rows, text}: first record, number of rows, compressed text
		this.count = 0;
		this.strings = [];
		this.names = []; // {text, classes, color}
		this.who = []; // {thread, name}
		this.frames = []; // for each frame: symbol, module, file, address, offset, line, inlined, language
		this.nodes = [0, 0]; // for each node: parent, frame
		this.threads = [];
		this.processes = [];
		this.commands = [];
		this.wakes = []; // the ends of waits: {row, cause, tid, at, inferred}
		this.texts = new Map(); // decoded texts, by chunk
	}

	// Reads the elements that contain the chunks. Calls progress() with the fraction that has been read.
	static async load(elements, progress) {
		const t = new Trace(), packed = [];
		let rows = 0, broken = false, shown = performance.now();
		for (const element of elements) {
			const text = element.textContent;
			// A chunk without a final semicolon is incomplete, because tracer was killed.
			if (!text.endsWith(";")) {
				broken = true;
				break;
			}
			const part = text.slice(0, -1).split(",");
			element.remove();
			const lists = JSON.parse(decode(await inflate(bytesOf(part[0]))));
			packed.push({lists, first: rows, columns: bytesOf(part[1]), text: bytesOf(part[2])});
			rows += lists.rows;
		}
		t.allocate(rows);
		for (const p of packed) {
			t.addLists(p.lists, p.first);
			t.addColumns(p.lists, p.first, await inflate(p.columns));
			t.chunks.push({first: p.first, rows: p.lists.rows, text: p.text});
			if (performance.now() - shown > 100) {
				progress(p.first / rows);
				await new Promise(done => setTimeout(done));
				shown = performance.now();
			}
		}
		t.count = rows;
		t.broken = broken;
		t.finish();
		return t;
	}

	allocate(n) {
		this.kind = new Uint8Array(n);
		this.whoOf = new Uint32Array(n);
		this.nameOf = new Uint32Array(n);
		this.start = new Float64Array(n); // nanoseconds since time 0
		this.duration = new Float64Array(n);
		this.bytes = new Float64Array(n);
		this.node = new Uint32Array(n); // innermost node of the stack; 0 if there is none
		this.status = new Uint8Array(n);
	}

	addLists(lists, first) {
		if (lists.title !== undefined) {
			this.title = lists.title || this.title;
			this.clock = lists.clock;
			this.stacks = lists.stacks;
			this.classes = lists.classes;
		}
		this.complete = this.complete || !!lists.complete;
		// Array.push(...list) fails for long lists.
		const each = (list, n, add) => {
			for (let i = 0; i < list.length; i += n)
				add(list, i);
		};
		each(lists.strings, 1, (l, i) => this.strings.push(l[i]));
		each(lists.names, 2, (l, i) => this.names.push(this.name(this.strings[l[i]], l[i + 1])));
		each(lists.who, 2, (l, i) => this.who.push({thread: l[i], name: this.strings[l[i + 1]]}));
		each(lists.frames, 8, (l, i) => this.frames.push(l.slice(i, i + 8)));
		each(lists.nodes, 1, (l, i) => this.nodes.push(l[i]));
		each(lists.commands, 3, (l, i) =>
			this.commands.push({thread: l[i], time: l[i + 1], text: this.strings[l[i + 2]]}));
		each(lists.wakes, 5, (l, i) =>
			this.wakes.push({row: first + l[i], cause: this.strings[l[i + 1]], tid: l[i + 2], at: l[i + 3], inferred: !!l[i + 4]}));
		each(lists.threads, 4, (l, i) => this.addThread(l[i], l[i + 1], l[i + 2], l[i + 3]));
	}

	name(text, classes) {
		let color = WAITS.has(text) ? 0 : OTHER;
		if (color)
			this.classes.forEach((c, bit) => {
				if (classes >> bit & 1)
					color = Math.min(color, COLORS.indexOf(c));
			});
		return {text, classes, color};
	}

	addThread(number, tid, tgid, parent) {
		const t = this.threads[number] = this.threads[number] || {number, tids: [], process: null, parent: -1};
		t.tid = tid;
		if (t.tids[t.tids.length - 1] !== tid)
			t.tids.push(tid);
		t.tgid = tgid || t.tgid;
		if (parent >= 0)
			t.parent = parent;
	}

	addColumns(lists, first, bytes) {
		const numbers = new Numbers(bytes), n = lists.rows, end = first + n;
		const {kind, whoOf, nameOf, start, duration, node, status} = this;
		let last = 0;
		for (let i = first; i < end; i++)
			kind[i] = numbers.next();
		for (let i = first; i < end; i++)
			whoOf[i] = last += numbers.signed();
		for (let i = first; i < end; i++)
			nameOf[i] = numbers.next();
		last = lists.base;
		for (let i = first; i < end; i++)
			start[i] = last += numbers.signed();
		for (let i = first; i < end; i++) {
			duration[i] = numbers.next();
			start[i] -= duration[i];
		}
		for (let i = first; i < end; i++)
			this.bytes[i] = numbers.next();
		last = 0;
		for (let i = first; i < end; i++) {
			last += numbers.signed();
			node[i] = Math.floor(last / 16);
			status[i] = last % 16;
		}
	}

	finish() {
		this.order = sortedBy(this.start);
		this.rowsOfThreads();
		this.findProcesses();
		this.from = this.count ? this.start[this.order[0]] : 0;
		this.to = this.from;
		for (let i = 0; i < this.count; i++)
			this.to = Math.max(this.to, this.start[i] + this.duration[i]);
		if (this.to <= this.from)
			this.to = this.from + 1000;
	}

	// Collects the records of each thread, in the order in which they began.
	rowsOfThreads() {
		const threadOf = Uint32Array.from(this.who, w => w.thread), counts = new Uint32Array(this.threads.length);
		for (let i = 0; i < this.count; i++)
			counts[threadOf[this.whoOf[i]]]++;
		this.threads.forEach((t, i) => t.rows = new Uint32Array(counts[i]));
		counts.fill(0);
		for (const r of this.order) {
			const t = threadOf[this.whoOf[r]];
			this.threads[t].rows[counts[t]++] = r;
		}
		for (const t of this.threads) {
			const last = t.rows[t.rows.length - 1];
			// The last name of the thread.
			t.name = t.rows.length ? this.who[this.whoOf[last]].name : "";
			t.first = t.rows.length ? this.start[t.rows[0]] : Infinity;
			t.last = t.rows.length ? this.start[last] + this.duration[last] : -Infinity;
		}
	}

	// Assigns threads to processes by their tgid. A later process may have the same id.
	findProcesses() {
		const current = new Map();
		for (const t of this.threads) {
			const pid = t.tgid || t.tid;
			if (!t.rows.length && !t.tgid || !pid)
				continue;
			let p = current.get(pid);
			if (!p || t.tids[0] === pid && p.main) {
				p = {pid, main: null, threads: [], children: [], parent: null, commands: [], end: null, calls: 0};
				p.index = this.processes.length;
				current.set(pid, p);
				this.processes.push(p);
			}
			if (t.tids[0] === pid)
				p.main = t;
			p.threads.push(t);
			t.process = p;
		}
		for (const p of this.processes)
			this.completeProcess(p);
		this.processes.forEach((p, i) => {
			const parent = (p.main || p.threads[0]).parent, of = parent >= 0 && this.threads[parent].process;
			// Ids in a trace may be wrong. Parents must begin before their children, so that no process
			// becomes its own ancestor.
			if (of && of.index < i) {
				p.parent = of;
				of.children.push(p);
			}
		});
		for (const c of this.commands) {
			const p = this.threads[c.thread].process;
			if (p)
				p.commands.push(c);
		}
	}

	completeProcess(p) {
		p.main = p.main || p.threads[0];
		p.first = Infinity;
		p.last = -Infinity;
		for (const t of p.threads) {
			if (!t.rows.length)
				continue;
			const last = t.rows[t.rows.length - 1];
			p.first = Math.min(p.first, this.start[t.rows[0]]);
			if (this.start[last] + this.duration[last] >= p.last) {
				p.last = this.start[last] + this.duration[last];
				p.name = t.name;
			}
			for (let i = t.rows.length - 1; i >= 0 && i > t.rows.length - 3; i--) {
				const k = this.kind[t.rows[i]];
				if (k === KIND.EXITED || k === KIND.KILLED || k === KIND.DETACHED)
					p.end = !p.end || t === p.main ? t.rows[i] : p.end;
			}
			p.calls += t.rows.length;
		}
		if (p.main.rows.length)
			p.name = p.main.name;
		p.name = p.name || "?";
	}

	threadOf(record) {
		return this.threads[this.who[this.whoOf[record]].thread];
	}

	isCall(record) {
		return this.kind[record] <= KIND.UNFINISHED;
	}

	// Returns the duration of a record as text, or "" if it has none. `unfinished` is the text for a call that has not
	// returned.
	took(record, unfinished) {
		if (this.kind[record] === KIND.UNFINISHED)
			return unfinished;
		return this.isCall(record) || this.duration[record] ? span(this.duration[record]) : "";
	}

	chunkOf(record) {
		return firstIndex(this.chunks.length, i => this.chunks[i].first > record) - 1;
	}

	// Returns the texts of a chunk's rows, as an array of lines. Caches the texts of a few chunks.
	async lines(chunk) {
		let lines = this.texts.get(chunk);
		if (!lines) {
			lines = this.textOf(chunk).then(text => text.split("\n"));
			this.texts.set(chunk, lines);
			if (this.texts.size > 16)
				this.texts.delete(this.texts.keys().next().value);
		}
		const found = await lines;
		if (this.texts.has(chunk))
			this.texts.set(chunk, found);
		return found;
	}

	async textOf(chunk) {
		return decode(await inflate(this.chunks[chunk].text));
	}

	// Returns the text of a record: a string if it is cached, otherwise a promise.
	text(record) {
		const chunk = this.chunkOf(record), at = record - this.chunks[chunk].first, lines = this.texts.get(chunk);
		return Array.isArray(lines) ? lines[at] : this.lines(chunk).then(found => found[at]);
	}

	frame(number) {
		const string = i => i ? this.strings[i - 1] : "", f = this.frames[number];
		return {symbol: string(f[0]), module: string(f[1]), file: string(f[2]), address: f[3], offset: f[4], line: f[5],
			inlined: f[6], language: string(f[7])};
	}

	// Returns the frames of a record's stack, innermost first.
	stack(record) {
		const frames = [];
		for (let n = this.node[record]; n; n = this.nodes[2 * n])
			frames.push(this.frame(this.nodes[2 * n + 1]));
		return frames;
	}
}
