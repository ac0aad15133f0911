// SPDX-License-Identifier: LGPL-2.1-or-later
// Keeps the state of the view in the fragment of the page's address, and copies text.

// Copies a text, and confirms it on the button.
async function copy(button, text) {
	const label = button.textContent;
	try {
		await navigator.clipboard.writeText(text);
		button.textContent = "Copied";
	} catch (error) {
		button.textContent = "Not allowed by the browser";
	}
	setTimeout(() => button.textContent = label, 1500);
}

class Address {
	constructor(app) {
		this.app = app;
		this.write = later(() => this.save());
		if (location.hash)
			this.restore();
		this.saves = true;
		addEventListener("hashchange", () => location.hash !== this.written && this.restore());
	}

	// Returns the fragment for the current view.
	text() {
		const {app} = this, {timeline, calls} = app, at = new URLSearchParams();
		const put = (name, value) => value && at.set(name, value);
		if (timeline.from > timeline.least || timeline.to < timeline.most)
			at.set("view", [timeline.from, timeline.to].map(Math.round).join("-"));
		if (timeline.span)
			at.set("range", timeline.span.map(Math.round).join("-"));
		if (app.selected >= 0)
			at.set("row", app.selected);
		put("text", $("text").value);
		put("class", $("class").value);
		put("slow", +$("slow").value);
		put("failed", +$("failed").checked);
		put("within", +$("within").checked);
		if (calls.process)
			at.set("process", calls.process.index);
		put("sort", $("sort").value);
		for (const [name, value] of Object.entries(app.flame.state()))
			put(name, value);
		put("path", timeline.arrows.path ? 1 : "");
		if (app.tabs.shown !== "call")
			put("tab", app.tabs.shown);
		return at.size ? "#" + at : "";
	}

	save() {
		if (!this.saves)
			return;
		const text = this.text();
		if (text === this.written)
			return;
		this.written = text;
		clearTimeout(this.waiting);
		// Browsers refuse frequent changes of the address.
		this.waiting = setTimeout(() => history.replaceState(null, "", text || "#"), 300);
	}

	// Shows the view that the address describes. Ignores names and times that are not in this page.
	restore() {
		const {app} = this, {timeline, calls, trace} = app, at = new URLSearchParams(location.hash.slice(1));
		const range = name => {
			const found = /^(-?\d+)-(-?\d+)$/.exec(at.get(name) || "");
			return found && +found[1] < +found[2] ? [+found[1], +found[2]] : null;
		};
		const option = (id, value) => $(id).value = [...$(id).options].some(o => o.value === value) ? value : $(id).options[0].value;
		this.written = location.hash;
		$("text").value = at.get("text") || "";
		option("class", at.get("class"));
		option("slow", at.get("slow"));
		option("sort", at.get("sort"));
		$("failed").checked = at.get("failed") === "1";
		$("within").checked = at.get("within") === "1";
		app.flame.restore(at);
		timeline.order();
		timeline.mark(range("range"));
		const row = at.has("row") ? +at.get("row") : -1;
		if ((at.get("path") === "1") !== !!timeline.arrows.path)
			app.showPath(!timeline.arrows.path);
		if (Number.isInteger(row) && row >= 0 && row < trace.count)
			app.pick(row, null);
		else if (!timeline.arrows.path)
			app.drop();
		timeline.view(...range("view") || [timeline.least, timeline.most]);
		if (app.tabs.tabs.some(t => t.id === at.get("tab") && !t.button.hidden))
			app.tabs.show(at.get("tab"));
		calls.showOnly(trace.processes[at.get("process") || -1] || null);
	}
}
