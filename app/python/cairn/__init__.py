# SPDX-License-Identifier: Apache-2.0
"""Reads the checkpoints of any framework, without that framework and without running code from them.

    import cairn

    c = cairn.open("step-400")                     # reads the index only
    c["lm_head.weight"].shape                      # lazy: .dtype .role .nbytes .pieces
    c["lm_head.weight"][2:4, :].numpy()            # reads these rows only; also .torch(), DLPack
    c.values, c.state, c.notices                   # plain values, completeness, what was noticed
    cairn.runs("experiment").table()               # one row a run
    cairn.diff("step-300", "step-400", values=True)
    cairn.consolidate("step-400", "model.safetensors")

Every failure is a cairn.Error, whose fields are those of `cairn-cli --json`. Calls that read or compute release the GIL, and
Ctrl+C stops them. Nothing of a checkpoint is executed.
"""

from cairn._checkpoint import Checkpoint, open
from cairn._core import version as __version__
from cairn._documents import (
    average,
    call,
    check,
    compare,
    consolidate,
    convert,
    diff,
    export,
    fold,
    formats,
    hash,
    history,
    info,
    plan,
    reshard,
    scan,
    stats,
    verify,
)
from cairn._errors import Error, Notice, SliceError, TensorNotFound, Where
from cairn._runs import Record, Run, Runs, runs
from cairn._safe_open import safe_open
from cairn._tensor import Piece, Tensor

__all__ = [
    "Checkpoint",
    "Error",
    "Notice",
    "Piece",
    "Record",
    "Run",
    "Runs",
    "SliceError",
    "Tensor",
    "TensorNotFound",
    "Where",
    "__version__",
    "average",
    "call",
    "check",
    "compare",
    "consolidate",
    "convert",
    "diff",
    "export",
    "fold",
    "formats",
    "hash",
    "history",
    "info",
    "open",
    "plan",
    "reshard",
    "runs",
    "safe_open",
    "scan",
    "stats",
    "verify",
]
