#!/usr/bin/env python3
"""Reads Twiddle's trace files (.twd) without Twiddle: the other implementation of docs/trace-format.md.

    python3 read_trace.py FILE                what is in it
    python3 read_trace.py FILE --launch 3     its operations, one a line
    python3 read_trace.py FILE --final F      what buffer F held at the end
    python3 read_trace.py FILE --sources      its kernels' sources

Needs numpy and zstandard (Debian: python3-numpy python3-zstandard). As a module:

    trace = Trace("fft.twd")
    for block in trace.blocks():              # in order of steps; trace.memory is the state after the block
        for site in block.sites:
            site.index, site.coefficients, site.reads, site.writes    # numpy arrays, one a column
"""

import argparse
import json
import sqlite3
import sys
import zlib

import numpy as np
import zstandard

APPLICATION_ID, VERSION, UNINITIALISED = 0x5457444C, 5, 0x7FC0DEAD

# Element types by their number: name, components, type of one component.
TYPES = [("int", 1, "<i4"), ("uint", 1, "<u4"), ("float", 1, "<f4"), ("double", 1, "<f8"),
         ("int2", 2, "<i4"), ("uint2", 2, "<u4"), ("float2", 2, "<f4"), ("double2", 2, "<f8")]
TYPE_NUMBERS = {name: number for number, (name, _, _) in enumerate(TYPES)}

# Shapes by their number: name, index words, coefficients, which index words are read, which are written, and which of the
# trace line's two buffers is read and written.
SHAPES = [("none", 0, 0, [], [], None, None),
          ("butterfly2", 2, 1, [0, 1], [0, 1], 0, 0),
          ("butterfly2_to", 4, 1, [0, 1], [2, 3], 1, 0),
          ("butterfly4", 4, 3, [0, 1, 2, 3], [0, 1, 2, 3], 0, 0),
          ("butterfly4_to", 8, 3, [0, 1, 2, 3], [4, 5, 6, 7], 1, 0),
          ("combine", 3, 0, [0, 1], [2], 1, 0),
          ("swap", 2, 0, [0, 1], [0, 1], 0, 0),
          ("move", 2, 0, [0], [1], 1, 0),
          ("atomic", 1, 1, [0], [0], 0, 0),
          ("scale", 1, 1, [0], [0], 0, 0),
          ("barrier", 0, 0, [], [], None, None),
          ("load", 1, 0, [0], [], 0, None),
          ("store", 1, 0, [], [0], None, 0),
          ("pack", 4, 1, [0, 1], [2, 3], 1, 0),
          ("scale_to", 2, 1, [0], [1], 1, 0),
          ("term", 2, 2, [0], [], 1, 0)]


def shape_of(number):
    """The same of any number; those from 64 on are butterflies of any radix."""
    if number < len(SHAPES):
        return SHAPES[number]
    legs = number // 4 - 15
    return f"butterfly of {legs} legs", 2 * legs, legs, list(range(legs)), list(range(legs, 2 * legs)), 1, 0


class Unreadable(Exception):
    pass


# ---- bytes ----------------------------------------------------------------------------------------------------------

class Bytes:
    """A block's bytes, read from front to back."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def raw(self, count):
        if count > len(self.data) - self.at:
            raise Unreadable("a block is cut short")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.raw(1)[0]

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def string(self):
        return self.raw(self.number())


def unpack(frame, count, dtype):
    """A zstd frame of shuffled elements: all lowest bytes, then all second bytes, and so on."""
    size = np.dtype(dtype).itemsize
    data = zstandard.ZstdDecompressor().decompress(bytes(frame), max_output_size=count * size)
    if len(data) != count * size:
        raise Unreadable("a column has the wrong size")
    planes = np.frombuffer(data, np.uint8).reshape(size, count)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype)


def unfold(folded):
    """0, 1, 2, 3, 4 … back to 0, −1, 1, −2, 2 …, as unsigned numbers."""
    return (folded >> folded.dtype.type(1)) ^ (folded.dtype.type(0) - (folded & folded.dtype.type(1)))


# ---- columns of numbers ---------------------------------------------------------------------------------------------

def formula(data):
    """A formula as (kind, source, …); evaluate() takes it."""
    kind = data.byte()
    if kind == 0:
        return (kind,)
    source = data.byte()
    if kind == 1:
        return kind, source, data.number(), data.number()
    if kind == 3:
        return kind, source, data.byte()
    base, mask = data.number(), data.number()
    return kind, source, base, {bit: data.number() for bit in range(32) if mask >> bit & 1}


def evaluate(what, sources):
    kind, x = what[0], sources[what[1]]
    if kind == 1:
        return np.uint32(what[2]) + np.uint32(what[3]) * x
    if kind == 3:
        return x * sources[what[2]]
    result = np.full(len(x), what[2], np.uint32)
    for bit, word in what[3].items():
        result ^= np.where(x >> np.uint32(bit) & np.uint32(1), np.uint32(word), np.uint32(0))
    return result


def numbers(data, sources):
    """A column of 32-bit numbers; sources[0] holds the rows' own numbers."""
    count, what = len(sources[0]), formula(data)
    if what[0] == 0:
        return np.cumsum(unfold(unpack(data.string(), count, "<u4")), dtype=np.uint32)
    column = evaluate(what, sources)
    if data.byte():
        column = column + unfold(unpack(data.string(), count, "<u4"))
    return column


