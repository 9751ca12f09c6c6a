# SPDX-License-Identifier: Apache-2.0
"""The runs below a folder, their checkpoints and their curves."""

from __future__ import annotations

from cairn import _documents
from cairn._checkpoint import Checkpoint, open
from cairn._errors import Notice, Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cairn._documents import Document, Progress, Source


class Record:
    """A checkpoint or a source of curves in a listing: the members of its JSON object as attributes and by name.

    A checkpoint's `because` and `against` are the evidence for and against its step and epoch, see Run.best.
    """

    __slots__ = ("_members",)

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = members

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._members[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._members]

    def __repr__(self) -> str:
        facts = ", ".join(f"{name} {self._members[name]}" for name in ("step", "state", "source") if self._members.get(name) is not None)
        return f"<cairn.Record {self._members.get('path')!r}: {facts}>"

    def as_dict(self) -> dict[str, Any]:
        """All members."""
        return dict(self._members)

    def open(self) -> Checkpoint:
        """Opens the checkpoint at `path`."""
        return open(self._members["path"])


class Run:
    """One run: id, name, path, bytes, best, its checkpoints in order of training, and the sources of its curves."""

    __slots__ = ("_members", "checkpoints", "histories")

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = members
        self.checkpoints = [Record(each) for each in members["checkpoints"]]
        self.histories = [Record(each) for each in members["histories"]]

    @property
    def id(self) -> str:
        """The name of the run within the listing."""
        return self._members["id"]  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The run's name."""
        return self._members["name"]  # type: ignore[no-any-return]

    @property
    def path(self) -> str:
        """The run's folder."""
        return self._members["path"]  # type: ignore[no-any-return]

    @property
    def bytes(self) -> int:
        """The size of all checkpoints."""
        return self._members["bytes"]  # type: ignore[no-any-return]

    @property
    def best(self) -> dict[str, Any] | None:
        """What determines the best checkpoint: {"from", "metric", "value", "source", "because", "against"}.

        Evidence, here and elsewhere, is a list of {"strength", "id", "says", "where"}, the strongest first: "proven" is checked
        against the data, "recorded" written down by the tool that made it, "named" only looks like it.
        """
        return self._members["best"]  # type: ignore[no-any-return]

    @property
    def best_against(self) -> list[dict[str, Any]]:
        """The evidence for other checkpoints; without a best one, evidence that contradicts itself."""
        return self._members["best_against"]  # type: ignore[no-any-return]

    @property
    def headline(self) -> dict[str, Any]:
        """The metric that judges the checkpoints: {"metric", "because", "against"}; its name is None if there is none."""
        return self._members["headline"]  # type: ignore[no-any-return]

    @property
    def direction(self) -> dict[str, Any]:
        """Which values of that metric are better: {"larger_is_better", "because", "against"}; None is undecided."""
        return self._members["direction"]  # type: ignore[no-any-return]

    @property
    def latest_checkpoint(self) -> Record | None:
        """The latest checkpoint."""
        return next((each for each in self.checkpoints if each.latest), None)

    @property
    def best_checkpoint(self) -> Record | None:
        """The best checkpoint."""
        return next((each for each in self.checkpoints if each.best), None)

    def history(self, metric: str | None = None) -> dict[str, Any]:
        """The curves whose names match a glob: {name: {"steps", "values", …}}."""
        return _documents.history(self.path, metric=metric)["metrics"]  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """All members of the JSON object."""
        return dict(self._members)

    def __repr__(self) -> str:
        return f"<cairn.Run {self.id!r}: {len(self.checkpoints)} checkpoints, {len(self.histories)} histories>"


def _flat_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table without nesting; settings under their keys, metrics as "loss.last", "loss.best" …"""
    flat = {name: value for name, value in row.items() if name not in ("settings", "metrics", "group")}
    for prefix, part in (("group.", row.get("group", {})), ("settings.", row["settings"])):
        for key, value in part.items():
            flat[key if key not in flat else prefix + key] = value
    for name, figures in row["metrics"].items():
        for figure, value in figures.items():
            flat[f"{name}.{figure}"] = value
    return flat


class Runs:
    """The runs that cairn.runs() found: a sequence of Run, also by id."""

    __slots__ = ("_document", "_runs", "_sources")

    def __init__(self, document: Document, sources: tuple[Source, ...]) -> None:
        self._document = document
        self._sources = sources
        self._runs = [Run(each) for each in document["runs"]]

    @property
    def notices(self) -> list[Notice]:
        """What was noticed in the folder."""
        return [
            Notice(each["severity"], each["code"], each["message"], Where(**each["where"]), each["found"], each["expected"], each["hint"])
            for each in self._document["notices"]
        ]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __getitem__(self, index: int | str) -> Run:
        if not isinstance(index, str):
            return self._runs[index]
        for run in self._runs:
            if run.id == index:
                return run
        raise KeyError(index)

    def rows(
        self, *, columns: str = "*", filter: str | None = None, group_by: str | None = None, sort: str | None = None
    ) -> list[dict[str, Any]]:
        """table() as a list of dicts in any case."""
        document = _documents.call("runs", *self._sources, table=True, columns=columns, filter=filter, group_by=group_by, sort=sort)
        return [_flat_row(row) for row in document["rows"]]

    def table(self, *, columns: str = "*", filter: str | None = None, group_by: str | None = None, sort: str | None = None) -> Any:
        """One row a run, or a group of runs: settings, metrics, state, size. A pandas DataFrame, or a list of dicts without pandas.

        columns    settings and metrics to include, comma-separated, with `*` and `?`
        filter     "lr < 1e-3 and optimizer == adamw"
        group_by   "lr,optimizer" or "all but seed"
        sort       "eval_loss" or "eval_loss desc"
        """
        rows = self.rows(columns=columns, filter=filter, group_by=group_by, sort=sort)
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        return f"<cairn.Runs: {', '.join(run.id for run in self._runs[:8])}{', …' if len(self) > 8 else ''}>"


def runs(folder: Source, *more: Source, quick: bool = False, progress: Progress = None) -> Runs:
    """The runs below one or more folders. quick=True reads names and sizes only, not the checkpoints."""
    return Runs(_documents.call("runs", folder, *more, quick=quick, progress=progress), (folder, *more))
