// SPDX-License-Identifier: LGPL-2.1-or-later
// The timeline, and the overview above it: the visible time range, drawing, pointer and keys.

// Opacity of records that do not pass the filter.
const DIM = 0.22;

class Timeline {
	// `app` has the members trace; pick(record), which selects a record; spanned() and viewed(), which must be called
	// when the selected and the visible time range have changed.
	constructor(app) {
		this.app = app;
		this.trace = app.trace;
		this.from = this.trace.from;
		this.to = this.trace.to;
		this.top = 0; // scroll position of the lanes, in pixels
		this.folded = new Set();
		this.packs = this.trace.processes.length > PACK_FROM; // whether processes share lanes
		this.idles = false; // whether lanes without rows in the visible range are shown
		this.span = null; // [from, to] of the selected time range, or null
		this.passing = null; // for each thread, the {rows, blocks} that pass the filter; null if there is no filter
		this.hits = null; // the records that pass the filter; null if there is no filter
		this.lit = null; // the thread whose name is highlighted
		this.hovered = -1;
		this.canvas = $("timeline");
		this.overview = $("overview");
		this.draw = later(() => this.render());
		this.all = lanesOf(this.trace, this.folded, this.packs, this.key);
		this.arrows = new ArrowPainter(this);
		this.measure();
		this.fit();
		this.choose();
		this.listen();
	}

	// Shows the whole trace, with a margin of 1% on either side.
	fit() {
		const room = (this.trace.to - this.trace.from) * 0.01;
		this.least = this.trace.from - room;
		this.most = this.trace.to + room;
		this.from = this.least;
		this.to = this.most;
	}

	// Reading the size of an element is slow, so it is read once for each drawing.
	measure() {
		const all = this.canvas.clientWidth;
		this.gutter = Math.round(Math.min(240, all * 0.28)); // width of the labels
		this.width = Math.max(1, all - this.gutter); // width of the lanes
	}

	get ruler() {
		return theme.size + 12;
	}

	// The height of the commands above the calls of packed processes.
	get strip() {
		return this.packs ? theme.size + 2 : 0;
	}

	get laneHeight() {
		return theme.row + this.strip;
	}

	timeAt(x) {
		return this.from + (x - this.gutter) / this.width * (this.to - this.from);
	}

	view(from, to) {
		const whole = this.most - this.least, wide = Math.max(20, Math.min(to - from, whole));
		if (wide !== to - from) {
			const mid = (from + to) / 2;
			from = mid - wide / 2;
		}
		this.from = Math.max(this.least, Math.min(from, this.most - wide));
		this.to = this.from + wide;
		this.choose();
		this.app.viewed();
		this.draw();
	}

	// Chooses the lanes to show. Keeps the scroll position: the topmost lane stays at the top or, if it disappears,
	// the next lane replaces it.
	choose() {
		const {from, to, trace} = this, at = Math.floor(this.top / this.laneHeight), rest = this.top - at * this.laneHeight;
		const anchor = this.lanes && this.lanes[at];
		this.lanes = this.idles ? this.all : this.all.filter(l => threadsWithin(l, from, to).some(t => isActive(trace, t, from, to)));
		this.laneOf = new Map();
		this.lanes.forEach((lane, i) => lane.threads.forEach(t => this.laneOf.set(t, i)));
		if (anchor && at) {
			const place = this.all.indexOf(anchor), shown = new Set(this.lanes);
			let next = place;
			while (next >= 0 && next < this.all.length && !shown.has(this.all[next]))
				next++;
			if (place >= 0)
				this.top = (next < this.all.length ? this.lanes.indexOf(this.all[next]) : this.lanes.length) * this.laneHeight + rest;
		}
		this.scrollBy(0);
	}

	// Sorts the lanes in the order that the user has selected.
	order() {
		this.key = {life: t => t.last - t.first, busy: t => totalsOf(this.trace, t).busy}[$("sort").value];
		this.relane();
		this.app.viewed();
	}

	relane() {
		this.all = lanesOf(this.trace, this.folded, this.packs, this.key);
		this.choose();
	}

