// SPDX-License-Identifier: LGPL-2.1-or-later
// fleet.mjs duckdb|clickhouse SHARE LOGS: loads logs with the schema and prints the rows of each
// query as JSON, one query per line.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [engine, share, logs] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), "package.json"));
const statements = (name) => fs.readFileSync(path.join(share, name), "utf8").replace(/^\s*--.*$/gm, "")
	.split(/;\s*$/m).map((s) => s.trim()).filter(Boolean);
const queries = fs.readdirSync(share).filter((f) => f.endsWith(".sql") && f !== "duckdb.sql" && f !== "clickhouse.sql").sort();

async function duckdb() {
	const { DuckDBInstance } = require("@duckdb/node-api");
	const db = await (await DuckDBInstance.create(process.env.FLEET_DB ?? ":memory:")).connect();

	await db.run(`SET VARIABLE log = '${logs}/*.json'`);
	for (const s of statements("duckdb.sql"))
		await db.run(s);
	return async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJson();
}

async function clickhouse() {
	const { Session } = require("chdb");
	const db = new Session(path.join(process.cwd(), "clickhouse"));

	for (const s of ["CREATE DATABASE fleet", "USE fleet", ...statements("clickhouse.sql")])
		db.query(s);
	for (const f of fs.readdirSync(logs).filter((f) => f.endsWith(".json")))
		db.query(`INSERT INTO log SELECT * FROM file('${path.resolve(logs, f)}', JSONEachRow) SETTINGS ` +
			"input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, " +
			"input_format_json_read_objects_as_strings = 1, use_structure_from_insertion_table_in_table_functions = 1");
	return async (sql) => db.query(sql, "JSONEachRow").split("\n").filter(Boolean).map((l) => JSON.parse(l));
}

let start = performance.now();
const run = await (engine === "duckdb" ? duckdb() : clickhouse());
const took = () => { const ms = performance.now() - start; start = performance.now(); return Math.round(ms); };
console.error(`load ${took()} ms`);
for (const q of queries) {
	const rows = await run(statements(q)[0]);
	console.error(`${q} ${took()} ms`);
	console.log(JSON.stringify({ query: q.replace(".sql", ""), rows }));
}
process.exit(0);
