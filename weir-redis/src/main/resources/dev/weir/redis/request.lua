-- The arguments of a script that decides. ARGV[1]: options and time, see clock.lua; and the groups. ARGV[2...]: the limits
-- of joint requests, for each key a list.
--
-- A group has joint requests on keys of its own: the number of kinds of requests (4 bytes), and the position of their limits in ARGV (2);
-- for each kind the number of equal requests (4), the longest wait (7) and the permits for each key (7), in order of arrival. Groups that
-- differ in their keys only and follow each other are packed as one, behind their number (2).
--
-- Answers, packed, in the order of requests. An entry is for a number of equal requests that follow each other:
--   0  denied by the only limit: number (4), remaining (7), retry-after (8), reset-after (7), time (7)
--   1  allowed at once: number (4), time (7); for each limit of each key the remaining permits after the first of the requests, reset-after
--      (7 each), length of the handle (1), handle. What remains falls by the permits of each
--   2  anything else, see decide.lua
--   8  number (4): not decided, because the script has worked for long enough
--   9  a group that failed: 0 (4), the length (2) and text of the error. Other groups are decided
-- Times are microseconds; a retry-after of -1 is never.
local groups, first = ARGV[1], options < 2 and 2 or 10
local peek = options % 2 == 1
local DENIED, ALLOWED = '>BI4I7i8I7I7', '>BI4I7I7I7Bc0' -- by one limit
local ANSWER, STATUS = '>BI4BI7i8I7I2', '>i8i8i8'
local MAX_WORK = 300 -- requests and steps, each of a few microseconds