	togglePacked() {
		this.packs = !this.packs;
		this.top = 0;
		this.lanes = null;
		this.relane();
	}

	toggleIdle() {
		this.idles = !this.idles;
		this.choose();
	}

	// Multiplies the length of the visible range by factor. The time `at` stays at the same position on the screen.
	zoom(factor, at = (this.from + this.to) / 2) {
		this.view(at - (at - this.from) * factor, at + (this.to - at) * factor);
	}

	pan(share) {
		const by = (this.to - this.from) * share;
		this.view(this.from + by, this.to + by);
	}

	mark(span) {
		this.span = span;
		this.app.spanned();
		this.draw();
	}

	scrollBy(pixels) {
		const most = Math.max(0, this.lanes.length * this.laneHeight - (this.canvas.clientHeight - this.ruler));
		this.top = Math.max(0, Math.min(most, this.top + pixels));
		this.draw();
	}

	// Dims all records except `records`, which must be sorted by time. If `records` is null, dims no record.
	light(records) {
		const {trace} = this, counts = new Uint32Array(trace.threads.length);
		this.passing = null;
		this.hits = records;
		this.draw();
		if (!records)
			return;
		for (const r of records)
			counts[trace.threadOf(r).number]++;
		this.passing = trace.threads.map((t, i) => ({rows: new Uint32Array(counts[i]), blocks: null}));
		counts.fill(0);
		for (const r of records) {
			const i = trace.threadOf(r).number;
			this.passing[i].rows[counts[i]++] = r;
		}
	}

	fold(process) {
		const lane = process && this.all.find(l => l.leads && l.threads.includes(process.main));
		if (!lane || !lane.hides)
			return;
		if (!this.folded.delete(lane.process))
			this.folded.add(lane.process);
		this.relane();
	}

	// Shows the lane of a thread, and unfolds the processes that hide it.
	showThread(thread) {
		// After the innermost visible lane is unfolded, another one below it may still be folded.
		for (let shown = -1; !this.all.some(l => l.threads.includes(thread)) && shown !== this.all.length;) {
			shown = this.all.length;
			for (let p = thread.process; p; p = p.parent) {
				const lane = this.all.find(l => l.leads && l.threads.includes(p.main));
				if (lane)
					this.folded.delete(lane.process);
			}
			this.all = lanesOf(this.trace, this.folded, this.packs, this.key);
		}
		this.choose();
		if (!this.laneOf.has(thread))
			return;
		const at = this.laneOf.get(thread) * this.laneHeight;
		const page = this.canvas.clientHeight - this.ruler;
		if (at < this.top)
			this.scrollBy(at - this.top);
		else if (at + this.laneHeight > this.top + page)
			this.scrollBy(at + this.laneHeight - this.top - page);
	}

	// Shows a record. If it is not visible, moves the visible range without changing its length.
	showRecord(r) {
		const start = this.trace.start[r], end = start + this.trace.duration[r], thread = this.trace.threadOf(r);
		if (end < this.from || start > this.to) {
			const half = (this.to - this.from) / 2;
			this.view(start - half, start + half);
		}
		if (thread.process)
			this.showThread(thread);
		this.draw();
	}

	zoomToRecord(r) {
		const start = this.trace.start[r], wide = Math.max(this.trace.duration[r], 200);
		this.view(start - wide, start + 2 * wide);
		this.showRecord(r);
	}

	// ---- Drawing the timeline ----

	render() {
		const {ctx, width, height} = sharpen(this.canvas);
		this.measure();
		ctx.fillStyle = theme.colors.bg;
		ctx.fillRect(0, 0, width, height);
		ctx.textBaseline = "middle";
		this.renderRuler(ctx, height);
		ctx.save();
		ctx.beginPath();
		ctx.rect(0, this.ruler, width, height - this.ruler);
		ctx.clip();
		const first = Math.floor(this.top / this.laneHeight), shown = Math.ceil((height - this.ruler) / this.laneHeight) + 1;
		for (let i = first; i < Math.min(this.lanes.length, first + shown); i++)
			this.renderLane(ctx, i, this.ruler + i * this.laneHeight - this.top, width);
		this.arrows.render(ctx);
		this.renderSelected(ctx);
		ctx.restore();
		this.renderSpan(ctx, height);
		ctx.fillStyle = theme.colors.line;
		ctx.fillRect(this.gutter - 1, 0, 1, height);
		this.renderScrollBar(ctx, width, height);
		this.renderOverview();
	}

