# SPDX-License-Identifier: Apache-2.0
"""`python make_checkpoints.py OUT_DIR [CASE-GLOB …]`: writes real checkpoints and, for each, `OUT_DIR/<case>.oracle.json`.

Cases that have an oracle are skipped, so that a second run takes seconds. Failed cases are listed at the end, with
exit code 1; the others are still made.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import sys
import time
import traceback
import warnings
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
warnings.filterwarnings("ignore")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    patterns = sys.argv[2:] or ["*"]

    import dcp_folders
    import registry

    for module in ("torch_files", "torch_objects", "torch_roles", "hf_folders", "lightning_runs"):
        __import__(module)
    wanted = [case for case in registry.CASES.values()
              if any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns)
              and not (out / f"{case.name}.oracle.json").exists()]
    for case in wanted:
        shutil.rmtree(out / case.name, ignore_errors=True)
        (out / case.name).mkdir()
    began = time.monotonic()
    failed = dcp_folders.write_with_ranks(out, [case.name for case in wanted])
    print(f"ranks      {time.monotonic() - began:6.1f} s")
    for case in wanted:
        began = time.monotonic()
        try:
            registry.finish(case, out, case.write(out / case.name))
        except Exception:
            failed.append(case.name)
            traceback.print_exc()
        print(f"{case.name:36} {time.monotonic() - began:6.1f} s", flush=True)
    for name in dict.fromkeys(failed):
        print(f"FAILED {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
