#!/usr/bin/env python3
"""Writes the diagrams of the documentation, docs/images/*.svg.

Usage: scripts/diagrams.py [--check]

Without an option, writes every diagram. With --check, writes nothing and exits with 1 if a file is not what would be written.
The output depends on this script only. Colours follow the reader's theme.
"""
import pathlib
import sys
from xml.sax.saxutils import escape

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "images"

STYLE = """
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-size: 13px; fill: #1b1f23 }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.title { font-size: 15px; font-weight: 600 }
.figure { font-size: 22px; font-weight: 650 }
.quiet { fill: #545c64; font-size: 12px }
.panel { fill: #ffffff; stroke: #d5dade }
.band { fill: #eef2f5 }
.band2 { fill: #e1e8ed }
.line { stroke: #545c64; stroke-width: 1.25; fill: none }
.boundary { stroke: #545c64; stroke-width: 1.25; stroke-dasharray: 4 3 }
.tip { fill: #545c64 }
.allowed { fill: #2f6690; stroke: #2f6690; stroke-width: 2 }
.denied { fill: #ffffff; stroke: #b03f08; stroke-width: 2 }
.denied-ink { fill: #a63906 }
.state { fill: #f6f8fa; stroke: #7b94ab; stroke-width: 1.5 }
.held { fill: #e3edf5; stroke: #2f6690; stroke-width: 2 }
.end { fill: #ffffff; stroke: #545c64; stroke-width: 1.5; stroke-dasharray: 5 3 }
@media (prefers-color-scheme: dark) {
text { fill: #e8eaec }
.quiet { fill: #a6aeb6 }
.panel { fill: #171b1f; stroke: #343b42 }
.band { fill: #21272d }
.band2 { fill: #2b333a }
.line, .boundary { stroke: #a6aeb6 }
.tip { fill: #a6aeb6 }
.allowed { fill: #7fb2da; stroke: #7fb2da }
.denied { fill: #171b1f; stroke: #ff9656 }
.denied-ink { fill: #ff9d66 }
.state { fill: #21272d; stroke: #5f7a94 }
.held { fill: #1f3344; stroke: #7fb2da }
.end { fill: #171b1f; stroke: #a6aeb6 }
}
"""


class Drawing:
    """An SVG image with a title and a description for screen readers."""

    def __init__(self, width, height, title, description):
        self.size = width, height
        self.title, self.description = title, description
        self.parts = []
        self.rect(0.5, 0.5, width - 1, height - 1, "panel", 10)

    def add(self, tag, content=None, **attributes):
        """Adds an element; in names of attributes, class_ is class and text_anchor is text-anchor. Empty ones are left out."""
        named = "".join(f' {name.strip("_").replace("_", "-")}="{number(value)}"'
                        for name, value in attributes.items() if value != "")
        self.parts.append(f"<{tag}{named}/>" if content is None else f"<{tag}{named}>{escape(content)}</{tag}>")

    def rect(self, x, y, width, height, style, radius=0):
        self.add("rect", class_=style, x=x, y=y, width=width, height=height, rx=radius)

    def text(self, x, y, content, style="", anchor="start"):
        if not content:
            return
        self.add("text", content, class_=style, x=x, y=y, text_anchor=anchor)

    def line(self, x1, y1, x2, y2, style="line"):
        self.add("line", class_=style, x1=x1, y1=y1, x2=x2, y2=y2)

    def circle(self, x, y, radius, style):
        self.add("circle", class_=style, cx=x, cy=y, r=radius)

    def path(self, steps, style="line"):
        self.add("path", class_=style, d=steps)

    def tip(self, x, y, direction):
        """An arrow head at x, y that points right or down."""
        sides = {"right": "l-9 -4.5v9z", "down": "l-4.5 -9h9z"}
        self.path(f"M{number(x)} {number(y)}{sides[direction]}", "tip")

    def span(self, x1, x2, y, label, style=""):
        """A dimension line from x1 to x2 with a label in the middle below it."""
        self.path(f"M{number(x1)} {number(y - 5)}v10M{number(x2)} {number(y - 5)}v10M{number(x1)} {number(y)}H{number(x2)}")
        self.text((x1 + x2) / 2, y + 20, label, style, "middle")

    def svg(self):
        width, height = self.size
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            ' role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(self.title)}</title>',
            f'<desc id="description">{escape(self.description)}</desc>',
            f"<style>{STYLE}</style>",
            *self.parts,
            "</svg>",
            ""])


def number(value):
    """Coordinates with at most one decimal; anything else unchanged."""
    if isinstance(value, float):
        return f"{value:.1f}".rstrip("0").rstrip(".")
    return value