	renderRuler(ctx, height) {
		const {gutter, width, ruler} = this, rough = (this.to - this.from) * 110 / width;
		const power = Math.pow(10, Math.floor(Math.log10(rough)));
		const step = [1, 2, 5, 10].find(f => f * power >= rough) * power;
		ctx.fillStyle = theme.colors.bar;
		ctx.fillRect(0, 0, gutter + width, ruler);
		ctx.font = theme.font;
		ctx.textAlign = "left";
		for (let i = Math.ceil(this.from / step); i * step <= this.to; i++) {
			const x = gutter + (i * step - this.from) / (this.to - this.from) * width;
			ctx.fillStyle = theme.colors.shade;
			ctx.fillRect(Math.round(x), 0, 1, height);
			ctx.fillStyle = theme.colors.soft;
			const text = moment(i * step, step) + " s";
			if (x + 4 + ctx.measureText(text).width <= gutter + width)
				ctx.fillText(text, x + 4, ruler / 2);
		}
		ctx.fillStyle = theme.colors.bar;
		ctx.fillRect(0, 0, gutter, ruler);
		ctx.fillStyle = theme.colors.soft;
		const idle = this.all.length - this.lanes.length;
		ctx.fillText(shortened(ctx, ["View: " + span(this.to - this.from), idle ? `(${plural(idle, "idle lane")} hidden)` : ""], gutter - 16), 8, ruler / 2);
	}

	renderLane(ctx, i, y, width) {
		const lane = this.lanes[i], {gutter, laneHeight, strip} = this, {process} = lane, mid = y + laneHeight / 2;
		const threads = threadsWithin(lane, this.from, this.to);
		const x = 8 + Math.min(lane.depth, 8) * 12;
		if (i % 2) {
			ctx.fillStyle = theme.colors.zebra;
			ctx.fillRect(0, y, width, laneHeight);
		}
		ctx.save();
		ctx.beginPath();
		ctx.rect(gutter, y, width - gutter, laneHeight);
		ctx.clip();
		const painter = new LanePainter(this.trace, ctx, this.from, this.to, gutter, this.width);
		let drawn = -1; // the last column of a process that is too narrow to show its calls
		for (const thread of threads) {
			const [left, right] = this.columnsOf(thread);
			if (right - left < 1 && Math.floor(left) === drawn)
				continue;
			drawn = right - left < 1 ? Math.floor(left) : -1;
			this.renderLife(ctx, left, right, y + strip + (laneHeight - strip) / 2);
			if (strip && lane.leads)
				this.renderCommand(ctx, thread.process, left, right, y + 1);
			painter.paint(thread, y + strip + 2, laneHeight - strip - 4, this.passing ? DIM : 1);
			if (right - left >= 24)
				this.renderExecs(ctx, thread, y + strip + 2);
			if (!this.passing)
				continue;
			painter.paint(this.passing[thread.number], y + strip + 2, laneHeight - strip - 4);
			this.renderHits(ctx, this.passing[thread.number].rows, y + laneHeight - 3);
		}
		ctx.restore();
		if (threads.includes(this.lit)) {
			ctx.fillStyle = theme.colors.pick;
			ctx.fillRect(0, y, gutter, laneHeight);
		}
		ctx.save();
		ctx.beginPath();
		ctx.rect(0, y, gutter - 4, laneHeight);
		ctx.clip();
		ctx.font = (lane.leads ? "600 " : "") + theme.font;
		if (lane.hides) {
			ctx.fillStyle = theme.colors.soft;
			ctx.fillText(this.folded.has(process) ? "▸" : "▾", x, mid);
		}
		ctx.fillStyle = lane.leads ? theme.colors.fg : theme.colors.soft;
		ctx.fillText(shortened(ctx, laneName(lane, threads.length ? threads : lane.threads), gutter - x - 20), x + 14, mid);
		ctx.restore();
	}

