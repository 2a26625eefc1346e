#!/usr/bin/env python3
"""Feeds twiddle-rewriter OpenCL C programs that nobody wrote: kernels of the tests, the gallery and the catalogue, and
lines of the language's odd corners, cut, doubled, moved and mixed token by token. It may refuse each of them in a
sentence (exit codes 3 and 5) and must end in time; what ends it otherwise is left in the current folder. What it says to
have rewritten has every variable and number of the program still in it, in order: it inserts, and replaces nothing but
assignments and the names of functions that it wraps.

    fuzz_rewriter.py REWRITER [--seconds S] [--runs N] [--seed K] FILE|FOLDER …"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

GOOD, REFUSED = 0, (3, 5)
LIMIT = 20  # seconds for a program; the largest here takes under one

# Statements with the variables that HEAD declares: each way of touching memory, and what only looks like one.
HEAD = """typedef struct { float a; int b[3]; float4 v; } S;
typedef union { uint u; float f; uchar c[4]; } U;
#define AT(p, i) ((p)[(i)])
#define SWAP(a, b) do { float t_ = (a); (a) = (b); (b) = t_; } while (0)
"""
STATEMENTS = """x[i] += x[i + 1];
x[i]++; --y[i]; z[i].xy = z[i].yx;
z[i].s3 = z[i].lo.x;
AT(x, i) = AT(x, AT(y, i));
SWAP(x[i], x[i ^ 1]);
*p++ = *q--;
*(p + i) = i[x];
s->b[i & 2] = s->b[(i + 1) & 2]; s->v.w *= s->a;
S t = *s; t.v = (float4)(x[0], x[1], 2, 3); *s = t;
U w; w.f = x[i]; y[i] = w.c[1] | w.u;
float4 r = vload4(i, x); vstore4(r.wzyx, i, x);
half_t: x[i] = vload_half(i, h); vstore_half_rtz(x[i], i, h);
l[i] = x[i]; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); x[i] = l[i ^ 1];
atomic_add(y, 1); y[i] = atomic_cmpxchg(&y[0], y[1], 2);
event_t e = async_work_group_copy(l, x, 16, 0); wait_group_events(1, &e);
float a[4] = {x[0], x[1]}; a[i & 3] = a[(i + 1) & 3]; x[i] = a[0];
for (int k = 0, m = y[0]; k < m && x[k] > 0; k += y[k]) x[k] = k ? x[k - 1] : 0;
switch (y[i]) { case 1: x[i] = 1; break; default: x[0] = sizeof(x[i]); }
x[i] = (y[i], y[i + 1]) ? x[1] : (x[2] = x[3]);
float c; x[i] = sincos(x[i], &c) + fract(c, x + 1) + modf(c, &a1[0]);
if (i & 1) goto end; end: ;
do x[i] *= 2; while (x[i] < 1 && i-- > 0);
const int n = sizeof(S) / sizeof s->v; x[n] = ((float){1, }) + (float)(uchar)y[0];
printf("%d %f\\n", y[i], x[i]);
mem_fence(CLK_GLOBAL_MEM_FENCE); prefetch(x, 16);
((global int *)x)[i] = as_int(x[i]); ((global float2 *)x)[i] = ((global float2 *)x)[i].yx;
x[get_global_id(0)] = dot(vload2(i, x), (float2)(1)) + (y[i] << 2 >> 1);
""".splitlines()
FRAME = """kernel void k(global float *x, global int *y, global float4 *z, global S *s, global half *h, local float *l,
              constant float *q0, int i) {{
  global float *p = x, *q = x + 4; private float a1[2];
{}
}}
"""
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*|\s+|[A-Za-z_]\w*|[\d.][\w.]*|<<=|>>=|->|\+\+|--|[-+*/%&|^!=<>]=|<<|>>|&&|\|\||##|.',
                   re.S)
ODD = ["0", "-1", "0x80000000", "1e38f", "x", "y[i]", "(", ")", "{", "}", "[", "]", ";", ",", "*", "&", "++", "=", "+=",
       "->", ".", "?", ":", "#define x y\n", "#if 1\n", "#endif\n", "\\\n", "//", "local", "constant", "private", "half",
       "volatile", "__attribute__((packed))", "restrict", "const", "kernel", "float16", "image2d_t", "sampler_t",
       "sizeof", "typeof(x)", "barrier(1)", "return", "@", "\x00", "é", "\"", "'"]


def tokens(text):
    return TOKEN.findall(text)


def generated(rng):
    body = "\n".join(rng.choice(STATEMENTS) for _ in range(rng.randint(1, 12)))
    if rng.random() < 0.3:
        body = "for (int j = 0; j < 3; ++j) {\n" + body + "\n}"
    return HEAD + FRAME.format(body)


def mutated(rng, seeds):
    program = tokens(rng.choice(seeds)) if rng.random() < 0.5 else tokens(generated(rng))
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        at, length = rng.randrange(len(program) + 1), rng.choice((1, 1, 2, 5, 30))
        part = program[at:at + length]
        how = rng.randrange(6)
        if how == 0:
            del program[at:at + length]
        elif how == 1:
            program[at:at] = part
        elif how == 2:
            to = rng.randrange(len(program) + 1)
            program[to:to] = part
        elif how == 3:
            program[at:at + 1] = [rng.choice(ODD)]
        elif how == 4:
            other = tokens(rng.choice(seeds))
            start = rng.randrange(len(other) + 1)
            program[at:at] = other[start:start + length * 4]
        elif part:
            program[at:at] = part * rng.choice((10, 200))
        if not program:
            program = [";"]
    return "".join(program)


# The names and numbers of a text, but those of members and of functions that are called.
def operands(text):
    read = [t for t in tokens(text) if not t.isspace() and not t.startswith(("//", "/*"))]
    return [t for before, t, after in zip([""] + read, read, read[1:] + [""])
            if (t[0].isalnum() or t[0] == "_") and after != "(" and before not in (".", "->")]


def keeps(program, output):
    rest = iter(operands(output))
    return all(any(token == other for other in rest) for token in operands(program))


class Failure(Exception):
    pass


def check(rewriter, program, folder, options):
    source, output, description = folder / "in.cl", folder / "out.cl", folder / "out.json"
    source.write_bytes(program.encode("utf-8", "surrogateescape"))
    output.unlink(missing_ok=True)
    try:
        ran = subprocess.run([rewriter, "--source", source, "--output", output, "--description", description, "--",
                              *options], capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"it does not end within {LIMIT} seconds") from late
    errors = ran.stderr.decode("utf-8", "replace")
    if ran.returncode in REFUSED:
        if not any(line.startswith("twiddle-rewriter: ") for line in errors.splitlines()):
            raise Failure(f"exit code {ran.returncode} without a sentence")
        return "refused"
    if ran.returncode != GOOD:
        raise Failure(f"exit code {ran.returncode}: {errors[-400:]}")
    json.loads(description.read_text(encoding="utf-8"))
    # Macros are not expanded in a text without them, so that it can be compared.
    if "#" not in program and not keeps(program, output.read_text(encoding="utf-8", errors="replace")):
        raise Failure("a name or number of the program is not in what was made of it")
    return "rewritten"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rewriter")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--runs", type=int, default=1 << 30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("seeds", nargs="+")
    wanted = parser.parse_args()
    files = [f for name in wanted.seeds for f in
             ([pathlib.Path(name)] if pathlib.Path(name).is_file() else sorted(pathlib.Path(name).glob("**/*.cl")))]
    seeds = [f.read_text(encoding="utf-8", errors="surrogateescape") for f in files]
    if not seeds:
        sys.exit("fuzz_rewriter: there is no .cl file in what was named")
    rng, end = random.Random(wanted.seed), time.monotonic() + wanted.seconds
    counts = {"rewritten": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as name:
        run = 0
        while run < wanted.runs and time.monotonic() < end:
            # Each statement alone and each seed as it is, and then what becomes of them.
            plain = [HEAD + FRAME.format(s) for s in STATEMENTS] + seeds
            program = plain[run] if run < len(plain) and run < wanted.runs // 2 else mutated(rng, seeds)
            options = rng.choice((["-cl-std=CL1.2"], ["-cl-std=CL2.0"], ["-cl-std=CL3.0"], []))
            run += 1
            try:
                counts[check(wanted.rewriter, program, pathlib.Path(name), options)] += 1
            except Failure as failure:
                left = pathlib.Path(f"crash-rewriter-{wanted.seed}-{run}.cl")
                left.write_bytes(program.encode("utf-8", "surrogateescape"))
                sys.exit(f"fuzz_rewriter: {failure}; the program is in {left} ({' '.join(options)})")
    print(f"fuzz_rewriter: {counts['rewritten']} programs rewritten, {counts['refused']} refused, none ended it")
    if counts["rewritten"] == 0 or counts["refused"] == 0:
        sys.exit("fuzz_rewriter: programs of one kind only: nothing was tested")


main()