def fixed_window_boundary():
    """Ten requests under 5 per minute: a fixed window admits all of them, the sliding log admits five."""
    drawing = Drawing(
        960, 400, "A fixed window admits twice its limit around a boundary",
        "Ten requests between 11:00:40 and 11:01:15 under a limit of 5 per minute. The fixed window admits all ten: five in the"
        " window that ends at 11:01:00 and five in the next. The sliding log admits the first five and denies the others; the"
        " next permit is available at 11:01:40.")
    first, last, left, right = 30, 105, 212, 936  # seconds after 11:00, and where they are drawn
    requests = [40, 45, 50, 55, 59, 60, 63, 67, 71, 75]

    def at(second):
        return left + (second - first) * (right - left) / (last - first)

    def clock(second):
        return f"11:{second // 60:02}:{second % 60:02}"

    drawing.text(24, 34, "Limit: 5 per minute. Ten requests between 11:00:40 and 11:01:15.", "title")
    drawing.circle(732.0, 29.0, 5, "allowed")
    drawing.text(744, 34, "allowed")
    drawing.circle(828.0, 29.0, 5, "denied")
    drawing.text(840, 34, "denied")

    top = 62
    drawing.text(24, top + 26, "fixed-window 5/1m", "mono")
    drawing.text(24, top + 60, "10 allowed", "figure")
    drawing.rect(at(first), top, at(60) - at(first), 88, "band")
    drawing.rect(at(60), top, at(last) - at(60), 88, "band2")
    drawing.text(at(60) - 10, top + 19, "window 11:00 to 11:01: 5 of 5", "quiet", "end")
    drawing.text(at(60) + 10, top + 19, "window 11:01 to 11:02: 5 of 5", "quiet")
    drawing.line(at(60), top, at(60), top + 32, "boundary")
    for second in requests:
        drawing.circle(at(second), top + 40.0, 3.6, "allowed")
    drawing.span(at(40), at(75), top + 61, "10 allowed in 35 s")

    top = 178
    drawing.text(24, top + 26, "sliding-log 5/1m", "mono")
    drawing.text(24, top + 60, "5 allowed", "figure")
    drawing.text(24, top + 80, "5 denied", "denied-ink")
    drawing.rect(at(first), top, at(last) - at(first), 106, "band")
    drawing.text(at(first) + 10, top + 19, "the window of a request is the minute before it", "quiet")
    for i, second in enumerate(requests):
        drawing.circle(at(second), top + 46.0, 3.6, "allowed" if i < 5 else "denied")
    drawing.span(at(40), at(100), top + 73, "1 minute: 5 allowed")
    drawing.text(at(100) - 8, top + 50, "11:01:40: next permit", "quiet", "end")
    drawing.path(f"M{number(at(100))} {top + 40}v28", "boundary")

    axis = 310
    drawing.line(at(first), axis, at(last), axis)
    for second in range(first, last + 1, 5):
        labelled = second % 10 == 0
        drawing.line(at(second), axis, at(second), axis + (8 if labelled else 5))
        if labelled:
            drawing.text(at(second), axis + 25, clock(second), "quiet", "middle")
    drawing.text(24, axis + 25, "time of day", "quiet")
    drawing.text(24, 374, "In the 60 s that start at 11:00:40, the fixed window allows 10 requests, twice its limit. The sliding log allows 5.")
    return drawing


