-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables for ClickHouse of logs written by tracer --format=json --json-stacks=once. Insert the lines
-- into log. It stores nothing; views copy the data to the other tables.
--     clickhouse-client -q 'INSERT INTO log FORMAT JSONEachRow' <LOG
-- The command needs the settings input_format_skip_unknown_fields = 1,
-- input_format_null_as_default = 1 and input_format_json_read_objects_as_strings = 1.
CREATE TABLE log (type LowCardinality(String), time Float64, run UInt64, pid Int64, tid Int64, comm LowCardinality(String),
	nr Int64, name LowCardinality(String), abi LowCardinality(String), args String, ret Nullable(Int64),
	error LowCardinality(Nullable(String)), status LowCardinality(String), duration Nullable(Float64), stack_id UInt64,
	module_id UInt64, module String, build_id String,
	stack Array(Tuple(module_id Nullable(UInt64), addr String, symbol Nullable(String), offset UInt64, file String, line UInt64)),
	stack_status LowCardinality(String), count UInt64, cause String, run_id String, host String, boot String, kernel String,
	machine String, tracer String, command Array(String)) ENGINE = Null;

CREATE TABLE runs (run UInt64, run_id String, time Float64, host String, boot String, kernel String, machine String,
	tracer String, command Array(String)) ENGINE = MergeTree ORDER BY run;
CREATE MATERIALIZED VIEW to_runs TO runs AS
	SELECT run, run_id, time, host, boot, kernel, machine, tracer, command FROM log WHERE type = 'run';
-- path is the first argument that names a file.
CREATE TABLE calls (run UInt64, time Float64, pid Int64, tid Int64, comm LowCardinality(String), name LowCardinality(String),
	abi LowCardinality(String), ret Nullable(Int64), error LowCardinality(Nullable(String)), status LowCardinality(String),
	duration Nullable(Float64), stack_id UInt64, args String, path String) ENGINE = MergeTree ORDER BY (name, run, time);
CREATE MATERIALIZED VIEW to_calls TO calls AS
	SELECT run, time, pid, tid, comm, name, abi, ret, error, status, duration, stack_id, args,
		arrayFirst(x -> x != '', [JSONExtractString(args, 'pathname', 'text'), JSONExtractString(args, 'pathname'),
			JSONExtractString(args, 'filename'), JSONExtractString(args, 'path'), JSONExtractString(args, 'oldpath'),
			JSONExtractString(args, 'oldname'), JSONExtractString(args, 'target')]) AS path
	FROM log WHERE type = 'syscall';
CREATE TABLE stacks (run UInt64, stack_id UInt64, status LowCardinality(String), depth UInt64, line String)
	ENGINE = MergeTree ORDER BY (run, stack_id);
CREATE MATERIALIZED VIEW to_stacks TO stacks AS
	SELECT run, stack_id, stack_status AS status, length(stack) AS depth,
		arrayStringConcat(arrayMap(f -> ifNull(f.symbol, '?'), stack), ';') AS line
	FROM log WHERE type = 'stack';
CREATE TABLE modules (run UInt64, module_id UInt64, module String, build_id String) ENGINE = MergeTree ORDER BY (run, module_id);
CREATE MATERIALIZED VIEW to_modules TO modules AS
	SELECT run, module_id, module, build_id FROM log WHERE type = 'module';
-- The frames of stacks; depth 0 is the innermost.
CREATE TABLE frames (run UInt64, stack_id UInt64, depth UInt64, module_id UInt64, addr String, symbol Nullable(String),
	offset UInt64, file String, line UInt64) ENGINE = MergeTree ORDER BY (run, stack_id, depth);
CREATE MATERIALIZED VIEW to_frames TO frames AS
	SELECT run, stack_id, n - 1 AS depth, ifNull(f.module_id, 0) AS module_id, f.addr AS addr, f.symbol AS symbol,
		f.offset AS offset, f.file AS file, f.line AS line
	FROM log ARRAY JOIN stack AS f, arrayEnumerate(stack) AS n WHERE type = 'stack';
CREATE VIEW names AS
	SELECT f.run AS run, f.stack_id AS stack_id, f.depth AS depth, m.module AS module, m.build_id AS build_id,
		f.addr AS addr, f.symbol AS symbol, f.offset AS offset, f.file AS file, f.line AS line
	FROM frames AS f LEFT JOIN modules AS m ON m.run = f.run AND m.module_id = f.module_id;
CREATE TABLE lost (run UInt64, time Float64, tid Int64, events UInt64, cause String) ENGINE = MergeTree ORDER BY run;
CREATE MATERIALIZED VIEW to_lost TO lost AS
	SELECT run, time, tid, count AS events, cause FROM log WHERE type = 'lost';
