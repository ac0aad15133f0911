// SPDX-License-Identifier: LGPL-2.1-or-later
// Queries in the filter: the expressions of --where (doc/query.md), with the fields that the page knows.

const FIELDS = ["kind", "name", "class", "pid", "tid", "comm", "ret", "error", "duration", "time", "bytes", "signal", "stack"];
// The filter text is parsed as a query if it begins with a comparison of a field.
const QUERY = new RegExp(`^[\\s!(]*(${FIELDS.join("|")})\\s*(==|!=|[<>]|=~|!~|&&|\\|\\||in\\s*\\{|has\\b)`);
const SCALES = {ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, K: 1024, M: 1048576, G: 1073741824, T: 1099511627776};
const TOKEN = new RegExp("\\s*(?:(&&|\\|\\||==|!=|<=|>=|=~|!~|[<>!(){},])" + // 1: operator
	"|(-?(?:0x[0-9a-fA-F]+|[0-9]+(?:\\.[0-9]+)?))(ns|us|µs|ms|min|s|h|K|M|G|T)?(?![\\w.])" + // 2, 3: number and unit
	"|\"((?:[^\"\\\\]|\\\\.)*)\"|'((?:[^'\\\\]|\\\\.)*)'" + // 4, 5: string
	"|/((?:[^/\\\\]|\\\\.)+)/" + // 6: regular expression
	"|([A-Za-z_][\\w.]*))", "y"); // 7: name

// Returns the result of a call, which is the text after the last equals sign of the line.
const resultIn = line => line.slice(line.lastIndexOf(" = ") + 3);

// Returns the values of a field. A record without the field has none. `line` is the text of the record.
const VALUES = {
	kind: (t, r) => t.isCall(r) ? ["syscall"] : t.kind[r] === KIND.SIGNAL ? ["signal"] : t.kind[r] === KIND.REQUEST ? ["io_uring"] : [],
	name: (t, r) => t.isCall(r) || t.kind[r] === KIND.SIGNAL || t.kind[r] === KIND.REQUEST ? [t.names[t.nameOf[r]].text] : [],
	class: (t, r) => t.isCall(r) ? t.classes.filter((c, bit) => t.names[t.nameOf[r]].classes >> bit & 1) : [],
	pid: (t, r) => [t.threadOf(r).process ? t.threadOf(r).process.pid : t.threadOf(r).tid],
	tid: (t, r) => [t.threadOf(r).tid],
	comm: (t, r) => [t.who[t.whoOf[r]].name],
	ret: (t, r, line) => {
		const ret = t.kind[r] <= KIND.FAILED && /^-?(0x[0-9a-f]+|\d+)/.exec(resultIn(line));
		return ret ? [Number(ret[0])] : [];
	},
	error: (t, r, line) => {
		const error = t.kind[r] === KIND.FAILED && /^-1 (\w+)/.exec(resultIn(line));
		return error ? [error[1]] : t.kind[r] === KIND.CALL ? [0] : [];
	},
	duration: (t, r) => t.isCall(r) && t.kind[r] !== KIND.UNFINISHED || t.kind[r] === KIND.REQUEST ? [t.duration[r] / 1e9] : [],
	time: (t, r) => [t.clock + t.start[r] / 1e9],
	bytes: (t, r) => t.bytes[r] ? [t.bytes[r]] : [],
	signal: (t, r) => t.kind[r] === KIND.SIGNAL ? [t.names[t.nameOf[r]].text] : [],
	stack: (t, r) => t.stack(r).map(f => `${f.module || f.file}(${f.symbol}`)
};
const IN_TEXT = new Set(["ret", "error"]);

class Query {
	// Parses a query. Throws an Error with a message if it is invalid.
	constructor(trace, text) {
		this.trace = trace;
		this.text = text;
		this.reads = false; // the query uses the texts of records
		this.at = 0;
		this.advance();
		this.matches = this.any();
		if (this.token)
			throw new Error(`unexpected '${this.token.text}'`);
	}