	// Returns the visible columns between a thread's first row and its last one.
	columnsOf(thread) {
		const scale = this.width / (this.to - this.from), most = this.gutter + this.width;
		return [thread.first, thread.last].map(t => Math.max(this.gutter, Math.min(most, this.gutter + (t - this.from) * scale)));
	}

	renderLife(ctx, left, right, y) {
		ctx.fillStyle = theme.colors.line;
		ctx.fillRect(left, Math.floor(y), right - left, 1);
	}

	// Draws the bar of a packed process, with as much of its command as fits between the columns left and right.
	renderCommand(ctx, process, left, right, y) {
		ctx.fillStyle = theme.colors.line;
		ctx.fillRect(left, y, Math.max(1, right - left - 1), this.strip - 1);
		if (right - left < 24)
			return;
		ctx.font = theme.font;
		ctx.fillStyle = theme.colors.fg;
		ctx.fillText(fitted(ctx, clean(labelOf(process)).slice(0, 200), right - left - 6), left + 3, y + (this.strip - 1) / 2);
	}

	// Draws a mark where a process started another command.
	renderExecs(ctx, thread, y) {
		const {process} = thread, {arrows} = this;
		if (!arrows.shown || !process || process.main !== thread)
			return;
		ctx.fillStyle = theme.colors.fg;
		for (const {time} of process.commands) {
			const x = arrows.x(time);
			if (time < this.from || time > this.to)
				continue;
			ctx.beginPath();
			ctx.moveTo(x, y);
			ctx.lineTo(x + 7, y + 4);
			ctx.lineTo(x, y + 8);
			ctx.fill();
		}
	}

	// Draws marks below a lane for the records that pass the filter, so that even the shortest call is visible.
	renderHits(ctx, rows, y) {
		const {start} = this.trace, scale = this.width / (this.to - this.from);
		let last = -9;
		ctx.fillStyle = theme.colors.accent;
		for (let i = firstIndex(rows.length, k => start[rows[k]] >= this.from); i < rows.length && start[rows[i]] <= this.to; i++) {
			const x = this.gutter + Math.floor((start[rows[i]] - this.from) * scale);
			if (x - last < 3)
				continue;
			ctx.fillRect(x - 1, y, 3, 3);
			last = x;
		}
	}

	// Returns where a record is drawn: [x, y, width, height], or null if its lane is not shown.
	placeOf(r) {
		const i = this.laneOf.get(this.trace.threadOf(r));
		if (i === undefined)
			return null;
		const scale = this.width / (this.to - this.from);
		return [this.gutter + (this.trace.start[r] - this.from) * scale, this.ruler + i * this.laneHeight - this.top + this.strip + 2,
			this.trace.duration[r] * scale, this.laneHeight - this.strip - 4];
	}

	renderSelected(ctx) {
		const r = this.app.selected, place = r >= 0 && this.placeOf(r);
		if (!place)
			return;
		const left = Math.max(place[0] - 1, this.gutter - 2), right = Math.max(place[0] + place[2] + 1, left + 4);
		if (right < this.gutter)
			return;
		ctx.strokeStyle = theme.colors.fg;
		ctx.lineWidth = 2;
		ctx.strokeRect(left, place[1] - 1, right - left, place[3] + 2);
	}

