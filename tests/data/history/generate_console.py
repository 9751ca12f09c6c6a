# SPDX-License-Identifier: Apache-2.0
"""`python generate_console.py FAIRSEQ LLM_C`: writes console/fairseq_*.log, llmc_*.log, composer_*, torchtune.txt and olmo_core.log with the logging
code of fairseq 0.12.2 and llm.c (folders of their sources), mosaicml 0.32.1, torchtune 0.6.1 and ai2-olmo-core 3.0.0 (packages without their
dependencies, but for dataclass-extensions). What was logged is the same in all: metric(step), below. Times differ from run to run.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import io
import logging
import subprocess
import sys
import tempfile
import types
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent / "console"
STEPS = range(1, 9)
MISSING = {"transformer_engine", "mcli", "tiktoken", "sentencepiece", "torchao", "cached_path", "torchvision", "torch_optimizer", "coolname", "tabulate", "datasets", "cpuinfo", "omegaconf", "bettermap"}


class WithoutDependencies:
    """Makes modules that are not installed importable: only the logging code of these packages runs."""

    def find_spec(self, name: str, path=None, target=None):
        if name.split(".")[0] in MISSING:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = unittest.mock.MagicMock(name=spec.name, spec_set=None)
        module.__path__, module.__spec__, module.__version__ = [], spec, "1.0"
        return module

    def exec_module(self, module) -> None:
        pass


def metric(step: int) -> float:
    return 8 / (step + 1) if step != 3 else float("nan")


def fairseq(source: Path) -> None:
    package = types.ModuleType("fairseq_logging")
    package.__path__ = [str(source / "fairseq" / "logging")]
    sys.modules["fairseq_logging"] = package
    bars = importlib.import_module("fairseq_logging.progress_bar")
    meters = importlib.import_module("fairseq_logging.meters")

    def average(value: float) -> object:
        meter = meters.AverageMeter(round=3)
        meter.update(value)
        return meter

    hydra = "[%(asctime)s][%(name)s][%(levelname)s] - %(message)s"
    plain = "%(asctime)s | %(levelname)s | %(name)s | %(message)s"
    for name, form, layout in (("simple", "simple", plain), ("json", "json", plain), ("hydra_json", "json", hydra), ("hydra", "simple", hydra)):
        text = io.StringIO()
        handler = logging.StreamHandler(text)
        handler.setFormatter(logging.Formatter(layout, datefmt="%Y-%m-%d %H:%M:%S"))
        bars.logger.handlers, bars.logger.propagate = [handler], False
        bars.logger.setLevel(logging.INFO)
        for epoch in (1, 2):
            batches = [1, 2, 3, 4]
            bar = bars.progress_bar(batches, log_format=form, log_interval=2, epoch=epoch)
            for i, _ in enumerate(bar):
                step = (epoch - 1) * len(batches) + i + 1
                bar.log({"loss": average(metric(step)), "wps": meters.TimeMeter(), "num_updates": step, "lr": 1e-4 * step, "gnorm": None}, tag="train_inner", step=step)
            valid = bars.progress_bar([1], log_format=form, log_interval=2, epoch=epoch, prefix="valid on 'valid' subset")
            valid.print({"loss": average(metric(step) + 1), "num_updates": step, "best_loss": metric(step) + 1}, tag="valid", step=step)
            bar.print({"loss": average(metric(step) + 2), "num_updates": step, "lr": 1e-4 * step}, tag="train", step=step)
        (HERE / f"fairseq_{name}.log").write_text(text.getvalue())
    # --log-format json --log-file: a handler without a layout, one more for each bar, so that lines repeat.
    bars.logger.handlers = []
    (HERE / "fairseq_file.log").unlink(missing_ok=True)
    for epoch in (1, 2):
        bar = bars.progress_bar([1, 2, 3, 4], log_format="json", log_interval=2, log_file=HERE / "fairseq_file.log", epoch=epoch)
        for i, _ in enumerate(bar):
            step = (epoch - 1) * 4 + i + 1
            bar.log({"loss": average(metric(step)), "num_updates": step, "lr": 1e-4 * step, "gnorm": None}, tag="train_inner", step=step)
        valid = bars.progress_bar([1], log_format="json", log_interval=2, epoch=epoch, prefix="valid on 'valid' subset")
        valid.print({"loss": average(metric(step) + 1), "num_updates": step, "best_loss": metric(step) + 1}, tag="valid", step=step)
        bar.print({"loss": average(metric(step) + 2), "num_updates": step, "lr": 1e-4 * step}, tag="train", step=step)


def llm_c(source: Path) -> None:
    """llmc/logger.h, and the line that train_gpt2.cu prints."""
    console = next(line.strip() for line in (source / "train_gpt2.cu").read_text().splitlines() if 'printf0("step %4d/%d | loss' in line).replace("printf0", "printf")
    program = f"""
