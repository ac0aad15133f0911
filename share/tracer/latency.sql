-- SPDX-License-Identifier: LGPL-2.1-or-later
-- A histogram of durations for each syscall. A duration from 10^power to 10^(power + 1) seconds counts for power.
SELECT name, floor(log10(duration)) AS power, count(*) AS calls FROM calls WHERE duration > 0
GROUP BY name, floor(log10(duration)) ORDER BY name, power;