	renderSpan(ctx, height) {
		const shown = this.marking || this.span;
		if (!shown)
			return;
		const scale = this.width / (this.to - this.from);
		const left = Math.max(this.gutter, this.gutter + (shown[0] - this.from) * scale);
		const right = Math.min(this.gutter + this.width, this.gutter + (shown[1] - this.from) * scale);
		if (right < left)
			return;
		ctx.globalAlpha = 0.14;
		ctx.fillStyle = theme.colors.span;
		ctx.fillRect(left, 0, right - left, height);
		ctx.globalAlpha = 1;
		ctx.fillRect(left, 0, 1, height);
		ctx.fillRect(right, 0, 1, height);
		ctx.font = "600 " + theme.font;
		const text = span(shown[1] - shown[0]), wide = ctx.measureText(text).width + 10;
		const x = Math.max(this.gutter, Math.min((left + right - wide) / 2, this.gutter + this.width - wide));
		ctx.fillRect(x, 1, wide, this.ruler - 2);
		ctx.fillStyle = theme.colors.bg;
		ctx.fillText(text, x + 5, this.ruler / 2);
	}

	renderScrollBar(ctx, width, height) {
		const page = height - this.ruler, all = this.lanes.length * this.laneHeight;
		if (all <= page)
			return;
		if (this.passing) {
			// Marks the lanes that contain matching records beside the scroll bar, including lanes outside the visible part.
			ctx.fillStyle = theme.colors.accent;
			this.lanes.forEach((lane, i) => lane.threads.some(t => this.passing[t.number].rows.length) &&
				ctx.fillRect(width - 12, this.ruler + i * this.laneHeight / all * page, 4, Math.max(2, this.laneHeight / all * page)));
		}
		ctx.fillStyle = theme.colors.shade;
		ctx.fillRect(width - 8, this.ruler, 8, page);
		ctx.fillStyle = theme.colors.soft;
		ctx.globalAlpha = 0.6;
		ctx.fillRect(width - 7, this.ruler + this.top / all * page, 6, Math.max(16, page / all * page));
		ctx.globalAlpha = 1;
	}

	// Counts the calls of each colour that begin in each column of the overview.
	density(width) {
		if (this.bins && this.bins.width === width)
			return this.bins;
		const {trace} = this, n = COLORS.length, of = new Uint32Array(width * n), scale = width / (this.most - this.least);
		let most = 1;
		for (let i = 0; i < trace.count; i++) {
			if (trace.kind[i] > KIND.UNFINISHED)
				continue;
			const x = Math.max(0, Math.min(width - 1, Math.floor((trace.start[i] - this.least) * scale)));
			of[x * n + trace.names[trace.nameOf[i]].color]++;
		}
		for (let x = 0; x < width; x++) {
			let sum = 0;
			for (let c = 0; c < n; c++)
				sum += of[x * n + c];
			most = Math.max(most, sum);
		}
		this.bins = {width, of, most};
		return this.bins;
	}

	renderOverview() {
		if (this.aligned !== this.gutter) {
			this.aligned = this.gutter;
			$("length").style.width = this.aligned + "px";
			$("length").textContent = "Whole run: " + span(this.trace.to - this.trace.from);
		}
		const {ctx, width, height} = sharpen(this.overview), n = COLORS.length;
		const bins = this.density(Math.max(1, Math.floor(width))), scale = width / (this.most - this.least);
		ctx.fillStyle = theme.colors.bg;
		ctx.fillRect(0, 0, width, height);
		for (let x = 0; x < bins.width; x++) {
			let sum = 0, y = height;
			for (let c = 0; c < n; c++)
				sum += bins.of[x * n + c];
			// The square root keeps columns with few calls visible.
			const all = Math.sqrt(sum / bins.most) * (height - 2);
			for (let c = 0; c < n && sum; c++) {
				const h = bins.of[x * n + c] / sum * all;
				if (!h)
					continue;
				ctx.fillStyle = theme.colors[COLORS[c]];
				ctx.fillRect(x, y - h, 1, h);
				y -= h;
			}
		}
		this.renderOverviewHits(ctx, scale, width);
		const left = (this.from - this.least) * scale, right = (this.to - this.least) * scale;
		ctx.fillStyle = theme.colors.shade;
		ctx.fillRect(0, 0, left, height);
		ctx.fillRect(right, 0, width - right, height);
		ctx.strokeStyle = theme.colors.accent;
		ctx.lineWidth = 2;
		ctx.strokeRect(left, 1, Math.max(3, right - left), height - 2);
		if (this.span) {
			ctx.globalAlpha = 0.3;
			ctx.fillStyle = theme.colors.span;
			ctx.fillRect((this.span[0] - this.least) * scale, 0, Math.max(2, (this.span[1] - this.span[0]) * scale), height);
			ctx.globalAlpha = 1;
		}
	}

