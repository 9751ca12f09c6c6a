# SPDX-License-Identifier: Apache-2.0
"""What growth.py and compare.py measure: inputs of growing size, and the commands that read them.

A case makes its input of one size once, in a folder of its own, and names the arguments of cairn-cli. Tensors are tiny or
sparse: what grows is the number of things, except in the cases of jobs, where it is the bytes.
"""
import io
import json
import os
import pickle
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path


def names(count):
    return [f'model.layers.{i // 64}.mlp.experts.{i % 64}.w.weight' for i in range(count)]


def write_safetensors(path, tensors, elements=1, step=None, sparse=False):
    size = 4 * elements
    rows = [f'"{name}":{{"dtype":"F32","shape":[{elements}],"data_offsets":[{i * size},{(i + 1) * size}]}}'
            for i, name in enumerate(tensors)]
    if step is not None:
        rows.insert(0, f'"__metadata__":{{"format":"pt","step":"{step}"}}')
    header = ('{' + ','.join(rows) + '}').encode()
    header += b' ' * (-len(header) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(header)) + header)
        left = size * len(tensors)
        if sparse:
            file.truncate(file.tell() + left)
            return
        block = bytes(range(1, 128)) * 8192
        while left > 0:
            file.write(block[:min(left, len(block))])
            left -= len(block)


def write_dcp(folder, tensors, ranks, rows=4, columns=None):
    """Each tensor is divided over all ranks; with columns, the files are sparse."""
    import torch
    from torch.distributed.checkpoint.filesystem import _StorageInfo
    from torch.distributed.checkpoint.metadata import (ChunkStorageMetadata, Metadata, MetadataIndex, TensorProperties,
                                                       TensorStorageMetadata)
    tail = () if columns is None else (columns,)
    item = io.BytesIO()
    if columns is None:
        torch.save(torch.arange(rows, dtype=torch.float32), item)
    item = item.getvalue()
    length = len(item) or rows * columns * 4 + 1200
    state, storage = {}, {}
    for i, name in enumerate(names(tensors)):
        chunks = [ChunkStorageMetadata(offsets=torch.Size((r * rows,) + (0,) * len(tail)), sizes=torch.Size((rows,) + tail))
                  for r in range(ranks)]
        state[name] = TensorStorageMetadata(properties=TensorProperties(dtype=torch.float32),
                                            size=torch.Size((rows * ranks,) + tail), chunks=chunks)
        for r, chunk in enumerate(chunks):
            storage[MetadataIndex(name, torch.Size(tuple(chunk.offsets)), r)] = _StorageInfo(f'__{r}_0.distcp', i * length,
                                                                                             length)
    metadata = Metadata(state_dict_metadata=state, planner_data={name: (name,) for name in state}, storage_data=storage)
    (folder / '.metadata').write_bytes(pickle.dumps(metadata))
    for r in range(ranks):
        with open(folder / f'__{r}_0.distcp', 'wb') as file:
            for _ in range(tensors if item else 0):
                file.write(item)
            file.truncate(tensors * length)


def make_experiment(folder, checkpoints):
    for i in range(checkpoints):
        run, step = divmod(i, 20)
        place = folder / f'run-{run:03}' / f'checkpoint-{25 * (step + 1)}'
        place.mkdir(parents=True)
        write_safetensors(place / 'model.safetensors', ['a.weight', 'a.bias', 'b.weight'], 8, step=25 * (step + 1))
        log = [{'step': s, 'loss': 3 / (s + 1)} for s in range(25, 25 * (step + 1) + 1, 25)]
        (place / 'trainer_state.json').write_text(json.dumps({'global_step': 25 * (step + 1), 'log_history': log}))


