-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Paths for which calls fail with ENOENT, and the number of hosts on which they do.
SELECT c.path AS path, count(*) AS calls, count(DISTINCT r.host) AS hosts
FROM calls AS c JOIN runs AS r ON r.run = c.run WHERE c.error = 'ENOENT' AND c.path <> ''
GROUP BY c.path ORDER BY calls DESC, path LIMIT 20;