	// Draws marks in the overview for the records that pass the filter.
	renderOverviewHits(ctx, scale, width) {
		if (!this.hits)
			return;
		const columns = new Uint8Array(Math.ceil(width) + 1);
		for (const r of this.hits)
			columns[Math.max(0, Math.floor((this.trace.start[r] - this.least) * scale))] = 1;
		ctx.fillStyle = theme.colors.accent;
		columns.forEach((hit, x) => hit && ctx.fillRect(x - 1, 0, 3, 5));
	}

	// ---- The mouse and fingers ----

	laneAt(y) {
		return y < this.ruler ? null : this.lanes[Math.floor((y - this.ruler + this.top) / this.laneHeight)] || null;
	}

	// Returns the record at a point or, if there is none, the nearest one within 3 pixels, or -1.
	recordAt(x, y) {
		const lane = this.laneAt(y);
		if (!lane || x < this.gutter)
			return -1;
		const {start, duration} = this.trace, at = this.timeAt(x), near = 3 * (this.to - this.from) / this.width;
		const [thread] = threadsWithin(lane, at, at).concat(threadsWithin(lane, at - near, at + near));
		if (!thread)
			return -1;
		const {rows} = thread;
		const after = firstIndex(rows.length, i => start[rows[i]] > at);
		let best = -1, distance = near;
		for (let i = Math.max(0, after - 3); i < Math.min(rows.length, after + 2); i++) {
			const r = rows[i], d = Math.max(start[r] - at, at - start[r] - duration[r], 0);
			if (d < distance || d === distance && d === 0) {
				best = r;
				distance = d;
			}
		}
		return best;
	}

	listen() {
		const {canvas, overview} = this;
		canvas.addEventListener("wheel", e => this.wheel(e), {passive: false});
		canvas.addEventListener("pointerdown", e => this.press(e));
		canvas.addEventListener("pointermove", e => this.move(e));
		canvas.addEventListener("pointerup", e => this.release(e));
		canvas.addEventListener("pointercancel", e => this.cancel(e));
		canvas.addEventListener("pointerleave", () => this.hover(-1));
		canvas.addEventListener("dblclick", e => {
			const r = this.recordAt(e.offsetX, e.offsetY);
			if (r >= 0)
				this.zoomToRecord(r);
		});
		canvas.addEventListener("keydown", e => this.key(e));
		overview.addEventListener("pointerdown", e => {
			overview.setPointerCapture(e.pointerId);
			this.dragOverview(e.offsetX, true);
		});
		overview.addEventListener("pointermove", e => e.buttons && this.dragOverview(e.offsetX, false));
		overview.addEventListener("wheel", e => {
			e.preventDefault();
			this.zoom(Math.exp(e.deltaY * 0.003), this.least + e.offsetX / overview.clientWidth * (this.most - this.least));
		}, {passive: false});
		new ResizeObserver(() => this.draw()).observe(canvas);
		this.pointers = new Map();
	}

	// Dragging inside the visible range moves it, unless it covers nearly everything. Dragging elsewhere selects a new range.
	dragOverview(x, begins) {
		const at = this.least + x / this.overview.clientWidth * (this.most - this.least), wide = this.to - this.from;
		if (begins) {
			const inside = at >= this.from && at <= this.to && wide < 0.9 * (this.most - this.least);
			this.grip = inside ? {by: at - this.from} : {anchor: at};
		}
		if (this.grip.by !== undefined)
			this.view(at - this.grip.by, at - this.grip.by + wide);
		else if (Math.abs(at - this.grip.anchor) > (this.most - this.least) / this.overview.clientWidth * 3)
			this.view(Math.min(at, this.grip.anchor), Math.max(at, this.grip.anchor));
		else if (begins && wide < 0.9 * (this.most - this.least))
			this.view(at - wide / 2, at + wide / 2);
	}

