# SPDX-License-Identifier: Apache-2.0
"""RLlib's folders: states that are elsewhere, have wrong names, are broken, or are endless."""
import json
import os

import pickles
from table import error, fine, finding, folder, job, notice, verdict

META = "metadata.json"
TOP = "rllib_checkpoint.json"
ARGUMENTS = "class_and_ctor_args.pkl"


def plain(value=7):
    """{"training_iteration": 7}"""
    return pickles.P().op("}").text("training_iteration").number(value).op("s").stop()


def array(p, descr="f4", data=b"\0" * 24):
    """A NumPy array of 2 x 3, as pickle writes it."""
    p.name("numpy._core.multiarray", "_reconstruct").op("(").name("numpy", "ndarray").number(0).raw(b"\x85")
    p.data(b"b").op("t").op("R").op("(").number(1).number(2).number(3).raw(b"\x86")
    p.name("numpy", "dtype").op("(").text(descr).raw(b"\x89\x88t").op("R").op("(").number(3).text("<")
    p.raw(b"NNN").raw(b"J\xff\xff\xff\xff").raw(b"J\xff\xff\xff\xff").number(0).op("t").op("b").raw(b"\x89").data(data)
    return p.op("t").op("b")


def state(**how):
    return array(pickles.P(3).op("}").text("w"), **how).op("s").stop()


def meta(stem="state", **more):
    return json.dumps({"class_and_ctor_args_file": ARGUMENTS, "state_file": stem, **more})


def component(place, stem="state", content=None, metadata=None):
    at = place + "/" if place else ""
    return {at + (META if place else TOP): meta(stem) if metadata is None else metadata,
            at + ARGUMENTS: plain(), at + "state.pkl": state() if content is None else content}


def algorithm(*parts, then=None, **how):
    files = {**component("", content=plain()), **component("learner_group"), **component("learner_group/learner")}
    files.update(component("learner_group/learner/rl_module", **how))
    for part in parts:
        files.update(part)
    return folder(files, then)


def moved(stem):
    """The module's state is declared to be elsewhere."""
    return algorithm(metadata=meta(stem))


def gone(name):
    return algorithm(then=lambda place: (place.open / name).unlink())


def linked(name, target="secret"):
    def change(place):
        path = place.open / name
        path.unlink()
        os.symlink(place.outside / target, path)

    return algorithm(then=change)


def loop(place):
    os.symlink(place.open, place.open / "learner_group" / "again")


def alone(**files):
    return folder({**component(""), **files})


MODULE = "learner_group/learner/rl_module/"


def cases():
    deep = {}
    for level in range(1, 40):
        deep.update(component("/".join(["d"] * level)))
    wide = {}
    for number in range(5000):
        wide.update({f"c{number}/{META}": "{}", f"c{number}/{ARGUMENTS}": b""})
    return [
        fine("algorithm", algorithm(), "check"),
        fine("one_component", alone()),
        fine("strangers_beside", alone(**{"notes.txt": b"words", "x/y.pkl": b"noise"})),
        fine("iteration_below_zero", folder({**component("", content=plain(-3)), **component("learner_group")})),
        fine("part_without_metadata", algorithm({"other/state.pkl": state()})),
        fine("part_without_arguments", algorithm({"other/" + META: meta(), "other/state.pkl": state()})),
        error("no_states", folder({TOP: meta(), ARGUMENTS: plain()}), None),
        error("top_says_nothing", folder({TOP: "{}", ARGUMENTS: plain()}), None),
        error("top_no_json", folder({TOP: "state", ARGUMENTS: plain()}), None),
        error("top_empty", folder({TOP: b"", ARGUMENTS: plain()}), None),
        error("top_a_list", folder({TOP: "[1]", ARGUMENTS: plain()}), None),
        error("only_state_is_noise", folder({TOP: meta(), ARGUMENTS: plain(), "state.pkl": b"\xff" * 90}), None),
        error("only_state_empty", folder({TOP: meta(), ARGUMENTS: plain(), "state.pkl": b""}), "empty-file"),
        error("only_state_is_the_folder", folder({TOP: meta("."), ARGUMENTS: plain()}), None),
        error("only_state_outside", folder({TOP: meta("../outside/secret"), ARGUMENTS: plain()}), None),
        notice("state_gone", gone(MODULE + "state.pkl"), "not-found"),
        notice("state_of_learner_gone", gone("learner_group/learner/state.pkl"), "not-found"),
        notice("state_outside", moved("../../../../outside/secret"), "bad-index"),
        notice("state_above", moved("../state"), "bad-index"),
        notice("state_absolute", moved("/etc/passwd"), None),
        notice("state_with_zero_byte", moved("state\0x"), None),
        notice("state_empty_name", moved(""), "not-found"),
        notice("state_long_name", moved("s" * 5000), None),
        notice("state_in_other_part", moved("../../../learner_group/state"), "bad-index"),
        notice("state_is_msgpack", moved("state.msgpack"), "not-found"),
        notice("state_is_a_number", algorithm(metadata=json.dumps({"state_file": 7})), None),
        notice("state_is_null", algorithm(metadata=json.dumps({"state_file": None})), None),
        notice("metadata_no_json", algorithm(metadata="state"), "json-syntax"),
        notice("metadata_cut", algorithm(metadata=meta()[:-1]), "json-syntax"),
        notice("metadata_empty", algorithm(metadata=""), None),
        notice("metadata_two_megabytes", algorithm(metadata=meta(more="x" * 2_000_000)), None),
        notice("metadata_deep", algorithm(metadata="[" * 100_000), None),
        notice("metadata_no_utf8", algorithm(metadata=b'{"state_file": "\xff"}'), None),
        notice("module_noise", algorithm(content=b"\xff" * 900), None),
        notice("module_empty", algorithm(content=b""), "empty-file"),
        notice("module_zeros", algorithm(content=bytes(900)), "zero-filled"),
        notice("module_lfs", algorithm(content=b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"), "lfs-pointer"),
        notice("module_cut", algorithm(content=state()[:-20]), None),
        notice("module_elements_missing", algorithm(content=state(data=b"\0" * 8)), None),
        fine("module_elements_of_no_type", algorithm(content=state(descr="q9"))),
        notice("module_deep", algorithm(content=pickles.deep(100_000)), None),
        notice("module_links_out", linked(MODULE + "state.pkl"), None),
        notice("metadata_links_out", linked(MODULE + META), "bad-index"),
        notice("metadata_gone", gone(MODULE + META), "bad-index"),
        fine("arguments_link_out", linked("learner_group/" + ARGUMENTS)),
        fine("part_links_round", algorithm(then=loop)),
        notice("parts_without_end", folder({**component(""), **deep}), "limit-exceeded"),
        notice("five_thousand_parts", folder({**component(""), **wide}), "bad-index"),
        finding("module_cut_checked", algorithm(content=state()[:-20]), None),
        finding("state_gone_checked", gone(MODULE + "state.pkl"), "not-found"),
        job("module_cut_not_written", algorithm(content=state()[:-20]), None),
        job("state_gone_not_written", gone(MODULE + "state.pkl"), "not-found"),
        verdict("arguments_run_code", folder(lambda place: {**component(""), ARGUMENTS: pickles.system(place)}), "would-run-code"),
        verdict("state_runs_code", folder(lambda place: component("", content=pickles.system_beside(place))), "would-run-code"),
        verdict("inner_state_runs_code", folder(lambda place: {
            **component("", content=plain()), **component("learner_group", content=pickles.system_beside(place))}), "would-run-code"),
    ]