# ---- roots of unity: sums of two doubles, as Dekker (1971) computes with them -----------------------------------------

def exact_sum(a, b):
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def exact_product(a, b):
    product, splitter = a * b, 134217729.0
    ta, tb = splitter * a, splitter * b
    ah, bh = ta - (ta - a), tb - (tb - b)
    al, bl = a - ah, b - bh
    return product, ((ah * bh - product) + ah * bl + al * bh) + al * bl


def add2(a, b):
    high, low = exact_sum(a[0], b[0])
    return exact_sum(high, low + (a[1] + b[1]))


def subtract2(a, b):
    return add2(a, (-b[0], -b[1]))


def multiply2(a, b):
    high, low = exact_product(a[0], b[0])
    return exact_sum(high, low + (a[0] * b[1] + a[1] * b[0]))


def divide2(a, b):
    first = a[0] / b[0]
    rest = subtract2(a, multiply2(b, (first, 0.0)))
    return exact_sum(first, rest[0] / b[0])


def root2(a):
    first = np.sqrt(a[0])
    rest = subtract2(a, exact_product(first, first))
    return exact_sum(first, rest[0] / (2 * first))


def turn2(a, b):
    """The product of two points (cosine, sine) of the unit circle."""
    return (subtract2(multiply2(a[0], b[0]), multiply2(a[1], b[1])),
            add2(multiply2(a[0], b[1]), multiply2(a[1], b[0])))


def half_circle(log2_order):
    """e^(−2πij/2^log2_order) for j = 0 … half the order − 1, as pairs of doubles."""
    half = 1 << (log2_order - 1)
    quarter, eighth = half // 2, half // 4
    circle = np.zeros((half, 2))

    def put(j, cosine, sine):
        circle[j, 0], circle[j, 1] = cosine, -sine

    put(0, 1.0, 0.0)
    if log2_order >= 2:
        put(quarter, 0.0, 1.0)
    if log2_order < 3:
        return circle
    halves = [((0.0, 0.0), (1.0, 0.0))] * 3
    for _ in range(3, log2_order + 1):
        cosine, sine = halves[-1]
        half_cosine = root2(multiply2(add2((1.0, 0.0), cosine), (0.5, 0.0)))
        halves.append((half_cosine, divide2(multiply2(sine, (0.5, 0.0)), half_cosine)))

    def arc(order, bits):
        points = [((1.0, 0.0), (0.0, 0.0))]
        for bit in range(bits):
            points += [turn2(point, halves[order - bit]) for point in points]
        return points

    def columns(points, which):
        return tuple(tuple(np.array([points[i][part][word] for i in which]) for word in (0, 1)) for part in (0, 1))

    fine_bits = (log2_order - 2) // 2
    fine, coarse = arc(log2_order, fine_bits), arc(log2_order - fine_bits, log2_order - 2 - fine_bits)
    j = np.arange(1, eighth + 1)
    cosine, sine = turn2(columns(coarse, j >> fine_bits), columns(fine, j & (len(fine) - 1)))
    cosine, sine = cosine[0], sine[0]
    sine[-1] = cosine[-1]
    put(j, cosine, sine)
    put(quarter - j, sine, cosine)
    put(quarter + j, -sine, cosine)
    put(half - j, -cosine, sine)
    return circle