def make_history(folder, points):
    with open(folder / 'metrics.jsonl', 'w') as file:
        for step in range(points // 10):
            file.write(json.dumps({'step': step, **{f'm{j}': (step * 31 + j * 7) % 997 / 997 for j in range(10)}}) + '\n')


def safetensors_file(folder, count):
    write_safetensors(folder / 'm.safetensors', names(count))


def big_file(folder, megabytes):
    write_safetensors(folder / 'm.safetensors', [f'layer.{i}.weight' for i in range(8)], (megabytes << 20) // 32)


def ranks(folder, count):
    write_dcp(folder, 100, count)


def small_dcp(folder, tensors):
    write_dcp(folder, tensors, 2)


def sparse_dcp(folder, tensors):
    write_dcp(folder, tensors, 8, 64, 1024)


SIZES = {  # small is the default; large takes tens of gigabytes and an hour
    'checkpoints': ((100, 400, 1600), (100, 1000, 10_000)),
    'points': ((10_000, 100_000, 1_000_000), (10_000, 100_000, 1_000_000, 10_000_000)),
    'names': ((1000, 16_000, 250_000), (1000, 62_500, 250_000, 680_000)),
    'ranks': ((8, 32, 128), (8, 32, 128, 512)),
    'tensors': ((500, 2000, 8000), (1000, 8000, 64_000)),
    'megabytes': ((16, 64, 256), (16, 256, 4096)),
}
# name: (axis, maker of the input, arguments; {in} and {out} are paths)
CASES = {
    'runs': ('checkpoints', make_experiment, 'runs {in} --json'),
    'runs again': ('checkpoints', make_experiment, 'runs {in} --json'),
    'history': ('points', make_history, 'history {in} --json'),
    'ls of names': ('names', safetensors_file, 'ls {in}/m.safetensors --json'),
    'info of names': ('names', safetensors_file, 'info {in}/m.safetensors --json'),
    'check --quick of names': ('names', safetensors_file, 'check --quick {in}/m.safetensors --json'),
    'tree of names': ('names', safetensors_file, 'tree -d 2 {in}/m.safetensors --json'),
    'hash of names': ('names', safetensors_file, 'hash {in}/m.safetensors --json'),
    'consolidate names': ('names', safetensors_file, 'consolidate {in}/m.safetensors -o {out}.safetensors'),
    'ls of ranks': ('ranks', ranks, 'ls {in} --json'),
    'info of ranks': ('ranks', ranks, 'info {in} --json'),
    'check of ranks': ('ranks', ranks, 'check {in} --json'),
    'consolidate ranks': ('ranks', ranks, 'consolidate {in} -o {out}.safetensors'),
    'scan of DCP': ('tensors', small_dcp, 'scan {in} --json'),
    'open DCP': ('tensors', sparse_dcp, 'ls {in} --json'),
    'plan consolidate': ('tensors', sparse_dcp,
                         'plan consolidate {in} -o {out}.safetensors --json'),
    'plan reshard': ('tensors', sparse_dcp,
                     'plan reshard --to dcp --ranks 32 {in} -o {out} --json'),
    'consolidate bytes': ('megabytes', big_file, 'consolidate {in}/m.safetensors -o {out}.safetensors'),
}
AGAIN = {'runs again'}  # with the cache that a first call filled


class Bench:
    """Runs cairn-cli with folders of its own, and counts."""

    def __init__(self, work):
        self.work = Path(work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.strace = shutil.which('strace')

    def make(self, case, size):
        _, maker, _ = CASES[case]
        folder = self.work / 'inputs' / f'{maker.__name__}_{size}'
        if not folder.exists():
            making = folder.with_name(folder.name + '.part')
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir(parents=True)
            child = os.fork()  # torch's memory would count as that of every process started from here
            if child == 0:
                maker(making, size)
                os._exit(0)
            if os.waitpid(child, 0)[1] != 0:
                sys.exit(f'the input of "{case}" could not be made')
            making.rename(folder)
        return folder

    def call(self, cli, case, folder, calls=False):
        """Processor seconds, peak resident MB, and the number of system calls if asked for."""
        out = Path(tempfile.mkdtemp(dir=self.work))
        home = out / 'home'
        env = dict(os.environ, HOME=str(home), **{f'XDG_{kind}_HOME': str(home / kind)
                                                 for kind in ('CACHE', 'STATE', 'CONFIG', 'DATA')})
        command = [str(cli)] + CASES[case][2].replace('{in}', str(folder)).replace('{out}', str(out / 'o')).split()
        try:
            if case in AGAIN:
                subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            counted = ['strace', '-f', '-c', '-o', str(out / 'calls')] if calls and self.strace else []
            with open(out / 'errors', 'wb') as errors, open(os.devnull, 'wb') as nothing:
                process = subprocess.Popen(counted + command, env=env, stdout=nothing, stderr=errors)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1, 2):
                sys.exit(f'{" ".join(command)} ended with {process.returncode}:\n{(out / "errors").read_text()}')
            if not counted:
                return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, None
            rows = [line.split() for line in (out / 'calls').read_text().splitlines()]
            return None, None, sum(int(row[3]) for row in rows if len(row) > 4 and row[0][0].isdigit() and row[-1] != 'total')
        finally:
            shutil.rmtree(out, ignore_errors=True)


def parse(parser):
    parser.add_argument('--work', default='build/bench/growth', help='folder of the inputs, which are kept')
    parser.add_argument('--large', action='store_true', help='the sizes of a release; tens of gigabytes')
    parser.add_argument('--case', action='append', choices=list(CASES), help='only this; may be repeated')
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return given


def sizes(case, large):
    return SIZES[CASES[case][0]][1 if large else 0]
