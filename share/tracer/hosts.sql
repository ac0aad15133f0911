-- SPDX-License-Identifier: LGPL-2.1-or-later
-- For each host and kernel, the number of runs and of calls, and the total time of the calls.
SELECT r.host AS host, r.kernel AS kernel, count(DISTINCT r.run) AS runs, count(*) AS calls, sum(c.duration) AS seconds
FROM runs AS r JOIN calls AS c ON c.run = r.run GROUP BY r.host, r.kernel ORDER BY host, kernel;
