// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts that do not depend on traces: long lists, tabs, tooltips, colours of canvases.

// Colours of the style sheet, by name; read again when the theme changes.
const theme = {
	colors: {},
	read() {
		const style = getComputedStyle(document.documentElement);
		for (const name of ["bg", "fg", "soft", "line", "bar", "zebra", "accent", "pick", "bad", "span", "ink", "shade", "fork", "path", ...COLORS])
			this.colors[name] = style.getPropertyValue("--" + name).trim();
		this.size = parseFloat(style.getPropertyValue("--size"));
		this.row = parseFloat(style.getPropertyValue("--row"));
		this.font = this.size - 1 + "px system-ui, sans-serif";
		this.mono = this.size - 1 + "px ui-monospace, monospace";
	},
	redraw() {}, // the page sets this function

	// Chooses the colours that the user prefers, and makes the buttons of the header work.
	start() {
		const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
		const use = name => {
			root.dataset.theme = name;
			this.read();
			this.redraw();
		};
		dark.addEventListener("change", () => use(dark.matches ? "dark" : "light"));
		$("smaller").onclick = () => this.resize(-1);
		$("larger").onclick = () => this.resize(1);
		$("theme").onclick = () => use(root.dataset.theme === "dark" ? "light" : "dark");
		$("keys").onclick = () => {
			$("help").hidden = !$("help").hidden;
			$("keys").setAttribute("aria-expanded", !$("help").hidden);
		};
		use(dark.matches ? "dark" : "light");
	},

	resize(by) {
		const now = Math.min(24, Math.max(10, this.size + by));
		document.documentElement.style.setProperty("--size", now + "px");
		document.documentElement.style.setProperty("--row", Math.round(now * 1.7) + "px");
		this.read();
		this.redraw();
	},
};

// Adds keys to the help. The elements of `list` are [keys, description].
function showKeys(list) {
	for (const [keys, what] of list) {
		const item = make("span");
		for (const k of keys.split(" "))
			item.append(make("kbd", "", k), " ");
		item.append(what);
		$("help").append(item);
	}
}

// Sets the resolution of a canvas to that of the screen. Returns {ctx, width, height}, in CSS pixels.
function sharpen(canvas) {
	const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
	const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
	}
	const ctx = canvas.getContext("2d", {alpha: false});
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
	return {ctx, width, height};
}

// Returns a function that schedules draw() for the next frame. Several calls within a frame draw once.
function later(draw) {
	let asked = false;
	return () => {
		if (asked)
			return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			draw();
		});
	};
}

// Stores a number in the browser. All pages written by tracer share it.
function remember(name, value) {
	try {
		localStorage.setItem("tracer-" + name, value);
	} catch (error) {
		// The browser does not permit storage, so the number is lost when the page is closed.
	}
}

function remembered(name) {
	try {
		return parseFloat(localStorage.getItem("tracer-" + name)) || 0;
	} catch (error) {
		return 0;
	}
}

const tip = {
	show(x, y, title, lines) {
		const box = $("tip");
		box.textContent = "";
		box.append(make("b", "", title));
		for (const line of lines)
			box.append(make("div", "", line));
		box.hidden = false;
		box.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.offsetWidth - 8)) + "px";
		box.style.top = (y + 24 + box.offsetHeight > innerHeight ? Math.max(4, y - box.offsetHeight - 10) : y + 18) + "px";
	},
	hide() {
		$("tip").hidden = true;
	},
};

// A list of any length. The document contains only the visible rows. Browsers limit the height of elements, so in a
// very long list, one pixel of the scroll bar corresponds to several pixels of rows.
const TALLEST = 8e6;

class LongList {
	// fill(element, index) fills an empty row; pick(index) is called when the user chooses a row.
	constructor(box, label, fill, pick) {
		this.box = box;
		this.fill = fill;
		this.pick = pick;
		this.length = 0;
		this.picked = -1;
		this.top = 0; // scroll position in pixels, as if the list had its full height
		this.rows = new Map();
		box.classList.add("rows");
		box.tabIndex = 0;
		box.setAttribute("role", "listbox");
		box.setAttribute("aria-label", label);
		this.inner = make("div", "inner");
		this.spacer = make("div");
		box.append(this.inner, this.spacer);
		this.draw = later(() => this.render());
		box.addEventListener("scroll", () => this.scrolled());
		box.addEventListener("wheel", e => this.wheel(e), {passive: false});
		box.addEventListener("keydown", e => this.key(e));
		box.addEventListener("click", e => {
			const row = e.target.closest(".row");
			if (row)
				this.choose(row.index, e);
		});
		new ResizeObserver(() => this.draw()).observe(box);
	}

	get height() {
		return this.length * theme.row;
	}

