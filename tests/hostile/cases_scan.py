# SPDX-License-Identifier: Apache-2.0
"""The result of `scan` for pickles that would run code if Python loaded them, and for harmless ones that look similar."""
import struct

import archives
import pickles
from archives import Entry, legacy_file, torch_file
from dcps import Dcp
from pickles import P, command, system
from table import error, file, folder, verdict

RUNS, UNCLEAR, BROKEN = "would-run-code", "ambiguous", "malformed"


def bare(make, name="x.pkl"):
    return file(name, make)


def call(place, module, name, argument=None):
    return P().name(module, name).text(argument or command(place)).raw(b"\x85").op("R").stop()


def popped(place):
    """The result of the call is dropped; the final object is harmless."""
    return P().name("posix", "system").text(command(place)).raw(b"\x85").op("R").op("0").op("}").stop()


def inst(place):
    return P().op("(").text(command(place)).raw(b"iposix\nsystem\n").stop()


def obj(place):
    return P().op("(").name("posix", "system").text(command(place)).op("o").stop()


def newobj(place):
    return P().name("subprocess", "Popen").text(command(place)).raw(b"\x85\x81").stop()


def stacked(place):
    return P(4).stack_name("posix", "system").text(command(place)).raw(b"\x85").op("R").stop()


def through_memo(place):
    p = P(4).text("posix").raw(b"\x94").op("0").text("system").raw(b"\x94").op("0").raw(b"h\x00h\x01\x93")
    return p.text(command(place)).raw(b"\x85").op("R").stop()


def overwritten_memo(place):
    p = P(2).text("collections").raw(b"q\x00").op("0").text("posix").raw(b"q\x00").op("0").raw(b"h\x00")
    return p.text("system").raw(b"\x93").text(command(place)).raw(b"\x85").op("R").stop()


def through_getattr(place):
    p = P().name("builtins", "getattr").op("(").name("os", "path").text("os").op("t").op("R")
    return p.stop()


def built_name(place):
    """The name to look up is itself the result of a call."""
    p = P(4).text("posix").name("operator", "itemgetter").number(0).raw(b"\x85").op("R")
    return p.op("(").text("system").op("t").op("R").raw(b"\x93").text(command(place)).raw(b"\x85").op("R").stop()


def dotted(place):
    return P(4).stack_name("torch", "serialization.os.system").text(command(place)).raw(b"\x85").op("R").stop()


def setstate(place):
    return P().name("some.project", "Thing").op(")").raw(b"\x81").op("}").text("cmd").text(command(place)).op("s").op(
        "b").stop()


def extension(place):
    return P().raw(b"\x82\x01").text(command(place)).raw(b"\x85").op("R").stop()


def persistent(place):
    return P().name("posix", "system").op("Q").stop()


def nested(place):
    return P().name("pickle", "loads").data(system(place)).raw(b"\x85").op("R").stop()


def nested_in_torch(place):
    return P().name("torch.storage", "_load_from_bytes").data(torch_file(system(place))).raw(b"\x85").op("R").stop()


def frame_straddle(place):
    """FRAME shorter than the opcode in it: Python's unpicklers differ in what they read next."""
    hidden = system(place)[2:]
    return b"\x80\x04\x95" + struct.pack("<Q", 4) + b"B" + struct.pack("<I", len(hidden)) + hidden + b"."


def weights_then(place, payload):
    return pickles.one_tensor()[:-1] + payload + b"."


def reduce_ex(place):
    p = P().name("builtins", "eval").text("__import__('os').system('%s')" % command(place)).raw(b"\x85").op("R")
    return p.stop()