class Twiddles:
    """Tables of roots by (double?, log2 of the order); they learn what was logged."""

    def __init__(self):
        self.tables = {}

    def table(self, wide, log2_order):
        if (wide, log2_order) not in self.tables:
            word = np.uint64 if wide else np.uint32
            table = half_circle(log2_order).astype("<f8" if wide else "<f4").view(word)
            coarser = self.tables.get((wide, log2_order - 1))
            if coarser is not None:
                table[::2] = coarser
            self.tables[wide, log2_order] = table
        return self.tables[wide, log2_order]

    @staticmethod
    def turned(entries, lower, conjugate):
        word = entries.dtype.type
        sign = word(1 << (8 * entries.dtype.itemsize - 1))
        minus = np.where(lower, sign, word(0))
        return np.stack([entries[:, 0] ^ minus, entries[:, 1] ^ minus ^ (sign if conjugate else word(0))], axis=1)

    def predict(self, wide, log2_order, conjugate, index):
        half = 1 << (log2_order - 1)
        return self.turned(self.table(wide, log2_order)[index & np.uint32(half - 1)], index & np.uint32(half) != 0, conjugate)

    def learn(self, wide, log2_order, conjugate, index, actual):
        half = 1 << (log2_order - 1)
        entries = self.turned(actual, index & np.uint32(half) != 0, conjugate)
        self.table(wide, log2_order)[index & np.uint32(half - 1)] = entries  # the last one counts


# ---- arithmetic -----------------------------------------------------------------------------------------------------

def fused(a, b, c):
    """a·b + c rounded once, for float32 (in double the product is exact; the sum is rounded to odd, then to float)."""
    product = a.astype(np.float64) * b.astype(np.float64)
    total, error = exact_sum(product, c.astype(np.float64))
    bits = total.view(np.int64)
    odd = np.isfinite(total) & (error != 0) & (bits & 1 == 0)
    away = (error > 0) == (total > 0)
    return np.where(odd, bits + np.where(away, 1, -1), bits).view(np.float64).astype(np.float32)


def fused_wide(a, b, c):
    """The same for float64, by exact fractions: slow, and right."""
    from fractions import Fraction

    def one(x, y, z):
        if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):
            return x * y + z
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        return float(exact) if exact else x * y + z  # zero keeps the sign that rounding gives it
    return np.array([one(x, y, z) for x, y, z in zip(a, b, c)])


def product(how, w, b):
    """w·b; how = 3·real + imaginary: 0 rounds both products, 1 fuses the first, 2 the second."""
    fma = fused_wide if w.dtype == np.float64 else fused
    real, imaginary = divmod(how, 3)
    (wx, wy), (bx, by) = w.T, b.T
    x = wx * bx - wy * by if real == 0 else fma(wx, bx, -(wy * by)) if real == 1 else fma(-wy, by, wx * bx)
    y = wx * by + wy * bx if imaginary == 0 else fma(wx, by, wy * bx) if imaginary == 1 else fma(wy, bx, wx * by)
    return np.stack([x, y], axis=1)


def accumulated(order, a, w, b):
    """a + w·b: 0 rounds everything, 1 and 2 fuse both products, the first or the second first."""
    fma = fused_wide if w.dtype == np.float64 else fused
    (ax, ay), (wx, wy), (bx, by) = a.T, w.T, b.T
    if order == 0:
        parts = (ax + wx * bx) - wy * by, (ay + wx * by) + wy * bx
    elif order == 1:
        parts = fma(-wy, by, fma(wx, bx, ax)), fma(wy, bx, fma(wx, by, ay))
    else:
        parts = fma(wx, bx, fma(-wy, by, ax)), fma(wx, by, fma(wy, bx, ay))
    return np.stack(parts, axis=1)