	wheel(e) {
		const unit = e.deltaMode ? 30 : 1;
		e.preventDefault();
		tip.hide();
		if (e.ctrlKey || e.metaKey || e.altKey)
			this.zoom(Math.exp(e.deltaY * unit * 0.004), this.timeAt(Math.max(this.gutter, e.offsetX)));
		else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
			this.pan((e.deltaX || e.deltaY) * unit / this.width);
		else
			this.scrollBy(e.deltaY * unit);
	}

	press(e) {
		this.canvas.focus();
		this.pointers.set(e.pointerId, e.offsetX);
		this.canvas.setPointerCapture(e.pointerId);
		tip.hide();
		if (this.pointers.size === 2) {
			this.drag = null;
			return;
		}
		const marks = e.offsetX >= this.gutter && (e.shiftKey || e.offsetY < this.ruler);
		this.drag = {x: e.offsetX, y: e.offsetY, from: this.from, to: this.to, marks, moved: false};
	}

	move(e) {
		if (this.pointers.size === 2 && this.pointers.has(e.pointerId)) {
			this.pinch(e);
			return;
		}
		const d = this.drag;
		if (!d) {
			if (!this.hoverProcess(e))
				this.hover(this.recordAt(e.offsetX, e.offsetY), e);
			return;
		}
		if (!d.moved && Math.abs(e.offsetX - d.x) + Math.abs(e.offsetY - d.y) < 4)
			return;
		d.moved = true;
		if (d.marks) {
			const a = this.timeAt(d.x), b = this.timeAt(Math.max(this.gutter, e.offsetX));
			this.marking = [Math.min(a, b), Math.max(a, b)];
			this.draw();
			return;
		}
		const by = (d.x - e.offsetX) / this.width * (d.to - d.from);
		this.scrollBy(d.y - e.offsetY);
		d.y = e.offsetY;
		this.view(d.from + by, d.to + by);
	}

	// Zooms with two fingers. Each finger stays on the same time.
	pinch(e) {
		const [id] = [...this.pointers.keys()].filter(k => k !== e.pointerId), other = this.pointers.get(id);
		const before = this.pointers.get(e.pointerId), gap = Math.abs(before - other), now = Math.abs(e.offsetX - other);
		this.pointers.set(e.pointerId, e.offsetX);
		if (gap > 8 && now > 8)
			this.zoom(gap / now, this.timeAt(other));
	}

	cancel(e) {
		this.pointers.delete(e.pointerId);
		this.drag = this.marking = null;
		this.draw();
	}

	release(e) {
		const d = this.drag;
		this.pointers.delete(e.pointerId);
		this.drag = null;
		if (!d)
			return;
		if (d.marks && d.moved) {
			const marked = this.marking;
			this.marking = null;
			this.mark(marked);
		} else if (!d.moved) {
			this.click(e);
		}
	}

	click(e) {
		const lane = this.laneAt(e.offsetY);
		if (e.offsetX < this.gutter) {
			if (lane && lane.hides && e.offsetX < 22 + Math.min(lane.depth, 8) * 12)
				this.fold(lane.process);
			else if (lane)
				this.app.pickProcesses(threadsWithin(lane, this.from, this.to).map(t => t.process));
			return;
		}
		if (lane && this.onCommand(e)) {
			const at = this.timeAt(e.offsetX), [thread] = threadsWithin(lane, at, at);
			if (thread) {
				this.app.pickProcesses([thread.process]);
				return;
			}
		}
		const r = this.recordAt(e.offsetX, e.offsetY);
		if (r >= 0)
			this.app.pick(r, this);
		else if (e.offsetY < this.ruler || this.span)
			this.mark(null);
	}

	// Returns true if the pointer is in the part of a lane that shows commands.
	onCommand(e) {
		return (e.offsetY - this.ruler + this.top) % this.laneHeight < this.strip;
	}