#include "llmc/logger.h"
#include <math.h>
static double metric(int step) {{ return step != 3 ? 8.0 / (step + 1) : NAN; }}
int main(int argc, char** argv) {{
    Logger logger;
    logger_init(&logger, argv[1], 0, 0);
    for (int step = 0; step <= 8; ++step) {{
        if (step % 4 == 0) {{
            printf("val loss %f\\n", metric(step) + 1);
            logger_log_val(&logger, step, metric(step) + 1);
            logger_log_eval(&logger, step, 0.25f);
        }}
        printf({console.split('(', 1)[1].rsplit('"', 1)[0]}", step + 1, 9, metric(step), NAN, 1.5, -0.25, 3e-4, 98.1, 5.1, 191970.0);
        logger_log_train(&logger, step, metric(step), 3e-4f, 1.5f);
    }}
}}
"""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "main.c").write_text(program)
        subprocess.run(["cc", "-I", source, "main.c", "-o", "main", "-lm"], cwd=name, check=True)
        out = subprocess.run([f"{name}/main", name], check=True, capture_output=True, text=True).stdout
        (HERE / "llmc_console.log").write_text(out)
        (HERE / "llmc_main.log").write_text((Path(name) / "main.log").read_text())


def torchtune() -> None:
    from torchtune.training.metric_logging import DiskLogger

    (HERE / "torchtune.txt").unlink(missing_ok=True)
    with contextlib.redirect_stdout(io.StringIO()):
        logger = DiskLogger(str(HERE), "torchtune.txt")
    for step in STEPS:
        logger.log_dict({"loss": metric(step), "lr": 1e-5 * step, "tokens_per_second_per_gpu": 1234.5}, step=step)
    logger.log("val_loss", metric(8) + 1, step=8)
    logger.close()


def composer() -> None:
    import torch
    from composer import Trainer
    from composer.loggers import ConsoleLogger, FileLogger
    from composer.models import ComposerModel

    class Model(ComposerModel):
        def __init__(self) -> None:
            super().__init__()
            self.net, self.seen = torch.nn.Linear(1, 1), 0

        def forward(self, batch):
            return self.net(batch[0])

        def loss(self, outputs, batch):
            self.seen += self.training
            return outputs.mean() * 0 + metric(self.seen)

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.zeros(8, 1), torch.zeros(8, 1)), batch_size=2)
    for unit in ("2ep", "16sp", "8ba"):
        text = io.StringIO()
        file = HERE / "composer_8ba.txt"
        file.unlink(missing_ok=True)
        loggers = [FileLogger(filename=str(file), capture_stdout=False, capture_stderr=False)] if unit == "8ba" else [ConsoleLogger(log_interval="1ba", stream=text)]
        model = Model()
        Trainer(model=model, train_dataloader=data, max_duration=unit, optimizers=torch.optim.SGD(model.parameters(), lr=0.1), progress_bar=False, device="cpu",
                run_name="run", loggers=loggers).fit()
        if unit != "8ba":
            (HERE / f"composer_{unit}.log").write_text(text.getvalue())


def olmo_core() -> None:
    from olmo_core.train.callbacks import console_logger

    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(asctime)s\t%(hostname)s:%(local_rank)s\t%(name)s:%(lineno)s\t%(levelname)s\t%(message)s", defaults={"hostname": "host", "local_rank": 0}))
    console_logger.log.handlers, console_logger.log.propagate = [handler], False
    console_logger.log.setLevel(logging.INFO)
    callback = console_logger.ConsoleLoggerCallback()
    callback.trainer = types.SimpleNamespace(training_progress=types.SimpleNamespace(time_remaining=None), max_steps=8, epoch=1, hard_stop=None, global_step=0)
    for step in STEPS:
        callback.log_metrics(step, {"train/CE loss": metric(step), "optim/total grad norm": 1234.5, "throughput/total tokens": step * 1024, "data/other": 1})
    (HERE / "olmo_core.log").write_text(text.getvalue())


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    sys.meta_path.append(WithoutDependencies())
    for make, arguments in ((fairseq, [Path(sys.argv[1])]), (llm_c, [Path(sys.argv[2])]), (torchtune, []), (olmo_core, []), (composer, [])):
        make(*arguments)
