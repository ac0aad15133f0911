-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Missing data, by host: events that were lost, and stacks whose walk ended early.
SELECT r.host AS host, x.what AS what, sum(x.n) AS n
FROM (SELECT run, cause AS what, events AS n FROM lost
	UNION ALL SELECT run, status AS what, 1 AS n FROM stacks WHERE status <> 'complete') AS x
JOIN runs AS r ON r.run = x.run GROUP BY r.host, x.what ORDER BY n DESC, host, what LIMIT 50;
