# SPDX-License-Identifier: Apache-2.0
"""`python generate_trackers.py [SOURCE]…`: writes ray_tune/, ray_table/, stable_baselines3/, optuna/, trackio/, dvclive/, swanlab/, clearml/, neptune/ and
comet/ beside this file with their own writers (ray 2.60.0, stable_baselines3 2.9.2, optuna 5.0.0, trackio 0.43.0, dvclive 3.49.1, swanlab 0.10.3,
clearml 2.1.12, neptune 1.14.0, comet_ml 3.58.8), and for each case
`<case>.oracle`, the result of that writer's own reader; its lines are described in tests/interop/histories_binary.py.

`python generate_trackers.py --seeds ../../fuzz/corpus` writes the first inputs of the fuzz targets from them.

None of them is in tests/interop/requirements.txt; install them in an environment of their own. Times and ids differ from run to run.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sqlite3
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "interop"))
from histories_binary import Facts  # noqa: E402


def flat(values: dict, prefix: str = "") -> dict:
    found = {}
    for key, value in values.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {prefix + key: value}
    return found


def shrink(database: Path) -> None:
    """One file of small pages."""
    with sqlite3.connect(database, isolation_level=None) as connection:
        for statement in ("PRAGMA journal_mode=DELETE", "PRAGMA page_size=512", "VACUUM"):
            connection.execute(statement)


def ray_tune(root: Path) -> None:
    """Two trials of a function trainable with NaN, nested results and a checkpoint; one was restored after an error."""
    os.environ["RAY_AIR_NEW_OUTPUT"] = "0"
    import ray
    from ray import tune

    def train(config: dict) -> None:
        first = 0
        checkpoint = tune.get_checkpoint()
        if checkpoint:
            with checkpoint.as_directory() as folder:
                first = json.loads((Path(folder) / "state.json").read_text())["epoch"] + 1
        for epoch in range(first, 6):
            result = {"loss": config["lr"] / (epoch + 1) if epoch != 2 else float("nan"), "episodes": 3 * epoch,
                      "info": {"learner": {"grad": epoch / 7}}, "note": "text", "timesteps_total": 100 * (epoch + 1)}
            with tempfile.TemporaryDirectory() as folder:
                if epoch == 3:
                    (Path(folder) / "state.json").write_text(json.dumps({"epoch": epoch}))
                    tune.report(result, checkpoint=tune.Checkpoint.from_directory(folder))
                else:
                    tune.report(result)
            if epoch == 4 and first == 0 and config["lr"] == 0.5:
                raise RuntimeError("restored from the checkpoint of epoch 3")

    with tempfile.TemporaryDirectory() as name:
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
        tuner = tune.Tuner(train, param_space={"lr": tune.grid_search([0.5, 0.25]), "model": {"layers": [1, 2], "act": "relu"}},
                           tune_config=tune.TuneConfig(max_concurrent_trials=1),
                           run_config=tune.RunConfig(name="exp", storage_path=name, verbose=0,
                                                     failure_config=tune.FailureConfig(max_failures=1)))
        results = tuner.fit()
        ray.shutdown()
        for result in results:
            trial = Path(result.path)
            case = root / f"trial_{'restored' if result.config['lr'] == 0.5 else 'plain'}"
            case.mkdir(parents=True)
            for file in ("result.json", "progress.csv", "params.json"):
                text = (trial / file).read_text().replace(result.metrics["hostname"], "host").replace(result.metrics["node_ip"], "127.0.0.1")
                (case / file).write_text(text)
            for folder in trial.glob("checkpoint_*"):
                (case / folder.name).mkdir()
                shutil.copyfile(folder / "state.json", case / folder.name / "state.json")
            facts = Facts()
            for row in [json.loads(line) for line in (case / "result.json").read_text().splitlines()]:
                row.pop("config")
                for key, value in flat(row).items():
                    if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in ("training_iteration", "timestamp", "pid"):
                        facts.add(key.replace(".", "/"), row["training_iteration"], value, row["timestamp"])
            frame = result.metrics_dataframe  # what Ray itself reads
            loss = [value for _, value, _ in facts.curves["loss"]]
            if len(frame) == len(loss):
                assert all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(frame["loss"], loss)), (frame["loss"], loss)
            facts.settings = flat(result.config)
            facts.write(case.with_suffix(".oracle"), f"{case.name}/result.json")


def stable_baselines3(root: Path) -> None:
    """PPO with two environments, EvalCallback and the logger's tables."""
    import gymnasium
    import numpy
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import EvalCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.logger import configure
    from stable_baselines3.common.monitor import Monitor, load_results

    torch.set_num_threads(1)
    run = root / "ppo"
    run.mkdir(parents=True)
    environments = make_vec_env("CartPole-v1", n_envs=2, seed=0, monitor_dir=str(run / "monitor"))
    evaluated = Monitor(gymnasium.make("CartPole-v1"))
    model = PPO("MlpPolicy", environments, n_steps=64, batch_size=64, n_epochs=2, policy_kwargs={"net_arch": [8]}, seed=0, device="cpu")
    model.set_logger(configure(str(run), ["csv", "json"]))
    model.learn(1024, callback=EvalCallback(evaluated, eval_freq=128, log_path=str(run), n_eval_episodes=11, verbose=0))

    archive = numpy.load(run / "evaluations.npz")
    facts = Facts()
    for name, array in (("eval/mean_reward", "results"), ("eval/mean_ep_length", "ep_lengths")):
        for step, row in zip(archive["timesteps"], archive[array]):
            facts.add(name, step, numpy.mean(row), math.nan)
    facts.write(root / "evaluations.oracle", "ppo/evaluations.npz")

    for environment in range(2):
        facts = Facts()
        path = run / "monitor" / f"{environment}.monitor.csv"
        start = json.loads(path.read_text().splitlines()[0][1:])
        with tempfile.TemporaryDirectory() as name:
            shutil.copyfile(path, Path(name) / path.name)
            frame = load_results(name)
        times = [start["t_start"] + float(line.split(",")[2]) for line in path.read_text().splitlines()[2:]]
        for step, (reward, length, wall) in zip(frame["l"].cumsum(), zip(frame["r"], frame["l"], times)):
            facts.add(f"l [env {environment}]", step, length, wall)
            facts.add(f"r [env {environment}]", step, reward, wall)
        facts.settings = {"env_id": start["env_id"]}
        facts.write(root / f"monitor{environment}.oracle", f"ppo/monitor/{path.name}")