def roots(legs, inverse):
    """e^(∓2πik/legs) for k = 0 … legs − 1 as lists of real and imaginary parts, by the series of cosine and sine."""
    x = 6.283185307179586 / legs
    cosine, sine, even, odd = 1.0, x, 1.0, x
    for n in range(1, 21):
        even = even * -(x * x) / ((2 * n - 1) * (2 * n))
        odd = odd * -(x * x) / ((2 * n) * (2 * n + 1))
        cosine, sine = cosine + even, sine + odd

    def settled(part):
        return next((exact for exact in (0.0, 1.0, -1.0) if abs(part - exact) < 1e-14), part)

    real, imaginary = [1.0], [0.0]
    for k in range(1, legs):
        a, b = real[-1], imaginary[-1]
        real.append(settled(a * cosine - b * sine))
        imaginary.append(settled(a * sine + b * cosine))
    return real, [part if inverse else -part for part in imaginary]


def transformed(shape, w, reads):
    """Butterflies of any radix, as the definition has it, in double precision."""
    legs, behind, inverse = shape // 4 - 15, shape & 2, shape & 1
    real, imaginary = roots(legs, inverse)
    points, outputs = [], []
    for value, factor in zip(reads, w):
        (x, y), (a, b) = value.T.astype("<f8"), factor.T.astype("<f8")
        points.append((x, y) if behind else (x * a - y * b, x * b + y * a))
    for p in range(legs):
        x, y = np.zeros(len(reads[0])), np.zeros(len(reads[0]))
        for q, (re, im) in enumerate(points):
            c, s = real[p * q % legs], imaginary[p * q % legs]
            x, y = x + (re * c - im * s), y + (re * s + im * c)
        if behind:
            a, b = w[p].T.astype("<f8")
            x, y = x * a - y * b, x * b + y * a
        outputs.append(np.stack([x, y], axis=1))
    return outputs


def compute(shape, variant, w, reads):
    """What an operation writes: the variants of docs/trace-format.md. Arrays have shape (rows, components)."""
    name = shape_of(shape)[0]
    if shape >= 64:
        return transformed(shape, w, reads)
    if name == "swap":
        return [reads[1], reads[0]]
    if name == "move":
        return [reads[0]]
    if name == "combine":
        return [reads[0] + reads[1]]
    if name == "atomic":
        return [reads[0] + w[0]]
    if name in ("scale", "scale_to"):
        return [reads[0] * w[0][:, :1] if variant == 0 else product(variant - 1, w[0], reads[0])]
    if name in ("butterfly2", "butterfly2_to"):
        a, b = reads
        if variant >= 19:
            return [accumulated(variant - 19, a, w[0], b), accumulated(variant - 19, a, -w[0], b)]
        if variant >= 10:
            return [a + b, product(variant - 10, w[0], a - b)]
        t = b if variant == 0 else product(variant - 1, w[0], b)
        return [a + t, a - t]
    if name in ("butterfly4", "butterfly4_to"):
        a = reads[0]
        b, c, d = (product(variant % 9, w[i], reads[i + 1]) for i in range(3))
        sign = w[0].dtype.type(-1 if variant < 9 else 1)
        t = b - d
        turned = np.stack([-sign * t[:, 1], sign * t[:, 0]], axis=1)
        return [(a + c) + (b + d), (a - c) + turned, (a + c) - (b + d), (a - c) - turned]
    if name == "pack":
        half = w[0].dtype.type(0.5)
        (yx, yy), (zx, zy) = reads[0].T, reads[1].T
        e = np.stack([half * (yx + zx), half * (yy - zy)], axis=1)
        t = product(variant % 9, w[0], np.stack([half * (yy + zy), half * (zx - yx)], axis=1))
        other = e - t
        return [e + t, np.stack([other[:, 0], -other[:, 1]], axis=1) if variant < 9 else other]
    if name == "term":
        if w[0].shape[1] == 1:
            fma = fused_wide if w[0].dtype == np.float64 else fused
            return [fma(w[0][:, 0], reads[0][:, 0], w[1][:, 0])[:, None] if variant else w[1] + w[0] * reads[0]]
        return [w[1] + product(variant, w[0], reads[0]) if variant < 9 else accumulated(variant - 9, w[1], w[0], reads[0])]
    raise Unreadable(f"{name} has no arithmetic")


# ---- blocks ---------------------------------------------------------------------------------------------------------

