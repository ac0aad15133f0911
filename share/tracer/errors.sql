-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The calls that fail most often, by error.
SELECT name, error, count(*) AS calls, count(DISTINCT run) AS runs FROM calls WHERE error IS NOT NULL
GROUP BY name, error ORDER BY calls DESC, name, error LIMIT 50;