	// Shows details of the process whose label or command is at the pointer. Returns false if there is none.
	hoverProcess(e) {
		const lane = this.laneAt(e.offsetY);
		const onLabel = e.offsetX < this.gutter, at = this.timeAt(e.offsetX);
		if (!lane || !onLabel && !this.onCommand(e))
			return false;
		const threads = onLabel ? threadsWithin(lane, this.from, this.to) : threadsWithin(lane, at, at);
		this.hovered = -1;
		if (!threads.length) {
			tip.hide();
			return true;
		}
		const {trace} = this, [{process: p}] = threads;
		if (threads.length > 1) {
			tip.show(e.clientX, e.clientY, plural(threads.length, lane.leads ? "process" : "thread").replace("processs", "processes"),
				[...threads.slice(0, 12).map(t => `${t.process.pid} ${clean(commandOf(t.process)).slice(0, 120)}`), ...threads.length > 12 ? ["…"] : []]);
			return true;
		}
		const t = totalsOf(trace, p);
		tip.show(e.clientX, e.clientY, clean(commandOf(p)).slice(0, 400), [`${p.name} ${p.pid}` + (p.parent ? `, child of ${p.parent.name} ${p.parent.pid}` : ""),
			`${moment(p.first)} s to ${moment(p.last)} s: ${span(p.last - p.first)}`, `${plural(t.calls, "call")} (${count(t.failed)} failed), ${span(t.time)} in calls, ${plural(p.threads.length, "thread")}`, endOf(trace, p)]);
		return true;
	}

	async hover(r, e) {
		if (r === this.hovered && r < 0)
			return;
		this.hovered = r;
		this.canvas.style.cursor = r >= 0 ? "pointer" : "default";
		if (r < 0) {
			tip.hide();
			return;
		}
		const {trace} = this, x = e.clientX, y = e.clientY, text = await trace.text(r);
		if (this.hovered !== r || this.drag)
			return;
		const lines = [whom(trace, r), moment(trace.start[r]) + " s"];
		if (trace.isCall(r) || trace.duration[r])
			lines[1] += ", " + (trace.kind[r] === KIND.UNFINISHED ? "" : "took ") + trace.took(r, "had not returned when the trace ended");
		tip.show(x, y, text.length > 400 ? text.slice(0, 400) + "…" : text, lines);
	}

	// ---- The keyboard ----

	key(e) {
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
		if (!step)
			return;
		e.preventDefault();
		e.stopPropagation();
		if (e.shiftKey)
			this.pan(step[0] * 0.2);
		else
			this.step(...step);
	}

	// Moves the selection to the next or previous record, or to the lane above or below.
	step(dx, dy) {
		const {trace, app} = this, r = app.selected;
		if (r < 0) {
			const lane = this.lanes.find(l => this.rowNear(l, this.from) !== undefined);
			if (lane)
				app.pick(this.rowNear(lane, this.from), this);
			return;
		}
		const thread = trace.threadOf(r);
		if (dx) {
			const next = thread.rows[thread.rows.indexOf(r, Math.max(0, this.indexAt(thread, trace.start[r]) - 8)) + dx];
			if (next !== undefined)
				app.pick(next, this);
			return;
		}
		let i = this.laneOf.has(thread) ? this.laneOf.get(thread) : -1;
		do
			i += dy;
		while (this.lanes[i] && this.rowNear(this.lanes[i], trace.start[r]) === undefined);
		if (i >= 0 && this.lanes[i])
			app.pick(this.rowNear(this.lanes[i], trace.start[r]), this);
	}

	// Returns the first row of a lane that begins at or after a time. If there is none, returns the last row, or
	// undefined if the lane is empty.
	rowNear(lane, time) {
		const threads = lane.threads.filter(t => t.rows.length), thread = threads.find(t => t.last >= time) || threads[threads.length - 1];
		return thread && thread.rows[Math.min(thread.rows.length - 1, this.indexAt(thread, time))];
	}

	// Returns the index of the first record of a thread that begins at or after a time.
	indexAt(thread, time) {
		return firstIndex(thread.rows.length, i => this.trace.start[thread.rows[i]] >= time);
	}
}