	static is(text) {
		return QUERY.test(text);
	}

	advance() {
		const rest = this.text.slice(this.at).trimStart();
		this.token = null;
		if (!rest)
			return;
		TOKEN.lastIndex = this.at;
		const m = TOKEN.exec(this.text);
		if (!m)
			throw new Error(`unexpected '${rest[0]}'`);
		this.at = TOKEN.lastIndex;
		this.token = {text: m[0].trim(), operator: m[1], regex: m[6], name: m[7]};
		if (m[2] !== undefined)
			this.token.value = Number(m[2]) * (m[3] ? SCALES[m[3]] : 1);
		else if (m[4] !== undefined || m[5] !== undefined)
			this.token.value = (m[4] !== undefined ? m[4] : m[5]).replace(/\\(["'\\])/g, "$1");
		else if (m[7] !== undefined)
			this.token.value = m[7];
	}

	// Skips the token if it is this operator or word.
	take(text) {
		if (!this.token || this.token.text !== text || this.token.regex !== undefined)
			return false;
		this.advance();
		return true;
	}

	need(text) {
		if (!this.take(text))
			throw new Error(`'${text}' is missing`);
	}

	any() {
		const terms = [this.all()];
		while (this.take("||"))
			terms.push(this.all());
		return terms.length === 1 ? terms[0] : (r, line) => terms.some(t => t(r, line));
	}

	all() {
		const terms = [this.term()];
		while (this.take("&&"))
			terms.push(this.term());
		return terms.length === 1 ? terms[0] : (r, line) => terms.every(t => t(r, line));
	}

	term() {
		if (this.take("!")) {
			const term = this.term();
			return (r, line) => !term(r, line);
		}
		if (!this.take("("))
			return this.comparison();
		const inner = this.any();
		this.need(")");
		return inner;
	}

	literal() {
		if (!this.token || this.token.value === undefined)
			throw new Error("a value is missing");
		const {value} = this.token;
		this.advance();
		return value;
	}

	comparison() {
		const field = this.token && this.token.name;
		if (!field)
			throw new Error("a field is missing");
		if (!FIELDS.includes(field))
			throw new Error(`'${field}' is not a field of the page: ${FIELDS.join(", ")}`);
		this.advance();
		const values = VALUES[field], {trace} = this;
		this.reads = this.reads || IN_TEXT.has(field);
		const some = is => (r, line) => values(trace, r, line).some(is);
		for (const [text, negated] of [["=~", false], ["!~", true]])
			if (this.take(text)) {
				const regex = this.regex(), is = v => regex.test(v);
				return negated ? (r, line) => {
					const all = values(trace, r, line);
					return all.length > 0 && !all.some(is);
				} : some(is);
			}
		if (field === "stack")
			throw new Error("stack can only be compared with =~ and !~");
		if (this.take("in")) {
			const set = new Set();
			this.need("{");
			do
				set.add(this.literal());
			while (this.take(","));
			this.need("}");
			return some(v => set.has(v));
		}
		if (this.take("has") || this.take("==")) {
			const value = this.literal();
			return some(v => v === value);
		}
		if (this.take("!=")) {
			const value = this.literal();
			return some(v => v !== value);
		}
		for (const [text, is] of [["<=", (a, b) => a <= b], [">=", (a, b) => a >= b], ["<", (a, b) => a < b], [">", (a, b) => a > b]])
			if (this.take(text)) {
				const value = this.literal();
				if (typeof value !== "number")
					throw new Error(`'${value}' is not a number`);
				return some(v => typeof v === "number" && is(v, value));
			}
		return some(v => v !== 0 && v !== "");
	}

	regex() {
		const {token} = this;
		if (!token || token.regex === undefined && (token.value === undefined || token.name))
			throw new Error("a regular expression is missing");
		this.advance();
		try {
			return new RegExp(token.regex !== undefined ? token.regex : token.value);
		} catch (error) {
			throw new Error("not a regular expression");
		}
	}
}