def optuna(root: Path) -> None:
    """Two studies: one with pruned and failed trials, NaN, infinities and every kind of parameter, one with two objectives."""
    import optuna as package

    package.logging.set_verbosity(package.logging.ERROR)
    case = root / "storage"
    case.mkdir(parents=True)
    def one(trial: package.Trial) -> float:
        rate = trial.suggest_float("lr", 1e-5, 1e-1, log=True)
        trial.suggest_int("layers", 1, 4)
        trial.suggest_categorical("optimizer", ["adamw", "sgd", None, 3])
        trial.set_user_attr("note", {"a": [1, 2]})
        for step in range(0, 50, 10):
            trial.report({(1, 20): math.nan, (2, 30): math.inf, (3, 30): -math.inf}.get((trial.number, step), rate * (50 - step)), step)
            if trial.number == 1 and step == 40:
                raise package.TrialPruned
        if trial.number == 4:
            raise RuntimeError("a failed trial")
        return math.inf if trial.number == 2 else rate

    def two(trial: package.Trial) -> tuple[float, float]:
        x = trial.suggest_float("x", -1, 1)
        return x * x, x

    def write(storage: object, path: Path) -> None:
        study = package.create_study(storage=storage, study_name="tune", sampler=package.samplers.RandomSampler(1), direction="minimize")
        study.optimize(one, n_trials=6, catch=(RuntimeError,))
        study.enqueue_trial({"lr": 0.01})
        both = package.create_study(storage=storage, study_name="both", sampler=package.samplers.RandomSampler(2), directions=["minimize", "maximize"])
        both.optimize(two, n_trials=2)
        both.add_trial(package.create_trial(values=[1.0, 2.0], params={"x": 0.5}, distributions={"x": package.distributions.FloatDistribution(-1, 1)}))
        study._storage.remove_session()

        facts = Facts()
        for each in (study, both):
            for trial in each.trials:
                if trial.state == package.trial.TrialState.WAITING:
                    continue
                name = f"{each.study_name}/{trial.number}"
                for step, value in trial.intermediate_values.items():
                    facts.add(f"{name}/intermediate_value", step, value, math.nan)
                for objective, value in enumerate(trial.values or []):
                    facts.add(f"{name}/" + (f"values_{objective}" if each is both else "value"), 0, value, math.nan)
                facts.settings |= {f"{name}.{key}": value for key, value in trial.params.items()}
                facts.settings |= flat({"user_attrs": trial.user_attrs} if trial.user_attrs else {}, f"{name}.")
        facts.write(path.parent.with_suffix(".oracle"), f"{path.parent.name}/{path.name}")

    write(f"sqlite:///{case}/study.db", case / "study.db")
    shrink(case / "study.db")
    journal = root / "journal/journal.log"
    journal.parent.mkdir()
    write(package.storages.JournalStorage(package.storages.journal.JournalFileBackend(str(journal))), journal)


