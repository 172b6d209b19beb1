#!/usr/bin/env python3
"""Makes a screenshot smaller: a PNG with a palette of at most 256 colours, without any other data.

Usage: scripts/shrink_png.py FILE

Reads 8-bit RGB or RGBA without interlacing, as browsers write it, and drops the transparency. The most frequent
colours stay as they are; each other one becomes the nearest of them.
"""
import collections
import struct
import sys
import zlib

MOST = 256


def chunks(data):
    """The type and content of each chunk."""
    at = 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(left, up, corner):
    estimate = left + up - corner
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return (left, up, corner)[distances.index(min(distances))]


def rows(raw, width, height, depth):
    """The rows with their filters undone; depth is the number of bytes of a pixel."""
    before = bytearray(width * depth)
    for y in range(height):
        start = y * (width * depth + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * depth])
        for i in range(len(row) if kind else 0):
            left = row[i - depth] if i >= depth else 0
            corner = before[i - depth] if i >= depth else 0
            guess = (0, left, before[i], (left + before[i]) // 2, paeth(left, before[i], corner))[kind]
            row[i] = (row[i] + guess) & 255
        yield row
        before = row


def distance(one, other):
    return sum((left - right) ** 2 for left, right in zip(one, other))


def main(arguments):
    if len(arguments) != 1:
        sys.stderr.write(__doc__)
        return 2
    with open(arguments[0], "rb") as file:
        parts = list(chunks(file.read()))
    width, height, bits, kind, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if bits != 8 or kind not in (2, 6) or interlaced:
        sys.stderr.write(f"shrink_png: {arguments[0]} is not 8-bit RGB or RGBA without interlacing\n")
        return 2
    depth = 3 if kind == 2 else 4
    raw = zlib.decompress(b"".join(content for name, content in parts if name == b"IDAT"))
    pixels = [[tuple(row[i:i + 3]) for i in range(0, len(row), depth)] for row in rows(raw, width, height, depth)]
    counts = collections.Counter(colour for row in pixels for colour in row)
    colours = sorted(colour for colour, _ in counts.most_common(MOST))
    palette = {colour: number for number, colour in enumerate(colours)}
    for colour in counts.keys() - palette.keys():
        palette[colour] = min(range(MOST), key=lambda number: distance(colours[number], colour))
    lines = b"".join(b"\0" + bytes(palette[colour] for colour in row) for row in pixels)
    with open(arguments[0], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, content in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
                              (b"PLTE", bytes(part for colour in colours for part in colour)),
                              (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