class Column:
    """Values as rows of unsigned words (what differences are taken of), and the same as numbers."""

    def __init__(self, kind, count):
        _, self.components, self.dtype = TYPES[kind]
        self.word = "<u8" if self.dtype == "<f8" else "<u4"
        self.words = np.zeros((count, self.components), self.word)

    @property
    def numbers(self):
        return self.words.view(self.dtype)

    def settled(self, values):
        """Predicted numbers as words: every NaN is the same one."""
        values = np.ascontiguousarray(values, self.dtype)
        if self.dtype[1] == "f":
            values = np.where(np.isnan(values), values.dtype.type("nan"), values)
            words = values.view(self.word)
            quiet = 0x7FF8000000000000 if self.word == "<u8" else 0x7FC00000
            return np.where(np.isnan(values), words.dtype.type(quiet), words)
        return values.view(self.word)


class Difference:
    def __init__(self, data, column):
        self.words = None
        if data.byte():
            self.words = unfold(unpack(data.string(), column.words.size, column.word)).reshape(column.words.shape)

    def add(self, rows, predicted):
        return predicted if self.words is None else predicted + self.words[rows]


class Site:
    """The operations of a block that one trace line logged: lists of columns. `rows` are their places in the block."""


class Block:
    pass


OLD_VALUE, LAST_SUM, ZERO, FIRST_READ = 252, 253, 254, 255