	get page() {
		return this.box.clientHeight;
	}

	setLength(n) {
		this.length = n;
		this.picked = -1;
		this.refresh();
	}

	// Redraws everything.
	refresh() {
		this.spacer.style.height = Math.min(this.height, TALLEST) + "px";
		for (const row of this.rows.values())
			row.remove();
		this.rows.clear();
		this.moveTo(this.top);
	}

	moveTo(top) {
		this.top = Math.max(0, Math.min(top, this.height - this.page));
		const scale = this.scale();
		this.expected = Math.round(this.top / scale);
		this.box.scrollTop = this.expected;
		this.draw();
	}

	scale() {
		return this.height <= TALLEST ? 1 : (this.height - this.page) / (TALLEST - this.page);
	}

	scrolled() {
		// After moveTo(), this.top is more exact than the position of the scroll bar.
		if (Math.abs(this.box.scrollTop - this.expected) > 1) {
			this.top = this.box.scrollTop * this.scale();
			this.expected = this.box.scrollTop;
		}
		this.draw();
	}

	wheel(e) {
		if (this.scale() === 1 || e.ctrlKey || !e.deltaY)
			return;
		e.preventDefault();
		this.moveTo(this.top + e.deltaY * (e.deltaMode ? theme.row : 1));
	}

	render() {
		const first = Math.floor(this.top / theme.row), last = Math.min(this.length, Math.ceil((this.top + this.page) / theme.row) + 1);
		for (const [i, row] of this.rows)
			if (i < first || i >= last) {
				row.remove();
				this.rows.delete(i);
			}
		for (let i = first; i < last; i++) {
			let row = this.rows.get(i);
			if (!row) {
				row = make("div", "row" + (i % 2 ? " odd" : ""));
				row.index = i;
				row.id = this.box.id + "-" + i;
				row.setAttribute("role", "option");
				row.setAttribute("aria-setsize", this.length);
				row.setAttribute("aria-posinset", i + 1);
				this.fill(row, i);
				this.rows.set(i, row);
				this.inner.append(row);
			}
			row.style.top = i * theme.row - this.top + "px";
			row.classList.toggle("picked", i === this.picked);
			row.setAttribute("aria-selected", i === this.picked);
		}
		if (this.rows.has(this.picked))
			this.box.setAttribute("aria-activedescendant", this.box.id + "-" + this.picked);
		else
			this.box.removeAttribute("aria-activedescendant");
	}

	// Selects the row with that index and shows it, without calling pick().
	show(i, middle) {
		this.picked = i;
		const at = i * theme.row;
		if (i >= 0 && (at < this.top || at + theme.row > this.top + this.page))
			this.moveTo(middle ? at - this.page / 2 : at < this.top ? at : at + theme.row - this.page);
		this.draw();
	}

	choose(i, event) {
		this.show(i);
		this.pick(i, event);
	}

	key(e) {
		if (e.ctrlKey || e.metaKey || e.altKey || !this.length)
			return;
		const rows = Math.max(1, Math.floor(this.page / theme.row) - 1);
		const to = {ArrowDown: this.picked + 1, ArrowUp: this.picked - 1, PageDown: this.picked + rows,
			PageUp: this.picked - rows, Home: 0, End: this.length - 1}[e.key];
		if (to === undefined)
			return;
		e.preventDefault();
		e.stopPropagation();
		this.choose(Math.max(0, Math.min(to, this.length - 1)), e);
	}
}

// Tabs for panels: {id, title}; change(id) is called when another panel is shown.
class Tabs {
	constructor(bar, tabs, change) {
		this.bar = bar;
		this.change = change;
		this.tabs = tabs.map(t => {
			const button = make("button", "", t.title);
			button.id = "tab-" + t.id;
			button.setAttribute("role", "tab");
			button.setAttribute("aria-controls", "panel-" + t.id);
			$("panel-" + t.id).setAttribute("aria-labelledby", button.id);
			button.onclick = () => this.show(t.id);
			bar.append(button);
			return {...t, button, panel: $("panel-" + t.id)};
		});
		bar.addEventListener("keydown", e => {
			const shown = this.tabs.filter(t => !t.button.hidden), at = shown.findIndex(t => t.id === this.shown);
			const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
			if (!by)
				return;
			e.preventDefault();
			e.stopPropagation();
			const to = shown[(at + by + shown.length) % shown.length];
			this.show(to.id);
			to.button.focus();
		});
	}

	show(id) {
		this.shown = id;
		for (const t of this.tabs) {
			t.panel.hidden = t.id !== id;
			t.button.setAttribute("aria-selected", t.id === id);
			t.button.tabIndex = t.id === id ? 0 : -1;
		}
		this.change(id);
	}
}