def bare_pickles():
    def late(place):
        return P().op("}").stop() + system(place)

    return [
        verdict("system", bare(system), RUNS),
        verdict("system_protocol_0", bare(lambda place: b"cposix\nsystem\n(S'" + command(place).encode() + b"'\ntR."),
                RUNS),
        verdict("system_protocol_4", bare(lambda place: system(place, 4)), RUNS),
        verdict("os_system", bare(lambda place: call(place, "os", "system")), RUNS),
        verdict("nt_system", bare(lambda place: call(place, "nt", "system")), RUNS),
        verdict("eval", bare(reduce_ex), RUNS),
        verdict("exec_python2", bare(lambda place: call(place, "__builtin__", "exec")), RUNS),
        verdict("runpy", bare(lambda place: call(place, "runpy", "_run_code")), RUNS),
        verdict("pip_main", bare(lambda place: call(place, "pip", "main")), RUNS),
        verdict("resolve_name", bare(lambda place: call(place, "pkgutil", "resolve_name")), RUNS),
        verdict("timeit", bare(lambda place: call(place, "timeit", "timeit")), RUNS),
        verdict("ctypes", bare(lambda place: call(place, "ctypes", "CDLL", "libc.so.6")), RUNS),
        verdict("torch_load", bare(lambda place: call(place, "torch", "load", "/tmp/x")), RUNS),
        verdict("torch_inductor", bare(lambda place: call(place, "torch._inductor.codecache", "compile_file")), RUNS),
        verdict("numpy_f2py", bare(lambda place: call(place, "numpy.f2py.crackfortran", "getlincoef")), RUNS),
        verdict("unknown_call", bare(lambda place: call(place, "some.project", "build")), RUNS),
        verdict("popped", bare(popped), RUNS),
        verdict("inst", bare(inst), RUNS),
        verdict("obj", bare(obj), RUNS),
        verdict("newobj_popen", bare(newobj), RUNS),
        verdict("stack_global", bare(stacked), RUNS),
        verdict("through_memo", bare(through_memo), RUNS),
        verdict("overwritten_memo", bare(overwritten_memo), RUNS),
        verdict("getattr", bare(through_getattr), RUNS),
        verdict("built_name", bare(built_name), RUNS),
        verdict("dotted_name", bare(dotted), RUNS),
        verdict("setstate", bare(setstate), "unknown-class"),
        verdict("extension", bare(extension), RUNS),
        verdict("persistent_id", bare(persistent), RUNS),
        verdict("nested_loads", bare(nested), RUNS),
        verdict("nested_archive", bare(nested_in_torch), RUNS),
        verdict("frame_straddle", bare(frame_straddle), UNCLEAR),
        verdict("second_stream", bare(late), RUNS),
        verdict("second_stream_after_junk", bare(lambda place: P().op("}").stop() + b"\n" * 9 + system(place)), RUNS),
        verdict("payload_then_cut", bare(lambda place: system(place)[:-1]), RUNS),
        verdict("payload_then_noise", bare(lambda place: system(place)[:-1] + b"\xff\xff"), RUNS),
        verdict("harmless", bare(P().op("}").text("epoch").number(3).op("s").stop()), "inert"),
        verdict("ordered_dict", bare(P().name("collections", "OrderedDict").op(")").op("R").stop()), "inert"),
        verdict("cut", bare(b"\x80\x02}X"), BROKEN),
        verdict("memo_bomb", bare(pickles.memo_bomb(60)), "inert"),
        verdict("deep", bare(pickles.deep(300_000)), "inert"),
    ]


def containers():
    def dcp_index(place):
        made = Dcp()
        made.write(place)
        place.write(".metadata", system(place))
        return place.open

    def dcp_item(place):
        made = Dcp()
        made.set_high(torch_file(system(place)))
        return made.write(place)

    def twice(place):
        return archives.build([Entry("archive/data.pkl", system(place)), Entry("archive/data.pkl", P().op("}").stop()),
                               Entry("archive/version", b"3\n")])

    def encrypted(place):
        return archives.build([Entry("archive/data.pkl", system(place), flags=1), Entry("archive/version", b"3\n")])

    def flat(place):
        return archives.build([archives.deflated("archive/data.pkl", system(place))])

    return [
        verdict("torch_file", file("x.pt", lambda place: torch_file(pickles.system_beside(place))), RUNS),
        verdict("torch_file_named_txt", file("x.txt", lambda place: torch_file(pickles.system_beside(place))), RUNS),
        verdict("torch_deflated", file("x.pt", flat), RUNS),
        verdict("torch_two_pickles", file("x.pt", twice), RUNS),
        verdict("torch_encrypted", file("x.pt", encrypted), "not-examined"),
        verdict("torch_crc_wrong", file("x.pt", lambda place: archives.build(
            [Entry("archive/data.pkl", system(place), crc=1), Entry("archive/version", b"3\n")])), RUNS),
        verdict("torch_other_record", file("x.pt", lambda place: torch_file(
            more=[Entry("archive/extra.pkl", system(place))])), RUNS),
        verdict("torch_whole", file("x.pt", torch_file()), "inert"),
        verdict("torch_end_cut", file("x.pt", lambda place: torch_file(system(place))[:-30]), "malformed"),
        verdict("legacy", file("x.pt", lambda place: legacy_file(system(place))), RUNS),
        verdict("legacy_magic_called", file("x.pt", lambda place: legacy_file(head=system(place))), RUNS),
        verdict("legacy_sixth_pickle", file("x.pt", lambda place: legacy_file(counts=()) + system(place)), RUNS),
        verdict("legacy_whole", file("x.pt", legacy_file()), "inert"),
        verdict("dcp_index", dcp_index, RUNS),
        verdict("dcp_item", dcp_item, RUNS),
        verdict("folder_deep_inside", folder(lambda place: {"a/b/c/rng_state.pth": system(place), "note.txt": b"x"}),
                RUNS),
        verdict("folder_of_notes", folder({"note.txt": b"nothing"}), "inert"),
        error("scan_missing", lambda place: place.open / "no.pt", "not-found", verb="scan"),
    ]


def cases():
    return bare_pickles() + containers()