class Trace:
    def __init__(self, path):
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        one = lambda sql: self.database.execute(sql).fetchone()[0]
        if one("PRAGMA application_id") != APPLICATION_ID:
            raise Unreadable(f"{path} is no Twiddle trace")
        if one("PRAGMA user_version") > VERSION:
            raise Unreadable(f"{path} was written by a newer Twiddle")
        self.database.row_factory = sqlite3.Row
        self.meta = {row["key"]: row["value"] for row in self.database.execute("SELECT * FROM meta")}
        self.buffers = self.rows("SELECT * FROM buffers ORDER BY id")
        self.launches = self.rows("SELECT * FROM launches ORDER BY number")
        self.segments = self.rows("SELECT * FROM segments ORDER BY id")
        self.restart()

    def rows(self, sql, *values):
        return [dict(row) for row in self.database.execute(sql, values)]

    def sources(self):
        """The kernels' names and texts, which are as they are, or, where they are long, zstd frames."""
        texts = []
        for row in self.database.execute("SELECT name, text FROM sources ORDER BY id"):
            text = row["text"]
            if isinstance(text, bytes):
                text = zstandard.ZstdDecompressor().decompress(text).decode("utf-8", "replace")
            texts.append((row["name"], text))
        return texts

    def blob(self, row):
        if zlib.crc32(row["data"]) != row["checksum"]:
            raise Unreadable("a part of the trace does not match its checksum")
        return row["data"]

    # -- the state: a byte array for every buffer; for local arrays one for every group, made when first written --

    def restart(self):
        self.twiddles = Twiddles()
        self.memory = []
        for buffer in self.buffers:
            kind = TYPE_NUMBERS[buffer["type"]]
            size = buffer["count"] * TYPES[kind][1] * np.dtype(TYPES[kind][2]).itemsize
            local = buffer["space"] == "local"
            self.memory.append({} if local else np.zeros(size, np.uint8))
            buffer["size"] = size
            word = 8 if TYPES[kind][2] == "<f8" else 4
            for row in self.rows("SELECT * FROM first_contents WHERE buffer = ? ORDER BY id", buffer["id"]):
                part = unpack(self.blob(row), row["bytes"] // word, f"<u{word}").view(np.uint8)
                self.memory[-1][row["first_byte"]:row["first_byte"] + row["bytes"]] = part

    def patch(self, launch):
        for row in self.rows("SELECT * FROM patches WHERE launch = ? ORDER BY id", launch):
            data, buffer = Bytes(self.blob(row)), self.buffers[row["buffer"]]
            element = buffer["size"] // max(buffer["count"], 1)
            word = "<u8" if TYPES[TYPE_NUMBERS[buffer["type"]]][2] == "<f8" else "<u4"
            where = np.cumsum(unpack(data.string(), row["count"], "<u4"), dtype=np.uint64)
            values = unpack(data.string(), row["count"] * element // np.dtype(word).itemsize, word).view(np.uint8)
            self.memory[row["buffer"]].reshape(-1, element)[where.astype(np.int64)] = values.reshape(-1, element)

    def array(self, buffer, group, element, write=False):
        """A buffer as rows of `element` bytes; None where nothing is."""
        if buffer < 0 or buffer >= len(self.memory):
            return None
        memory = self.memory[buffer]
        if isinstance(memory, dict):
            if group not in memory:
                if not write:
                    return None
                memory[group] = np.full(self.buffers[buffer]["size"] // 4, UNINITIALISED, "<u4").view(np.uint8)
            memory = memory[group]
        return memory[:len(memory) // element * element].reshape(-1, element)

    def runs(self, block_items, first, last, buffer):
        """Rows first … last − 1 cut where a local array's group changes: (first, last, group)."""
        if buffer < 0 or not isinstance(self.memory[buffer], dict):
            return [(first, last, 0)]
        groups = block_items[first:last] // self.group_size
        cuts = np.flatnonzero(np.diff(groups)) + 1
        edges = [0, *cuts.tolist(), last - first]
        return [(first + a, first + b, int(groups[a])) for a, b in zip(edges, edges[1:]) if a < b]

    def gather(self, items, first, last, buffer, index, column):
        """Elements as words: the uninitialised pattern where nothing is known."""
        out = np.full((last - first, column.words.shape[1] * column.words.itemsize // 4), UNINITIALISED, "<u4").view(np.uint8)
        for a, b, group in self.runs(items, first, last, buffer):
            array = self.array(buffer, group, out.shape[1])
            if array is not None:
                there = index[a - first:b - first] < len(array)
                out[a - first:b - first][there] = array[index[a - first:b - first][there]]
        return out.view(column.word)

    def scatter(self, items, first, last, buffer, indices, values):
        """Writes row by row, each row's accesses in order (numpy keeps the last of equal places)."""
        for a, b, group in self.runs(items, first, last, buffer):
            array = self.array(buffer, group, values[0].shape[1] * values[0].itemsize, write=True)
            if array is None:
                continue
            rows = slice(a - first, b - first)
            index = np.stack([i[rows] for i in indices], axis=1).reshape(-1)
            value = np.stack([np.ascontiguousarray(v[rows]).view(np.uint8) for v in values], axis=1).reshape(len(index), -1)
            there = index < len(array)
            array[index[there]] = value[there]

    # -- decoding --

    def blocks(self):
        """Decodes all blocks in order; self.memory is the state after each."""
        self.restart()
        launch, patched = 0, 0
        for row in self.database.execute("SELECT * FROM blocks ORDER BY id"):
            segment = self.segments[row["segment"]]
            while patched < segment["launch"] - 1:
                patched += 1
                self.patch(patched)
            if segment["launch"] != launch:
                launch = segment["launch"]
                info = self.launches[launch - 1]
                self.group_size = info["local_x"] * info["local_y"] * info["local_z"]
                self.memory = [{} if isinstance(m, dict) else m for m in self.memory]
            block = self.decode(self.blob(row))
            block.segment, block.first_step = segment, row["first_step"]
            yield block
        while patched < len(self.launches):
            patched += 1
            self.patch(patched)

    def decode(self, blob):
        data, block = Bytes(blob), Block()
        if data.byte() != 1:
            raise Unreadable("a block has an unknown format")
        flags, count, sites = data.byte(), data.number(), data.number()
        block.barriers = bool(flags & 1)
        row = np.arange(count, dtype=np.uint32)
        block.item = numbers(data, [row])
        block.slot = numbers(data, [row, block.item])
        block.site = numbers(data, [row]) if sites > 1 else np.zeros(count, np.uint32)
        block.sites = []
        for number in range(sites):
            site = Site()
            site.rows = np.flatnonzero(block.site == number)
            site.site, site.shape = data.number() - 1, data.byte()
            site.value_type, site.coefficient_type = data.byte(), data.byte()
            site.buffers = [data.number() - 1, data.number() - 1]
            if data.number() != len(site.rows):
                raise Unreadable("a block counts its operations wrongly")
            site.sources = [row[:len(site.rows)], block.item[site.rows], block.slot[site.rows]]
            site.index = []
            for _ in range(shape_of(site.shape)[1]):
                site.index.append(numbers(data, site.sources))
                site.sources.append(site.index[-1])
            site.reads, site.writes, site.coefficients = [], [], []
            block.sites.append(site)
        for site in block.sites:
            for _ in range(shape_of(site.shape)[2]):
                site.coefficients.append(self.coefficients(data, site))
        if flags & 2:
            self.values(data, block)
        return block

    def coefficients(self, data, site):
        column, kind = Column(site.coefficient_type, len(site.rows)), data.byte()
        if kind == 0:
            column.words[:] = np.frombuffer(data.raw(column.words.itemsize * column.components), column.word)
            column.words = Difference(data, column).add(slice(None), column.words)
        elif kind == 1:
            difference = Difference(data, column)
            column.words = np.cumsum(difference.add(slice(None), column.words), axis=0, dtype=column.word)
        elif kind == 2:
            wide = column.word == "<u8"
            log2_order, conjugate, multiplier = data.byte(), data.byte() != 0, data.byte()
            index = evaluate(formula(data), site.sources) * np.uint32(multiplier)
            difference = Difference(data, column)
            column.words = difference.add(slice(None), self.twiddles.predict(wide, log2_order, conjugate, index))
            if difference.words is not None:
                self.twiddles.learn(wide, log2_order, conjugate, index, column.words)
        elif kind != 3:
            raise Unreadable("coefficients of an unknown kind")
        column.sums = kind == 3  # filled in with the values
        return column

    def values(self, data, block):
        batch = 1024 if data.byte() else 1
        for site in block.sites:
            _, _, _, reads, writes, site.read_buffer, site.write_buffer = shape_of(site.shape)
            site.read_index, site.write_index = [site.index[i] for i in reads], [site.index[i] for i in writes]
            site.read_buffer = -1 if site.read_buffer is None else site.buffers[site.read_buffer]
            site.write_buffer = -1 if site.write_buffer is None else site.buffers[site.write_buffer]
            site.reads = [Column(site.value_type, len(site.rows)) for _ in reads]
            site.writes = [Column(site.value_type, len(site.rows)) for _ in writes]
            site.read_differences = [Difference(data, column) for column in site.reads]
            sums = any(column.sums for column in site.coefficients)
            if site.writes or sums:
                site.variant = data.byte()
            site.sum_difference = Difference(data, site.coefficients[1]) if sums else None
            site.write_differences = [Difference(data, column) for column in site.writes]
            site.adds = shape_of(site.shape)[0] == "atomic" and site.value_type == site.coefficient_type
        self.sum = None  # of the latest item's terms: (item, type, words)
        edges = [0, *(np.flatnonzero(np.diff(block.site)) + 1).tolist(), len(block.item)]
        done = [0] * len(block.sites)
        for first, last in zip(edges, edges[1:]):
            number = block.site[first]
            site, row = block.sites[number], done[number]
            step = 1 if site.adds else batch
            for start in range(first, last, step):
                end = min(last, start + step)
                self.perform(site, block.item, start, end, slice(row + start - first, row + end - first))
            done[number] += last - first

    def perform(self, site, items, first, last, rows):
        """Operations first … last − 1 of the block, which are these rows of the site."""
        name = shape_of(site.shape)[0]
        for column, index, difference in zip(site.reads, site.read_index, site.read_differences):
            predicted = self.gather(items, first, last, site.read_buffer, index[rows], column)
            column.words[rows] = difference.add(rows, predicted)
        if site.sum_difference is not None:
            return self.terms(site, items, first, rows)
        if not site.writes:
            return None
        if site.variant < OLD_VALUE:
            with np.errstate(all="ignore"):
                predicted = compute(site.shape, site.variant, [c.numbers[rows] for c in site.coefficients],
                                    [c.numbers[rows] for c in site.reads])
            predicted = [column.settled(values) if name not in ("swap", "move") else values.view(column.word)
                         for column, values in zip(site.writes, predicted)]
        else:
            predicted = [self.plainly(site, column, items, first, last, rows) for column in site.writes]
        for column, difference, words in zip(site.writes, site.write_differences, predicted):
            column.words[rows] = difference.add(rows, words)
        if site.adds:
            return self.add_atomically(site, items, first, rows)
        return self.scatter(items, first, last, site.write_buffer, [i[rows] for i in site.write_index],
                            [column.words[rows] for column in site.writes])

    def plainly(self, site, column, items, first, last, rows):
        if site.variant == OLD_VALUE:
            return self.gather(items, first, last, site.write_buffer, site.write_index[0][rows], column)
        words = np.zeros_like(column.words[rows])
        if site.variant == FIRST_READ and site.reads:
            return site.reads[0].words[rows]
        if site.variant == LAST_SUM and self.sum and self.sum[1] == site.value_type:
            words[items[first:last] == self.sum[0]] = self.sum[2]
        return words

    def terms(self, site, items, first, rows):
        """Each sum is predicted by the term before it, when that was the same item's."""
        w, sums = site.coefficients
        for i, row in enumerate(range(rows.start, rows.stop)):
            item, one = items[first + i], slice(row, row + 1)
            before = self.sum is not None and self.sum[:2] == (item, site.value_type)
            predicted = self.sum[2][None] if before else np.zeros_like(sums.words[one])
            sums.words[one] = site.sum_difference.add(one, predicted)
            with np.errstate(all="ignore"):
                after = compute(site.shape, site.variant, [w.numbers[one], sums.numbers[one]], [site.reads[0].numbers[one]])[0]
            self.sum = (item, site.value_type, sums.settled(after)[0])

    def add_atomically(self, site, items, first, rows):
        """The operand is added to what is there, unless that is unknown: the order in which items came is not known."""
        column = site.writes[0]
        size = column.words.itemsize * column.components
        array = self.array(site.write_buffer, int(items[first]) // self.group_size, size, write=True)
        index = site.write_index[0][rows][0]
        if array is None or index >= len(array):
            return
        old = array[index].view("<u4")
        if np.all(old == UNINITIALISED):
            return
        with np.errstate(all="ignore"):
            total = array[index].view(column.dtype) + site.coefficients[0].numbers[rows][0]
        array[index] = column.settled(total).view(np.uint8)


# ---- the program ------------------------------------------------------------------------------------------------------

def text(value):
    return f"{value[0]}" if len(value) == 1 else f"({value[0]}, {value[1]})"


def print_operations(trace, wanted):
    for block in trace.blocks():
        if block.segment["launch"] != wanted or block.barriers:
            continue
        lines = {}
        for site in block.sites:
            columns = [("w", site.coefficients), ("in", site.reads), ("out", site.writes)]
            for row, place in enumerate(site.rows):
                indices = ",".join(str(column[row]) for column in site.index)
                values = " ".join(f"{name}={','.join(text(c.numbers[row]) for c in group)}" for name, group in columns if group)
                lines[place] = f"item={block.item[place]} {shape_of(site.shape)[0]} {indices} {values}"
        for place in sorted(lines):
            print(f"step={block.first_step + place} {lines[place]}")


def print_final(trace, name):
    for _ in trace.blocks():
        pass
    for buffer, memory in zip(trace.buffers, trace.memory):
        if buffer["name"] == name and not isinstance(memory, dict):
            _, components, dtype = TYPES[TYPE_NUMBERS[buffer["type"]]]
            for value in memory.view(dtype).reshape(-1, components):
                print(*value)
            return
    raise Unreadable(f"there is no buffer {name}")


def print_summary(trace):
    for key in ("title", "algorithm", "device", "created", "complete"):
        print(f"{key}: {trace.meta[key]}")
    print(f"parameters: {json.loads(trace.meta['parameters'])}")
    for buffer in trace.buffers:
        print(f"buffer {buffer['name']}: {buffer['count']} {buffer['type']}, {buffer['space']}")
    for launch in trace.launches:
        print(f"launch {launch['number']}: {launch['kernel']}, {launch['kept']} operations")


def main():
    parser = argparse.ArgumentParser(description="Reads a Twiddle trace.")
    parser.add_argument("file")
    parser.add_argument("--launch", type=int, help="print the operations of a launch")
    parser.add_argument("--final", metavar="BUFFER", help="print what a buffer held at the end")
    parser.add_argument("--sources", action="store_true", help="print the kernels' sources")
    arguments = parser.parse_args()
    try:
        trace = Trace(arguments.file)
        if arguments.launch:
            print_operations(trace, arguments.launch)
        elif arguments.final:
            print_final(trace, arguments.final)
        elif arguments.sources:
            print("\n".join(text for _, text in trace.sources()))
        else:
            print_summary(trace)
    except (Unreadable, sqlite3.DatabaseError) as problem:
        sys.exit(f"{arguments.file}: {problem}")


if __name__ == "__main__":
    main()
