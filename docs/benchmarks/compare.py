#!/usr/bin/env python3
"""Says which rungs of `twiddle bench kernels --csv` became slower: compare.py HISTORY.csv… [--more-than PERCENT]

Each line's latest measurement is compared with the best one of another date before it. Exit code 1 where one became slower."""
import argparse
import csv
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history", nargs="+", help="CSV files, as bench kernels prints them")
    parser.add_argument("--more-than", type=float, default=3, metavar="PERCENT", help="slower by more than this (3)")
    arguments = parser.parse_args()

    measured = {}
    for name in arguments.history:
        with open(name, newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                if row["created"] == "created":
                    continue
                try:
                    time = float(row["ns"])
                except (TypeError, ValueError):
                    sys.exit(f"{name}:{number}: no time in column ns")
                # A library's parameters are its version, where a new one is compared with the old, and what it was given.
                what = row["what"]
                if ", " in row["parameters"]:
                    what += ": " + row["parameters"].split(", ", 1)[1]
                key = (*(row[column] for column in ("device", "runtime", "family", "n", "rows")), what)
                measured.setdefault(key, {}).setdefault(row["created"], []).append((time, row["version"]))

    slower = compared = 0
    for key, runs in sorted(measured.items()):
        dates = sorted(runs)
        if len(dates) < 2:
            continue
        compared += 1
        now = min(runs[dates[-1]])
        best, version = min(time for date in dates[:-1] for time in runs[date])
        change = 100 * (now[0] / best - 1)
        if change > arguments.more_than:
            slower += 1
            device, runtime, family, n, rows, what = key
            batch = f" x {rows}" if rows not in ("", "0") else ""
            print(f"{device} ({runtime}), {family} {n}{batch}: {what} takes {now[0] / 1e6:.5f} ms in {now[1]}, "
                  f"{best / 1e6:.5f} ms in {version}: {change:.1f} % slower")
    print(f"{slower} of {compared} became slower by more than {arguments.more_than:g} %")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
