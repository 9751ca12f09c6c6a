# SPDX-License-Identifier: Apache-2.0
"""How the cost of cairn-cli grows: processor time, peak memory and system calls at growing sizes, and their exponents."""
import argparse
import math
import statistics

import growth_cases

LIMIT = 1.1
FLOOR = {'cpu s': 0.05, 'MB': 40, 'calls': 500}  # below, the start of the process is measured


def exponent(small, large, ratio):
    return math.log(large / small) / math.log(ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('cli')
    parser.add_argument('--rounds', type=int, default=3)
    given = growth_cases.parse(parser)
    bench = growth_cases.Bench(given.work)
    steep = []
    for case in given.case or growth_cases.CASES:
        axis = growth_cases.CASES[case][0]
        rows = []
        for size in growth_cases.sizes(case, given.large):
            folder = bench.make(case, size)
            calls = [bench.call(given.cli, case, folder) for _ in range(given.rounds)]
            row = {'cpu s': statistics.median(c[0] for c in calls), 'MB': statistics.median(c[1] for c in calls)}
            if bench.strace:
                row['calls'] = bench.call(given.cli, case, folder, calls=True)[2]
            rows.append((size, row))
        print(f'\n{case}')
        for size, row in rows:
            print(f'{size:>12,} {axis}  ' + '  '.join(f'{value:,.2f} {name}' if name != 'calls' else f'{value:,} {name}'
                                                      for name, value in row.items()))
        (before, small), (after, large) = rows[-2:]
        found = {}
        for name, value in large.items():
            if value > FLOOR[name] and small[name] > FLOOR[name] / 4:
                found[name] = exponent(small[name], value, after / before)
        print('   exponents  ' + ('  '.join(f'{name} {value:.2f}' for name, value in found.items()) or 'too small to tell'),
              flush=True)
        steep += [f'{case}: {name} {value:.2f}' for name, value in found.items() if value > LIMIT]
    print(f'\nabove {LIMIT}: ' + ('; '.join(steep) or 'none'))


main()
