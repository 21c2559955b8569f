"""Plans for the Panda with certain motions and with sampled ones: RRTConnect on problems of MotionBenchMaker.

python benchmarks/plans.py problems.json plans.jsonl: plans each problem three times and appends a line of JSON for each to
plans.jsonl; an interrupted run goes on where it was. It ends with a table; --table prints the table alone. It needs
sweepscope, sweepscope-lab, ompl, pin, coal and example-robot-data.

A problem: {"set", "problem", "start": 7 joints [radians], "goal", "obstacles": [[kind, dimensions, position, quaternion x y z
w], ...]}; kind "box" (three widths) or "cylinder" (height, radius) [m].
"""

import argparse
from pathlib import Path

from sweepscope_lab.bench.plans import read_lines, run_plans, summary
from sweepscope_lab.scenes.urdf_robots import robots_folder


def show(lines):
    """Print the table of Markdown, for all problems and for each set."""
    groups = {"all": lines, **{name: [each for each in lines if each["set"] == name] for name in {e["set"] for e in lines}}}
    for title, group in sorted(groups.items()):
        rows = summary(group)
        print(f"\n{title}: {len(group)} problems, {len(group) - rows[0]['problems']} with a start or a goal in contact\n")
        print("| " + " | ".join(rows[0]) + " |")
        print("|" + "---|" * len(rows[0]))
        for row in rows:
            print("| " + " | ".join(f"{each:.3f}" if isinstance(each, float) else str(each) for each in row.values()) + " |")


def main():
    """Plan, then print the table."""
    parser = argparse.ArgumentParser(description="RRTConnect with certain motions and with sampled ones")
    parser.add_argument("problems", type=Path, help="JSON file of problems")
    parser.add_argument("out", type=Path, help="file of results, JSON lines; an existing one is continued")
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit of a search, and of a simplification")
    parser.add_argument("--limit", type=int, help="plan at most so many problems now")
    parser.add_argument("--robots", type=Path, help="folder of the robots of example-robot-data; default: the installed one")
    parser.add_argument("--table", action="store_true", help="print the table of the results so far, and stop")
    given = parser.parse_args()
    if not given.table:
        robots = given.robots or robots_folder()
        say = lambda text: print(text, flush=True)  # noqa: E731
        run_plans(given.problems, given.out, robots, seconds=given.seconds, limit=given.limit, say=say)
    show(read_lines(given.out))


if __name__ == "__main__":
    main()