def reservation():
    """The states of a reservation, from the request to the expiry of its permits."""
    drawing = Drawing(
        960, 386, "The life of a reservation",
        "A request is denied if its permits do not fit within maxWait. Otherwise it is due at once, or pending until its instant is"
        " reached. A due reservation is used, and its permits expire one window later. Until then, cancel or refund releases the"
        " permits. An interrupt, a cancelled future or a timeout releases those of a pending reservation.")
    width, height, row = 124, 58, 128
    columns = {"requested": 24, "pending": 232, "due": 440, "used": 604, "expired": 812}

    def box(x, y, name, note, style):
        drawing.rect(x, y, width, height, style, 8)
        drawing.text(x + width / 2, y + 25, name, "title", "middle")
        drawing.text(x + width / 2, y + 44, note, "quiet", "middle")

    def right_of(name):
        return columns[name] + width

    def centre(name):
        return columns[name] + width / 2

    def arrow(one, other, above="", below=""):
        y, middle = row + height / 2, (right_of(one) + columns[other]) / 2
        drawing.text(middle, y - 8, above, "quiet", "middle")
        drawing.text(middle, y + 18, below, "quiet", "middle")
        drawing.line(right_of(one), y, columns[other] - 8, y)
        drawing.tip(columns[other] - 1, y, "right")

    drawing.text(24, 36, "reserve(key, permits, maxWait)", "mono")
    drawing.text(936, 36, "Blue: the permits count against the limit.", "quiet", "end")

    # fits now: from requested over pending to due
    drawing.path(f"M{number(centre('requested'))} {row}V84Q{number(centre('requested'))} 76 {number(centre('requested') + 8)} 76"
                 f"H{number(centre('due') - 8)}Q{number(centre('due'))} 76 {number(centre('due'))} 84V{row - 8}")
    drawing.tip(centre("due"), row - 1, "down")
    drawing.text((centre("requested") + centre("due")) / 2, 66, "fits now, no wait", "quiet", "middle")

    arrow("requested", "pending", "fits later")
    arrow("pending", "due", "its instant", "is reached")
    arrow("due", "used")
    arrow("used", "expired", "a window", "later")
    box(columns["requested"], row, "requested", "one atomic step", "state")
    box(columns["pending"], row, "pending", "not yet due", "held")
    box(columns["due"], row, "due", "await() returns", "held")
    box(columns["used"], row, "used", "the task runs", "held")
    box(columns["expired"], row, "expired", "nothing to release", "end")

    # down: denied and released
    low = 304
    drawing.line(centre("requested"), row + height, centre("requested"), low - 8)
    drawing.tip(centre("requested"), low - 1, "down")
    drawing.text(centre("requested") + 10, 238, "does not fit", "quiet")
    drawing.text(centre("requested") + 10, 256, "within maxWait", "quiet")
    box(columns["requested"], low, "denied", "nothing counts", "end")

    for name in ("pending", "due", "used"):
        drawing.line(centre(name), row + height, centre(name), low - 8)
        drawing.tip(centre(name), low - 1, "down")
    drawing.text(centre("pending") + 10, 238, "cancel(), interrupt,", "quiet")
    drawing.text(centre("pending") + 10, 256, "cancelled future, timeout", "quiet")
    drawing.text(centre("due") + 10, 256, "cancel(), refund(n)", "quiet")
    drawing.text(centre("used") + 10, 256, "cancel(), refund(n)", "quiet")
    drawing.rect(columns["pending"], low, right_of("used") - columns["pending"], height, "end", 8)
    drawing.text((columns["pending"] + right_of("used")) / 2, low + 25, "released", "title", "middle")
    drawing.text((columns["pending"] + right_of("used")) / 2, low + 44,
                 "the permits are available to the next request; refund(n) releases n of them", "quiet", "middle")
    return drawing


def redis_decision():
    """One decision on Redis, from the call to the answer, from left to right and back."""
    drawing = Drawing(
        960, 330, "A decision on Redis",
        "A call is denied at once if a denial of its key is cached, and decided by the failure policy if the circuit is open or too many"
        " calls are in flight. Otherwise it is sent in a batch with others: at once if as many calls wait as are in flight, else when"
        " one of them is answered or after a millisecond. One script decides the batch on the server. If there is no answer within the"
        " timeout, the failure policy decides, and permits that are granted later are released.")
    width, height, row = 150, 58, 96
    columns = {"call": 24, "queue": 278, "script": 532, "answer": 786}

    def box(x, y, name, note, style):
        drawing.rect(x, y, width, height, style, 8)
        drawing.text(x + width / 2, y + 25, name, "title", "middle")
        drawing.text(x + width / 2, y + 44, note, "quiet", "middle")

    def arrow(one, other, above, below=""):
        y, middle = row + height / 2, (columns[one] + width + columns[other]) / 2
        drawing.text(middle, y - 8, above, "quiet", "middle")
        drawing.text(middle, y + 18, below, "quiet", "middle")
        drawing.line(columns[one] + width, y, columns[other] - 8, y)
        drawing.tip(columns[other] - 1, y, "right")

    drawing.text(24, 36, "tryAcquire(key)", "mono")
    drawing.text(936, 36, "As many calls wait as are in flight: they are sent at once.", "quiet", "end")
    drawing.text(936, 56, "Otherwise calls gather until an answer, or for a millisecond.", "quiet", "end")
    arrow("call", "queue", "no denial", "is cached")
    arrow("queue", "script", "one batch,", "one script")
    arrow("script", "answer", "one", "round trip")
    box(columns["call"], row, "call", "in this process", "state")
    box(columns["queue"], row, "queue", "in order of arrival", "state")
    box(columns["script"], row, "script", "atomic, server clock", "held")
    box(columns["answer"], row, "decision", "exact", "held")

    low = 240
    for name, first, second in (
            ("call", "cached denial", ""), ("queue", "circuit open, or", "too many in flight"),
            ("script", "no answer", "within the timeout")):
        centre = columns[name] + width / 2
        drawing.line(centre, row + height, centre, low - 8)
        drawing.tip(centre, low - 1, "down")
        drawing.text(centre + 10, 194, first, "quiet")
        drawing.text(centre + 10, 212, second, "quiet")
    box(columns["call"], low, "denied", "exact, no round trip", "end")
    drawing.rect(columns["queue"], low, columns["script"] + width - columns["queue"], height, "end", 8)
    middle = (columns["queue"] + columns["script"] + width) / 2
    drawing.text(middle, low + 25, "failure policy", "title", "middle")
    drawing.text(middle, low + 44, "degraded; a grant that arrives later is released", "quiet", "middle")
    return drawing


