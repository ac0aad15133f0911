// SPDX-License-Identifier: LGPL-2.1-or-later
// Measures the cost of many rows (doc/fleet.md). Loads a log of tracer --format=json --json-stacks=once into DuckDB,
// and copies its runs, one after the other and spread over 16 hosts, until there are CALLS calls. Stores them as
// Parquet files, and runs the queries of share/tracer over these files; with "tables", over tables into which the files
// were loaded; with "clickhouse", over tables of ClickHouse's engine. Prints the elapsed time and the CPU time of each
// step, in seconds.
//     node bench/fleet.mjs SHARE LOG CALLS FOLDER [tables|clickhouse]
// Run it in a folder with node_modules/@duckdb/node-api and, for ClickHouse's engine, node_modules/chdb. The database in
// FOLDER takes 10 GB for 100 million calls. Parquet files that already exist in FOLDER are used again.
import { createRequire } from "node:module";
import { existsSync, readFileSync, readdirSync, rmSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const require = createRequire(join(process.cwd(), "x.js"));
const { DuckDBInstance } = require("@duckdb/node-api");
const [share, log, wanted, folder, engine] = process.argv.slice(2);
const statements = (name) => readFileSync(join(share, name), "utf8").replace(/^--.*$/gm, "").split(/;\s*$/m)
	.map((s) => s.trim()).filter(Boolean);
let db = null;

async function open(name) {
	const instance = await DuckDBInstance.create(join(folder, name));
	db = await instance.connect();
	for (const s of ["SET memory_limit = '10GB'", `SET temp_directory = '${folder}/tmp'`, "SET preserve_insertion_order = false"])
		await db.run(s);
}

async function step(what, act) {
	const cpu = process.cpuUsage(), from = performance.now();
	let said = "";
	try {
		said = (await act()) ?? "";
	} catch (e) {
		said = String(e.message).split("\n")[0];
	}
	const used = process.cpuUsage(cpu);
	console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s, CPU ${((used.user + used.system) / 1e6).toFixed(1)} s ${said}`);
}

async function one(sql) {
	return (await (await db.run(sql)).getRows())[0][0];
}

// Each copy of a run has a different number, begins five minutes after the previous copy, and is on one of 16 hosts.
const shifted = { runs: "time + 300 * k AS time, 'host' || k % 16 AS host", calls: "time + 300 * k AS time", stacks: "", names: "",
	lost: "time + 300 * k AS time" };
const parquet = (table) => resolve(folder, `${table}.parquet`);
const queries = readdirSync(share).filter((f) => f.endsWith(".sql") && !/^(duckdb|clickhouse)/.test(f));

async function multiply() {
	await open("one.db");
	await db.run(`SET VARIABLE log = '${log}'`);
	await step("load the log", async () => {
		for (const s of statements("duckdb.sql"))
			await db.run(s);
		return `(${await one("SELECT count(*) FROM calls")} calls, ${statSync(log).size} bytes)`;
	});
	const copies = Math.ceil(Number(wanted) / Number(await one("SELECT count(*) FROM calls")));

	await step("multiply into Parquet", async () => {
		for (const [table, change] of Object.entries(shifted))
			await db.run(`COPY (SELECT * REPLACE (run + k AS run${change && ", " + change}) FROM ${table},
				(SELECT unnest(range(${copies})) AS k)) TO '${parquet(table)}' (COMPRESSION zstd)`);
		return `(${copies} runs, ${Object.keys(shifted).reduce((n, t) => n + statSync(parquet(t)).size, 0)} bytes)`;
	});
	db.closeSync();
}

async function duckdb() {
	await open("all.db");
	await step(engine ? "load the Parquet" : "open the Parquet", async () => {
		for (const table of Object.keys(shifted))
			await db.run(`CREATE ${engine ? "TABLE" : "VIEW"} ${table} AS SELECT * FROM '${parquet(table)}'`);
		await db.run("CHECKPOINT");
		return `(${await one("SELECT count(*) FROM calls")} calls, ${await one("SELECT count(*) FROM stacks")} stacks, ` +
			`${await one("SELECT count(*) FROM names")} frames, ${statSync(join(folder, "all.db")).size} bytes)`;
	});
	for (const file of queries)
		await step(file, async () => {
			for (const s of statements(file))
				await (await db.run(s)).getRows();
		});
	db.closeSync();
}

// The queries for the contents of the Parquet files, by table. A module's number is a hash of its name and build id.
const number = "cityHash64(ifNull(module, ''), ifNull(build_id, ''))";
const inserts = {
	runs: "SELECT * FROM runs",
	calls: "SELECT * FROM calls",
	stacks: "SELECT * FROM stacks",
	lost: "SELECT * FROM lost",
	frames: `SELECT run, stack_id, depth, ${number}, ifNull(addr, ''), symbol, ifNull(offset, 0), ifNull(file, ''),
		ifNull(line, 0) FROM names`,
	modules: `SELECT DISTINCT run, ${number}, ifNull(module, ''), ifNull(build_id, '') FROM names`,
};

async function clickhouse() {
	const { Session } = require("chdb");
	const session = new Session(resolve(folder, "clickhouse"));

	for (const s of ["CREATE DATABASE fleet", "USE fleet", "SET max_memory_usage = 10000000000",
		"SET max_bytes_before_external_group_by = 4000000000", "SET join_algorithm = 'grace_hash,hash'", ...statements("clickhouse.sql")])
		session.query(s);
	for (const [table, select] of Object.entries(inserts))
		await step(`load ${table}`, async () => {
			session.query(`INSERT INTO ${table} ` + select.replace(/FROM (\w+)$/, (_, t) => `FROM file('${parquet(t)}', Parquet)`) +
				" SETTINGS input_format_null_as_default = 1");
			const size = session.query(`SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND table = '${table}'`, "TSV");
			return `(${size.trim().replace("\t", " rows, ")} bytes)`;
		});
	for (const file of queries)
		await step(file, async () => {
			for (const s of statements(file))
				session.query(s, "JSONEachRow");
		});
}

if (!existsSync(parquet("calls"))) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await multiply();
}
for (const left of ["all.db", "clickhouse"])
	rmSync(join(folder, left), { recursive: true, force: true });
await (engine === "clickhouse" ? clickhouse() : duckdb());
process.exit(0);
