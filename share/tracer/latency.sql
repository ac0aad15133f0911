-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How calls are spread over times: of each syscall how many took so many powers of ten of a second.
SELECT name, floor(log10(duration)) AS power, count(*) AS calls FROM calls WHERE duration > 0
GROUP BY name, floor(log10(duration)) ORDER BY name, power;
