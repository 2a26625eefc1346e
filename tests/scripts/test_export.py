"""What `twiddle export` hands to other programs, opened by them: NumPy its archives, FFmpeg its films."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    numpy = None
    # The distribution's packages belong to its own Python, which need not be the first on the PATH.
    system = "/usr/bin/python3"
    if os.path.exists(system) and subprocess.run([system, "-c", "import numpy"], capture_output=True).returncode == 0:
        os.execv(system, [system, os.path.abspath(__file__)])

twiddle = os.environ["TWIDDLE"]
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}


def run(*arguments, code=0, **more):
    done = subprocess.run([twiddle, *arguments], env={**environment, **more}, text=True, capture_output=True)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr}"
    return done.stderr if code else done.stdout


run("trace", "fft-radix2", "--n", "8", "--signal", "ramp", "-o", "fft8.twd")


def test_numpy():
    # Buffers at a position: their own types and shapes.
    run("export", "fft8.twd", "--at", "end", "-o", "end.npz")
    with numpy.load("end.npz") as end:
        assert end["F"].dtype == numpy.complex64 and end["F"].shape == (8,)
        assert numpy.allclose(end["F"], numpy.fft.fft(numpy.arange(8)), atol=1e-5)
    run("export", "fft8.twd", "--at", "start", "-o", "start.npz")
    with numpy.load("start.npz") as start:
        assert (start["data"] == numpy.arange(8)).all()
    run("trace", "fft2d", "--rows", "4", "--cols", "8", "-o", "fft2d.twd")
    run("export", "fft2d.twd", "-o", "fft2d.npz")
    with numpy.load("fft2d.npz") as arrays:
        assert any(array.shape == (4, 8) for array in arrays.values())
    run("trace", "histogram-local", "--n", "64", "-o", "bins.twd")
    run("export", "bins.twd", "-o", "bins.npz")
    with numpy.load("bins.npz") as arrays:
        assert all(array.dtype.kind in "iu" for array in arrays.values())
        assert any(array.sum() == 64 for array in arrays.values())

    # Every operation in columns, against what print says of them.
    for trace in ("fft8.twd", "bins.twd", "fft2d.twd"):
        run("export", trace, "--all", "-o", "all.npz")
        rows = [json.loads(line) for line in run("print", trace, "--format", "jsonl").splitlines()]
        rows = [row for row in rows if row["op"] != "barrier"]
        with numpy.load("all.npz") as archive:
            columns = dict(archive)
        for column, array in columns.items():
            if column not in ("op_names", "buffer_names", "kernels") and "." not in column:
                assert len(array) == len(rows), column
        buffers = columns["buffer_names"]
        for i, row in enumerate(rows):
            assert columns["op_names"][columns["op"][i]] == row["op"]
            assert columns["kernels"][columns["launch"][i] - 1] == row["kernel"]
            for column, key in (("launch", "launch"), ("stage", "stage"), ("epoch", "epoch"), ("line", "line"), ("span", "span")):
                assert columns[column][i] == row.get(key, 0), (column, i)
            for side in ("read", "write"):
                accesses = row.get(side + "s", [])
                width = columns[side + "_index"].shape[1]
                assert width >= len(accesses)
                for a in range(width):
                    index = columns[side + "_index"][i, a]
                    if a >= len(accesses):
                        assert index == -1 and columns[side + "_buffer"][i, a] == -1
                        continue
                    access = accesses[a]
                    assert index == access["index"] and buffers[columns[side + "_buffer"][i, a]] == access["buffer"]
                    value = access["value"]
                    value = complex(*value) if isinstance(value, list) else value
                    column = columns[side + "_value"]
                    assert column[i, a] == column.dtype.type(value), (row, side, a)
        if trace == "fft8.twd":
            assert (columns["before.data"] == numpy.arange(8)).all()
            assert abs(columns["after.F"][0] - 28) < 1e-6
            assert abs(columns["coefficients"][7, 0] + 1j) < 1e-6  # w_4^1

    # The same trace gives the same bytes; a trace without values has no columns for them.
    run("export", "fft8.twd", "--all", "-o", "again.npz")
    run("export", "fft8.twd", "--all", "-o", "all.npz")
    assert open("again.npz", "rb").read() == open("all.npz", "rb").read()
    run("trace", "fft-radix2", "--n", "8", "--detail", "index", "-o", "index.twd")
    run("export", "index.twd", "--all", "-o", "index.npz")
    with numpy.load("index.npz") as columns:
        assert "read_index" in columns and "read_value" not in columns
    assert "nowhere/x.npz" in run("export", "fft8.twd", "-o", "nowhere/x.npz", code=2)
    assert "/dev/full" in run("export", "fft8.twd", "--all", "-o", "/dev/full.npz/x.npz", code=2)


def probe(file):
    """Codec, pixel format, width, height and number of frames."""
    said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-of", "json", "-show_entries",
                           "stream=codec_name,pix_fmt,width,height,nb_read_frames", file], text=True, capture_output=True, check=True)
    stream = json.loads(said.stdout)["streams"][0]
    return stream["codec_name"], stream["pix_fmt"], stream["width"], stream["height"], int(stream["nb_read_frames"])


def grey(file, frame=0):
    """The pixels of a picture, or of a frame of a film."""
    return subprocess.run(["ffmpeg", "-v", "error", "-i", file, "-vf", f"select=eq(n\\,{frame})", "-frames:v", "1", "-f", "rawvideo",
                           "-pix_fmt", "gray", "-"], capture_output=True, check=True).stdout


def test_films():
    # 15 pictures, and the last one stays for two seconds.
    run("export", "fft8.twd", "--all", "--width", "481", "--fps", "4", "-o", "walk.gif")
    codec, _, width, height, frames = probe("walk.gif")
    assert (codec, width, frames) == ("gif", 481, 15 + 8)
    assert b"NETSCAPE2.0" in open("walk.gif", "rb").read()  # it repeats itself
    run("export", "fft8.twd", "--width", "481", "--fps", "1", "-o", "walk.mp4")
    codec, pixels, even_width, even_height, frames = probe("walk.mp4")
    assert (codec, pixels) == ("h264", "yuv420p")
    assert (even_width, even_height) == (482, height + height % 2)
    assert frames == 10 * (15 + 2)
    run("export", "fft8.twd", "--width", "481", "--fps", "1", "-o", "again.mp4")
    assert open("walk.mp4", "rb").read() == open("again.mp4", "rb").read()

    # Each frame is the picture of its step.
    for step, at in ((0, "start"), (8, "L3.S2.I1"), (14, "end")):
        run("export", "fft8.twd", "--at", at, "--width", "481", "-o", "still.png")
        still, frame = grey("still.png"), grey("walk.gif", step)
        assert len(still) == len(frame) == 481 * height
        different = sum(abs(a - b) > 16 for a, b in zip(still, frame))
        assert different < len(still) / 1000, (step, different)
    # With a pace an operation moves: 15 positions of half a second, and two seconds of rest.
    run("export", "fft8.twd", "--pace", "0.5", "--fps", "10", "--caption", "--size", "640x360", "-o", "moving.mp4")
    codec, _, width, height, frames = probe("moving.mp4")
    assert (width, height, frames) == (640, 360, 15 * 5 + 20), (width, height, frames)
    assert grey("moving.mp4", 8 * 5 + 1) != grey("moving.mp4", 8 * 5 + 4)  # it is under way
    assert "films" in run("export", "fft8.twd", "--pace", "1", "-o", "still.svg", code=2)
    run("export", "fft8.twd", "--from", "L2", "--to", "L3.S2.I1", "--fps", "5", "--title", "--width", "320", "-o", "part.gif")
    assert "--from" in run("export", "fft8.twd", "--from", "end", "--to", "start", "-o", "no.mp4", code=2)
    assert ".svg" in run("export", "fft8.twd", "--outline-text", "-o", "no.png", code=2)
    run("export", "fft8.twd", "--trim", "--width", "85mm", "-o", "column.png")
    assert "--width" in run("export", "fft8.twd", "--width", "5mm", "-o", "no.png", code=2)
    run("export", "fft8.twd", "--at", "L3.S2.I1", "--width", "481", "-o", "one.gif")
    assert probe("one.gif")[4] == 1 + 4

    assert "50 frames a second" in run("export", "fft8.twd", "--fps", "60", "-o", "fast.gif", code=2)
    assert "--fps takes a number" in run("export", "fft8.twd", "--fps", "0", "-o", "slow.gif", code=2)
    for ending in (".gif", ".mp4"):
        said = run("export", "fft8.twd", "-o", "film" + ending, code=2, PATH="/nowhere")
        assert "FFmpeg" in said and "install" in said and "film.png" in said
        assert not os.path.exists("film" + ending)
    for ask in ("devices", "--version"):
        assert "ffmpeg" in next(line for line in run(ask, PATH="/nowhere").splitlines() if "GIF" in line)


missing = []
if numpy:
    test_numpy()
else:
    missing.append("NumPy")
if shutil.which("ffmpeg") and shutil.which("ffprobe"):
    test_films()
else:
    missing.append("FFmpeg")
print("not tested: " + ", ".join(missing) if missing else "NumPy and FFmpeg open what was exported")
sys.exit(77 if len(missing) == 2 else 0)
