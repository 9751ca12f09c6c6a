# SPDX-License-Identifier: Apache-2.0
"""`python make_histories.py FOLDER [POINTS]`: logs of a million points (four metrics) in the formats of TensorBoard,
W&B and MLflow, for bench_history. Their own writers would take minutes; the tests compare the formats with those."""

import sqlite3
import struct
import sys
import zlib
from pathlib import Path

METRICS = ("train/loss", "train/lr", "train/grad_norm", "eval/loss")


def crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = crc_table()


def masked_crc32c(data: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def values(step: int) -> list[float]:
    return [2.5 / (step + 1), 1e-3 * (1 - step / 1e6), 0.5 + step % 7, 2.75 / (step + 1)]


def tensorboard(path: Path, rows: int) -> None:
    heads: dict[int, bytes] = {}
    with path.open("wb") as out:
        for step in range(rows):
            for name, value in zip(METRICS, values(step)):
                summary = field(1, field(1, name.encode()) + b"\x15" + struct.pack("<f", value))
                data = b"\x09" + struct.pack("<d", 1.7e9 + step) + b"\x10" + varint(step) + field(5, summary)
                if len(data) not in heads:
                    length = struct.pack("<Q", len(data))
                    heads[len(data)] = length + masked_crc32c(length)
                out.write(heads[len(data)] + data + masked_crc32c(data))


def wandb(path: Path, rows: int) -> None:
    log = bytearray(b":W&B\xe1\xbe\x00")
    for step in range(rows):
        named = [*zip(METRICS, values(step)), ("_timestamp", 1.7e9 + step), ("_runtime", step / 2), ("_step", step)]
        record = field(2, b"".join(field(1, field(2, name.encode()) + field(16, repr(value).encode())) for name, value in named))
        first = True
        while record or first:
            left = 32768 - len(log) % 32768
            if left < 7:
                log += bytes(left)
                left = 32768
            data, record = record[:left - 7], record[left - 7:]
            kind = bytes([(1 if first else 4) if not record else (2 if first else 3)])
            log += struct.pack("<IH", zlib.crc32(kind + data), len(data)) + kind + data
            first = False
    path.write_bytes(log)


def mlflow(path: Path, rows: int) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE runs (run_uuid, name, start_time, lifecycle_stage); INSERT INTO runs VALUES('r', 'run', 1, 'active');"
        "CREATE TABLE metrics (key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT NULL, run_uuid VARCHAR(32) NOT NULL, "
        "step BIGINT NOT NULL, is_nan BOOLEAN NOT NULL, PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan));")
    connection.executemany("INSERT INTO metrics VALUES(?, ?, ?, 'r', ?, 0)",
                           ((name, value, 1_700_000_000_000 + step, step) for step in range(rows) for name, value in zip(METRICS, values(step))))
    connection.commit()
    connection.close()


def main() -> None:
    folder, points = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    folder.mkdir(parents=True, exist_ok=True)
    rows = points // len(METRICS)
    tensorboard(folder / "events.out.tfevents.1700000000.host.1.0", rows)
    wandb(folder / "run-bench.wandb", rows)
    mlflow(folder / "mlflow.db", rows)


if __name__ == "__main__":
    main()