def trackio(root: Path) -> None:
    """Two runs of one project: trackio's own steps with NaN and nested values, and steps of the caller with a Trainer's column."""
    case = root / "project"
    case.mkdir(parents=True)
    os.environ["TRACKIO_DIR"] = str(case)
    import trackio as package
    from trackio.sqlite_storage import SQLiteStorage

    package.init(project="project", name="calls", config={"lr": 0.1, "model": {"hidden": 2}, "flag": True}, embed=False)
    for i in range(12):
        package.log({"train/loss": {5: math.nan, 6: math.inf}.get(i, math.exp(-i / 10)), "nested": {"acc": i / 30}, "text": "x"})
    package.finish()
    package.init(project="project", name="trainer", config={"lr": 0.01}, embed=False)
    for i in range(12):
        package.log({"train/loss": math.exp(-i / 20), "train/global_step": 50 * i})
    package.finish()
    package.init(project="project", name="steps", embed=False)
    for i in range(12):
        package.log({"eval/loss": 1 / (i + 1)}, step=5 * i)
    package.finish()

    facts = Facts()
    for run in ("calls", "trainer", "steps"):
        for row in SQLiteStorage.get_logs("project", run):
            from datetime import datetime, timezone
            when = datetime.fromisoformat(row.pop("timestamp"))
            wall = (when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp()
            step = row.pop("step")
            step = row.pop("train/global_step", step)
            for name, value in flat(row).items():
                if isinstance(value, (int, float)):
                    facts.add(f"{run}/{name.replace('.', '/')}", step, value, wall)
        config = SQLiteStorage.get_run_config("project", run) or {}
        facts.settings |= {f"{run}.{key}": value for key, value in flat(config).items() if not key.startswith("_")}
    shrink(case / "project.db")
    for path in case.iterdir():
        if path.name != "project.db":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    facts.write(case.with_suffix(".oracle"), f"{case.name}/project.db")


def dvclive(root: Path) -> None:
    """Nested metrics, NaN, a metric without a table, parameters, and a resumed run."""
    from dvclive import Live
    from dvclive.serialize import load_yaml

    case = root / "live"
    with tempfile.TemporaryDirectory() as name:
        where = os.getcwd()
        os.chdir(name)
        for first, last, resume in ((0, 6, False), (6, 9, True)):
            with Live("dvclive", resume=resume, save_dvc_exp=False, monitor_system=False, dvcyaml=None) as live:
                if not resume:
                    live.log_params({"lr": 0.1, "model": {"hidden": 4, "act": "relu"}})
                for i in range(first, last):
                    live.log_metric("train/loss", 1 / (i + 1))
                    live.log_metric("val/loss", 2 / (i + 1) if i != 3 else float("nan"))
                    live.log_metric("plain", i * 0.5, timestamp=True)
                    live.log_metric("hidden/acc", i / 10, plot=False)
                    live.next_step()
        os.chdir(where)
        case.mkdir(parents=True)
        shutil.copytree(Path(name) / "dvclive", case / "dvclive")
    folder = case / "dvclive"
    facts = Facts()
    import csv

    for table in sorted((folder / "plots/metrics").rglob("*.tsv")):
        metric = str(table.relative_to(folder / "plots/metrics"))[:-4]
        with open(table, newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                facts.add(metric, int(row["step"]), float(row[metric.split("/")[-1]]), float(row["timestamp"]) / 1000 if "timestamp" in row else math.nan)
    summary = json.loads((folder / "metrics.json").read_text())
    facts.add("hidden/acc", summary["step"], summary["hidden"]["acc"], math.nan)
    facts.settings = flat(load_yaml(str(folder / "params.yaml")))
    facts.write(case.with_suffix(".oracle"), f"{case.name}/dvclive")


def swanlab(root: Path) -> None:
    """Two runs: SwanLab's own steps with NaN, zeros and nested settings, and steps of the caller."""
    import swanlab as package
    from swanlab.proto.swanlab.record.v1.record_pb2 import Record
    from swanlab.sdk.internal.core_python.store import DataStoreReader

    for name, mode in (("calls", "local"), ("steps", "offline")):
        with tempfile.TemporaryDirectory() as folder:
            package.init(project="p", experiment_name=name, config={"lr": 0.1, "model": {"hidden": 2}}, mode=mode, logdir=folder)
            for i in range(20):
                values = {"train/loss": {3: math.nan, 4: math.inf}.get(i, 1 / (i + 1)), "acc": i / 20}
                package.log(values) if name == "calls" else package.log(values, step=10 * i)
            package.finish()
            (log,) = Path(folder).rglob("*.swanlab")
            case = root / name / "run-20260101_000000-abcd1234"
            (case / "files").mkdir(parents=True)
            shutil.copyfile(log.parent / "files/config.yaml", case / "files/config.yaml")
            if (log.parent / "logs").exists():
                shutil.copytree(log.parent / "logs", case / "logs")
            reader = DataStoreReader()
            reader.open(log)
            records = [Record.FromString(record) for record in iter(reader.scan, None)]
        kept = case / "run-abcd1234.swanlab"
        write_swanlab(kept, [record for record in records if record.WhichOneof("record_type") in ("start", "scalar", "finish")])
        facts = Facts()
        for record in records:
            if record.HasField("scalar"):
                scalar = record.scalar
                facts.add(scalar.key, scalar.step, scalar.value.number,
                          (scalar.timestamp.seconds * 10**6 + scalar.timestamp.nanos // 1000) / 10**6)
        facts.settings = {"lr": 0.1, "model.hidden": 2}
        facts.write(root / f"{name}.oracle", f"{name}/{case.name}/{kept.name}")


def write_swanlab(path: Path, records: list) -> None:
    """SwanLab's own writer, without the records that have paths of this machine."""
    from swanlab.sdk.internal.core_python.store import DataStoreWriter

    writer = DataStoreWriter()
    writer.open(path)
    for record in records:
        writer.write(record.SerializeToString())
    writer.close()


def ray_table(root: Path) -> None:
    """A trial of which only the table was logged, with the checkpoints' names in it; the places of this machine are replaced."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "TUNE_DISABLE_AUTO_CALLBACK_LOGGERS": "1"}
    import csv

    import ray
    from ray import tune
    from ray.tune.logger import CSVLoggerCallback

    def train(config: dict) -> None:
        for i in range(1, 9):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "model.txt").write_text(str(i))
                save = tune.Checkpoint.from_directory(folder) if i % 3 == 0 else None
                tune.report({"loss": abs(i - 6) + config["lr"], "info": {"grad": i}}, checkpoint=save)

    with tempfile.TemporaryDirectory() as folder:
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
        settings = tune.RunConfig(storage_path=folder, name="exp", callbacks=[CSVLoggerCallback()], verbose=0)
        tune.Tuner(train, param_space={"lr": 0.25}, run_config=settings).fit()
        ray.shutdown()
        (table,) = Path(folder).rglob("progress.csv")
        with open(table, newline="") as text:
            rows = list(csv.DictReader(text))
    case = root / "trial_table"
    case.mkdir()
    for row in rows:
        row |= {"hostname": "host", "node_ip": "192.0.2.1", "pid": "7"}
    with open(case / "progress.csv", "w", newline="") as text:
        writer = csv.DictWriter(text, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    facts = Facts()
    for row in rows:
        for name in ("loss", "info/grad", "time_this_iter_s", "time_total_s", "time_since_restore", "iterations_since_restore"):
            facts.add(name, int(row["training_iteration"]), float(row[name]), float(row["timestamp"]))
    facts.write(root / "trial_table.oracle", "trial_table/progress.csv")


def clearml(root: Path) -> None:
    """A closed session; of its task only what is read, because the rest has paths of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CLEARML_CACHE_DIR": folder, "HOME": folder}
        import clearml as package

        package.Task.set_offline(True)
        task = package.Task.init("project", "train a", auto_connect_frameworks=False, auto_resource_monitoring=False,
                                 auto_connect_arg_parser=False)
        task.set_parameters({"General/seed": 7, "General/lr": 0.25, "Args/name": "a b", "Args/amp": True})
        logger = task.get_logger()
        for i in range(20):
            logger.report_scalar("loss", "train", value=1 / (i + 1), iteration=10 * i)
            logger.report_scalar("lr", "lr", value=0.25, iteration=10 * i)
            if i % 5 == 0:
                logger.report_scalar("loss", "val", value=-2 / (i + 1), iteration=10 * i)
        logger.report_single_value("final", 0.5)
        logger.report_histogram("weights", "layer", values=[1, 2, 3], iteration=3)
        session = Path(task.get_offline_mode_folder())
        task.flush(wait_for_uploads=True)
        task.close()
        case = root / session.name
        case.mkdir()
        shutil.copyfile(session / "metrics.jsonl", case / "metrics.jsonl")
        kept = {key: value for key, value in json.loads((session / "task.json").read_text()).items() if key in ("id", "name", "hyperparams")}
        (case / "task.json").write_text(json.dumps(kept))
        facts = Facts(settings={"General.seed": 7, "General.lr": 0.25, "Args.name": "a b", "Args.amp": True})
        for line in (case / "metrics.jsonl").read_text().splitlines():
            for event in json.loads(line):
                if event["type"] == "training_stats_scalar":
                    name = event["metric"] if event["metric"] == event["variant"] else f"{event['metric']}/{event['variant']}"
                    facts.add(name, max(event["iter"], 0), event["value"], event["timestamp"] / 1000)
        facts.write(root / "session.oracle", f"{session.name}/metrics.jsonl")
        with zipfile.ZipFile(root / "archived.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("metrics.jsonl", "task.json"):
                archive.write(case / name, name)
        (root / "archived").mkdir()
        name = f"archived/{session.name}.zip"
        (root / "archived.zip").rename(root / name)
        facts.write(root / "archived.oracle", name)


def neptune(root: Path) -> None:
    """A run in two files: steps of the caller, Neptune's own count, a cleared series, settings that were assigned again and deleted."""
    where = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import neptune as package
        from neptune.core.components.queue.disk_queue import DiskQueue
        from neptune.internal import operation

        make = DiskQueue.__init__
        DiskQueue.__init__ = lambda self, **given: make(self, **given, max_file_size=4000)
        run = package.init_run(mode="offline", project="w/p", name="train a", capture_hardware_metrics=False, capture_stdout=False, capture_stderr=False,
                               source_files=[], git_ref=False)
        run["parameters"] = {"lr": 1e-3, "model": {"act": "relu", "layers": 3}, "amp": True, "dropped": 1}
        run["parameters/lr"] = 2e-3
        del run["parameters/dropped"]
        run["sys/tags"].add(["a"])
        run["again"].append(7.0, step=3)
        del run["again"]
        for i in range(8):
            run["train/loss"].append(1 / (i + 1), step=10 * i)
            run["val/acc"].append(i / 8)
            run["again"].append(i, step=i)
        run["many"].extend([1.0, 2.0, 3.0], steps=[1, 2, 3])
        run["log"].append("text")
        run.stop()
        DiskQueue.__init__ = make
        (queue,) = Path(folder).glob(".neptune/offline/*")
        case = root / "run__abc"
        case.mkdir()
        facts, numbers = Facts(), {}
        files = sorted(queue.glob("data-*.log"), key=lambda file: int(file.stem.split("-")[1]))
        assert len(files) > 1, files
        for file in files:
            kept = []
            for line in file.read_text().splitlines(True):
                record = json.loads(line)
                each = operation.Operation.from_dict(record["obj"])  # Neptune's own reading
                name = "/".join(each.path)
                if each.path[0] in ("monitoring", "source_code") or name == "sys/hostname":  # names of this machine
                    record["obj"] = {"type": "AssignString", "path": ["sys", "left_out"], "value": ""}
                    line = json.dumps(record) + "\n"
                elif isinstance(each, operation.LogFloats):
                    for value in each.values:
                        step = value.step if value.step is not None else numbers.get(name, -1) + 1
                        numbers[name] = step
                        facts.add(name, step, value.value, value.ts)
                elif isinstance(each, operation.DeleteAttribute):
                    facts.curves.pop(name, None)
                    facts.settings.pop(".".join(each.path), None)
                elif isinstance(each, (operation.AssignFloat, operation.AssignInt, operation.AssignBool, operation.AssignString)) and each.path[0] != "sys":
                    facts.settings[".".join(each.path)] = each.value
                kept.append(line)
            (case / file.name).write_text("".join(kept))
        shutil.copyfile(queue / "last_put_version", case / "last_put_version")
    os.chdir(where)
    facts.write(root / "run.oracle", case.name)


def comet(root: Path) -> None:
    """An archive of an experiment, without the printed output, which has names of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder}
        import comet_ml as package

        switched_off = ("auto_metric_logging", "log_env_details", "log_code", "log_git_metadata", "log_env_cpu", "log_env_gpu", "log_env_host")
        experiment = package.OfflineExperiment(project_name="p", workspace="w", offline_directory=folder, **dict.fromkeys(switched_off, False))
        experiment.set_name("train a")
        experiment.log_metric("unplaced", 4.5)
        experiment.log_metric("unplaced", 3.5)
        experiment.log_parameters({"lr": 0.25, "model": {"hidden": 4}, "optimizer": "adam"})
        for i in range(20):
            experiment.log_metric("train/loss", {3: math.nan, 4: -math.inf}.get(i, 1 / (i + 1)), step=10 * i, epoch=i // 5)
            if i % 5 == 0:
                experiment.log_metric("val_loss", 2 / (i + 1), step=10 * i)
        experiment.log_other("note", "text")
        experiment.end()
        (archive,) = Path(folder).glob("*.zip")
        with zipfile.ZipFile(archive) as original, zipfile.ZipFile(root / archive.name, "w", zipfile.ZIP_DEFLATED) as kept:
            lines = [line for line in original.read("messages.json").splitlines(True) if json.loads(line)["type"] != "standard_output"]
            kept.writestr("experiment.json", original.read("experiment.json"))
            kept.writestr("messages.json", b"".join(lines))
        facts, numbers = Facts(), {}
        for message in map(json.loads, lines):
            payload = message["payload"]
            if message["type"] == "metric_msg":
                metric = payload["metric"]
                name, step = metric["metricName"], metric["step"]
                if step is None:
                    step = numbers[name] = numbers.get(name, -1) + 1
                facts.add(name, step, float(metric["metricValue"]), payload["local_timestamp"] / 1000)
            elif message["type"] == "parameter_msg" and not payload["param"]["paramName"].startswith("curr_"):
                facts.settings[payload["param"]["paramName"]] = payload["param"]["paramValue"]
        facts.write(root / "experiment.oracle", archive.name)


def seeds(out: Path) -> None:
    """The first inputs of the fuzz targets, from the files here: tests/fuzz/history_text_fuzz.cpp, history_binary_fuzz.cpp."""
    def small(statements: str) -> bytes:
        with tempfile.TemporaryDirectory() as name:
            with sqlite3.connect(Path(name) / "a.db", isolation_level=None) as connection:
                connection.executescript("PRAGMA page_size=512;" + statements)
            return (Path(name) / "a.db").read_bytes()

    text, binary = out / "history_text", out / "history_binary"
    (text / "ray_tune").write_bytes(b"8" + (HERE / "ray_tune/trial_plain/result.json").read_bytes())
    (text / "clearml").write_bytes(b"<" + next((HERE / "clearml").glob("*/metrics.jsonl")).read_bytes())
    (text / "comet").write_bytes(b"=" + next((HERE / "comet").glob("*.zip")).read_bytes())
    (text / "sb3_monitor").write_bytes(b"9" + (HERE / "stable_baselines3/ppo/monitor/0.monitor.csv").read_bytes())
    (text / "sb3_evaluations").write_bytes(b":" + (HERE / "stable_baselines3/ppo/evaluations.npz").read_bytes())
    (text / "optuna_journal").write_bytes(b";" + b"".join((HERE / "optuna/journal/journal.log").read_bytes().splitlines(True)[:12]))
    (binary / "swanlab").write_bytes(b"s" + (HERE / "swanlab/steps/run-20260101_000000-abcd1234/run-abcd1234.swanlab").read_bytes())
    (binary / "optuna").write_bytes(b"o\0\0" + small("""
        CREATE TABLE studies (study_id INTEGER PRIMARY KEY, study_name); INSERT INTO studies VALUES (1, 'a');
        CREATE TABLE study_directions (direction, study_id, objective); INSERT INTO study_directions VALUES ('MINIMIZE', 1, 0);
        CREATE TABLE trials (trial_id INTEGER PRIMARY KEY, number, study_id, state); INSERT INTO trials VALUES (1, 0, 1, 'COMPLETE');
        CREATE TABLE trial_params (trial_id, param_name, param_value, distribution_json);
        INSERT INTO trial_params VALUES (1, 'o', 0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["x"]}}');
        CREATE TABLE trial_values (trial_id, objective, value, value_type); INSERT INTO trial_values VALUES (1, 0, 0.5, 'FINITE');
        CREATE TABLE trial_intermediate_values (trial_id, step, intermediate_value, intermediate_value_type);
        INSERT INTO trial_intermediate_values VALUES (1, 3, NULL, 'NAN');"""))
    (binary / "trackio").write_bytes(b"t\0\0" + small("""
        CREATE TABLE metrics (run_id, timestamp, run_name, step, metrics);
        INSERT INTO metrics VALUES ('r', '2026-01-02T03:04:05.5+00:00', 'a', 0, '{"loss": "NaN", "n": {"m": 1}}');
        CREATE TABLE configs (run_id, run_name, config); INSERT INTO configs VALUES ('r', 'a', '{"lr": 0.1, "_Created": 1}');"""))


SOURCES = {function.__name__: function for function in (ray_tune, ray_table, stable_baselines3, optuna, trackio, dvclive, swanlab, clearml, neptune, comet)}


def main() -> None:
    if sys.argv[1:2] == ["--seeds"]:
        seeds(Path(sys.argv[2]))
        return
    for name in sys.argv[1:] or SOURCES:
        root = HERE / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        SOURCES[name](root)


if __name__ == "__main__":
    main()
