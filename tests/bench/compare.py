# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of cairn-cli: every case in turns (old, new, old, …), medians, and what moved by more than 5 %.

Processor time includes other processes' effect on the caches; on a busy machine look at the calls and the memory, and
repeat what moved. A time also has to move by more than three times the scatter of its own rounds.
"""
import argparse
import statistics

import growth_cases

MOVED = 0.05


def scatter(values):
    middle = statistics.median(values)
    return statistics.median(abs(value - middle) for value in values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('old')
    parser.add_argument('new')
    parser.add_argument('--rounds', type=int, default=7)
    given = growth_cases.parse(parser)
    bench = growth_cases.Bench(given.work)
    moved = []
    for case in given.case or growth_cases.CASES:
        size = growth_cases.sizes(case, given.large)[-1]
        folder = bench.make(case, size)
        both = {given.old: [], given.new: []}
        for _ in range(given.rounds):
            for cli, calls in both.items():
                calls.append(bench.call(cli, case, folder))
        texts = []
        for index, name in enumerate(('cpu s', 'MB')):
            old, new = ([call[index] for call in both[cli]] for cli in (given.old, given.new))
            before, after = statistics.median(old), statistics.median(new)
            texts.append((name, before, after, max(scatter(old), scatter(new))))
        if bench.strace:
            texts.append(('calls', *(bench.call(cli, case, folder, calls=True)[2] for cli in both), 0))
        line = f'{case} ({size:,} {growth_cases.CASES[case][0]}): '
        line += ', '.join(f'{name} {before:,.2f} → {after:,.2f}' for name, before, after, _ in texts)
        print(line, flush=True)
        for name, before, after, noise in texts:
            if abs(after - before) > MOVED * before and abs(after - before) > 3 * noise:
                moved.append(f'{case}: {name} {"+" if after > before else ""}{(after / before - 1) * 100:.0f} %')
    print('\nmoved by more than 5 %: ' + ('; '.join(moved) or 'nothing'))


main()