def redis_circuit():
    """The states of the circuit of one server."""
    drawing = Drawing(
        960, 330, "The circuit of a server",
        "While the circuit is closed, calls are sent. It opens if the connection is lost, if the server is a replica or loads its data,"
        " or if no script is answered in time for three timeouts; listeners receive storeDown. While it is open, calls fail at once."
        " Probes are 100 to 500 ms apart: they connect if necessary, and check that the server accepts a write within the timeout. If"
        " one succeeds, the circuit closes, and listeners receive storeUp. If it opens again within 10 s, it stays open for 100 ms at"
        " least, doubling up to 1 s.")
    width, height, row = 190, 70, 118
    columns = {"closed": 60, "open": 420, "probe": 700}

    def box(x, name, note, second, style):
        drawing.rect(x, row, width, height, style, 8)
        drawing.text(x + width / 2, row + 24, name, "title", "middle")
        drawing.text(x + width / 2, row + 43, note, "quiet", "middle")
        drawing.text(x + width / 2, row + 60, second, "quiet", "middle")

    def arrow(one, other, *lines):
        y, middle = row + height / 2, (columns[one] + width + columns[other]) / 2
        for place, line in enumerate(lines):
            drawing.text(middle, y - 8 - 18 * (len(lines) - 1 - place), line, "quiet", "middle")
        drawing.line(columns[one] + width, y, columns[other] - 8, y)
        drawing.tip(columns[other] - 1, y, "right")

    arrow("closed", "open", "connection lost,", "no primary, or")
    drawing.text((columns["closed"] + width + columns["open"]) / 2, row + height / 2 + 18, "silent for 3 timeouts", "quiet", "middle")
    drawing.text((columns["closed"] + width + columns["open"]) / 2, row + height / 2 + 38, "storeDown", "mono", "middle")
    arrow("open", "probe", "100 ms", "to 500 ms")
    box(columns["closed"], "closed", "calls are sent", "", "held")
    box(columns["open"], "open", "calls fail at once,", "the policy decides", "end")
    box(columns["probe"], "probe", "connects, and writes", "within the timeout", "state")

    centre = {name: x + width / 2 for name, x in columns.items()}
    # back to open, above; back to closed, below
    drawing.path(f"M{number(centre['probe'])} {row}V76Q{number(centre['probe'])} 68 {number(centre['probe'] - 8)} 68"
                 f"H{number(centre['open'] + 8)}Q{number(centre['open'])} 68 {number(centre['open'])} 76V{row - 8}")
    drawing.tip(centre["open"], row - 1, "down")
    drawing.text((centre["open"] + centre["probe"]) / 2, 58, "fails, or is late", "quiet", "middle")
    drawing.path(f"M{number(centre['probe'])} {row + height}V252Q{number(centre['probe'])} 260 {number(centre['probe'] - 8)} 260"
                 f"H{number(centre['closed'] + 8)}Q{number(centre['closed'])} 260 {number(centre['closed'])} 252V{row + height + 8}")
    drawing.path(f"M{number(centre['closed'])} {row + height + 1}l-4.5 9h9z", "tip")
    drawing.text((centre["closed"] + centre["probe"]) / 2, 250, "succeeds", "quiet", "middle")
    drawing.text((centre["closed"] + centre["probe"]) / 2, 280, "storeUp", "mono", "middle")
    drawing.text(24, 314, "Opened again within 10 s: it stays open for 100 ms at least, then 200 ms, up to 1 s.", "quiet")
    return drawing


DIAGRAMS = {"fixed-window-boundary.svg": fixed_window_boundary, "reservation.svg": reservation,
            "redis-decision.svg": redis_decision, "redis-circuit.svg": redis_circuit}


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.stderr.write(__doc__)
        return 2
    different = []
    for name, draw in DIAGRAMS.items():
        file, made = IMAGES / name, draw().svg()
        if arguments:
            if not file.exists() or file.read_bytes() != made.encode():
                different.append(name)
        else:
            IMAGES.mkdir(parents=True, exist_ok=True)
            file.write_bytes(made.encode())
    for name in different:
        sys.stderr.write(f"docs/images/{name} is not what scripts/diagrams.py writes; run it\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
