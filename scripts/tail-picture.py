#!/usr/bin/env python3
"""Writes docs/images/tail.svg: what `weir tail` shows on a terminal while the example log is written.

Usage: scripts/tail-picture.py [FILE]

Runs ./weir tail in a terminal of its own, appends examples/access.log to a file for ten seconds, and draws the last block with
denials.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 88, 24
SECONDS = 10
LIMITS = ("60/1m", "token-bucket 60/1m burst=20")
DENIED = "\x1b[31m"  # the colour of denials in the last second
CLEAR_BELOW = "\r\x1b[J"
CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.43, 20, 18
LOOKS = {"1": "bold", "2": "dim", "31": "red"}
STYLE = """
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1b1f23 }
rect { fill: #ffffff; stroke: #d5dade }
.bold { font-weight: 700 }
.dim { fill: #545c64 }
.red { fill: #a63906 }
@media (prefers-color-scheme: dark) {
text { fill: #e8eaec }
rect { fill: #171b1f; stroke: #343b42 }
.dim { fill: #a6aeb6 }
.red { fill: #ff9d66 }
}
"""


def read(terminal, seconds):
    """Returns what is written to a terminal in the given time."""
    text, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            text += os.read(terminal, 1 << 16)
    return text


def block(lines):
    """Returns the last block with denials that `weir tail` drew while a log of the given lines was written."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "access.log"
        log.write_text(lines[0])
        terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        options = [part for limit in LIMITS for part in ("--limit", limit)]
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        tail = subprocess.Popen([ROOT / "weir", "tail", *options, log], stdin=inside, stdout=inside, env=environment)
        try:
            seen = b""
            while b"denied" not in seen:  # the first block
                seen += read(terminal, 0.2)
            with log.open("a") as out:
                for i in range(SECONDS):
                    out.writelines(lines[1 + i * len(lines) // SECONDS : 1 + (i + 1) * len(lines) // SECONDS])
                    out.flush()
                    seen += read(terminal, 1)
        finally:
            tail.kill()
            tail.wait()
    blocks = seen.decode().replace("\r\n", "\n").split(CLEAR_BELOW)
    denying = [block for block in blocks[:-1] if DENIED in block]  # the last block may not be complete
    return re.sub(r"\x1b\[(\?7[lh]|\d+A)", "", denying[-1])


def spans(line, y):
    """Returns a line of the terminal as elements of text, one for each look and column, as wide as on the terminal."""
    column, look, out = 0, "", []
    for part in re.split(r"(\x1b\[\d*m|  +)", line):
        if code := re.fullmatch(r"\x1b\[(\d*)m", part):
            look = LOOKS.get(code[1], "")
        elif part.strip():
            start = MARGIN + (column + len(part) - len(part.lstrip())) * CELL_WIDTH
            width = len(part.strip()) * CELL_WIDTH
            kind = f' class="{look}"' if look else ""
            out.append(f'<text x="{start:.1f}" y="{y}" textLength="{width:.1f}"{kind}>{escape(part.strip())}</text>')
        column += 0 if code else len(part)
    return out


def picture(text):
    lines = text.rstrip("\n").split("\n")
    width = round(2 * MARGIN + COLUMNS * CELL_WIDTH)
    height = 2 * MARGIN + len(lines) * LINE_HEIGHT
    body = [span for i, line in enumerate(lines) for span in spans(line, MARGIN + 15 + i * LINE_HEIGHT)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">',
        "<title id=\"title\">weir tail: what two limits allow and deny in a log that is being written</title>",
        f"<style>{STYLE}</style>",
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        *body, "</svg>", ""])


def main():
    file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "tail.svg"
    lines = (ROOT / "examples" / "access.log").read_text().splitlines(keepends=True)
    file.write_text(picture(block(lines)))
    print(f"tail-picture: wrote {file}", file=sys.stderr)


main()
