-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Syscalls that take longer on one host than on the others, on average.
SELECT h.name AS name, h.host AS host, h.mean AS mean, a.mean AS everywhere
FROM (SELECT c.name AS name, r.host AS host, avg(c.duration) AS mean, count(*) AS calls
	FROM calls AS c JOIN runs AS r ON r.run = c.run GROUP BY c.name, r.host) AS h
JOIN (SELECT name, avg(duration) AS mean FROM calls GROUP BY name) AS a ON a.name = h.name
WHERE h.calls >= 10 AND h.mean > 2 * a.mean ORDER BY h.mean / a.mean DESC, name, host LIMIT 20;
