# SPDX-License-Identifier: Apache-2.0
"""Models of Stable-Baselines3: the zip around the states, its fields, the folder that it unpacks to."""
import base64
import json
import os

import archives
import pickles
from archives import Entry
from table import error, fine, finding, folder, file, job, notice, verdict

STATE = archives.torch_file(pickles.one_tensor())
VERSION = ("_stable_baselines3_version", b"2.9.0")


def fields(**more):
    return json.dumps({"num_timesteps": 64, **more}).encode()


def members(data=None, policy=STATE, optimizer=STATE, version=VERSION, more=()):
    return [Entry("data", fields() if data is None else data), Entry("policy.pth", policy),
            Entry("policy.optimizer.pth", optimizer), *more, Entry(*version)]


def model(then=None, lies=None, **how):
    """`then` changes the list of members."""
    entries = members(**how)
    if then:
        entries = then(entries)
    return file("model.zip", archives.build(entries, **(lies or {})))


def raw(data):
    return file("model.zip", data)


def changed(name, **how):
    """One field of a member is wrong."""

    def change(entries):
        for entry in entries:
            if entry.name == name:
                for field, value in how.items():
                    setattr(entry, field, value)
        return entries

    return model(change)


def unpacked(then=None, data=None, **files):
    known = {"data": fields() if data is None else data, "policy.pth": STATE, VERSION[0]: VERSION[1]}
    return folder({**known, **{name + ".pth": content for name, content in files.items()}}, then)


def link_out(name):
    def change(place):
        (place.open / name).unlink()
        os.symlink(place.outside / "secret", place.open / name)

    return unpacked(change)


def serialized(place):
    pickle = pickles.system(place)
    return fields(policy={":type:": "<class 'abc.ABCMeta'>", ":serialized:": base64.b64encode(pickle).decode()})


def cases():
    whole = archives.build(members())
    deep = b'{"num_timesteps": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    return [
        fine("model", model(), "check"),
        fine("no_fields", model(lambda entries: entries[1:])),
        fine("comment", model(lies={"comment": b"saved by hand"})),
        fine("a_stranger", model(more=[Entry("notes.txt", b"words")])),
        fine("steps_beyond_64_bits", model(data=b'{"num_timesteps": 99999999999999999999999}')),
        fine("steps_are_text", model(data=b'{"num_timesteps": "64"}')),
        fine("steps_below_zero", model(data=b'{"num_timesteps": -1}')),
        fine("no_optimizer", model(lambda entries: [entries[0], entries[1], entries[3]])),
        fine("version_of_a_megabyte", model(version=(VERSION[0], b"2" * 3_000_000))),
        fine("folder", unpacked(), "check"),
        error("cut_in_directory", raw(whole[:-30]), None),
        error("cut_in_states", raw(whole[:len(whole) // 2]), None),
        error("empty", raw(b""), "empty-file"),
        error("zeros", raw(bytes(3000)), "zero-filled"),
        error("entries_lie", model(lies={"count": 5}), None),
        error("offset_lies", model(lies={"offset": 1 << 30}), None),
        error("size_lies", model(lies={"size": 1 << 30}), None),
        error("no_states", model(lambda entries: [entries[0], entries[3]]), "not-a-checkpoint"),
        error("all_states_broken", model(policy=b"noise", optimizer=b"noise"), "not-a-checkpoint"),
        error("all_states_empty", model(policy=b"", optimizer=b""), None),
        error("deflated", model(lambda entries: [archives.deflated(each.name, each.data) for each in entries]), "unsupported"),
        error("one_deflated", model(lambda entries: [archives.deflated("data", fields()), *entries[1:]]), "unsupported"),
        error("encrypted", changed("policy.pth", flags=1), None),
        error("other_method", changed("policy.pth", method=14), None),
        notice("stored_sizes_differ", changed("policy.pth", stored_size=10), "zip-no-directory"),
        error("header_elsewhere", changed("policy.pth", shift=1 << 20), None),
        error("header_before", changed("policy.pth", shift=7), None),
        error("size_beyond", changed("policy.pth", size=1 << 31, stored_size=1 << 31), None),
        error("names_differ", changed("policy.pth", central_name="polici.pth"), None),
        error("second_disk", changed("policy.pth", disk=3), None),
        error("two_of_one_name", model(more=[Entry("policy.pth", STATE)]), None),
        fine("climbs_out", model(more=[Entry("../../outside/secret.pth", STATE)])),
        fine("absolute", model(more=[Entry("/etc/passwd.pth", STATE)])),
        notice("policy_is_noise", model(policy=b"\xff" * 900), "not-a-checkpoint"),
        notice("policy_empty", model(policy=b""), "empty-file"),
        notice("policy_zeros", model(policy=bytes(900)), "zero-filled"),
        notice("policy_cut", model(policy=STATE[:-40]), "zip-no-directory"),
        notice("policy_is_text", model(policy=b"<!DOCTYPE html><html></html>"), "html-page"),
        fine("policy_is_a_model", model(policy=whole)),
        notice("optimizer_cut", model(optimizer=STATE[:-40]), "zip-no-directory"),
        notice("storage_missing", model(policy=archives.torch_file(pickles.one_tensor(key="7"))), "torch-missing-record"),
        notice("storage_small", model(policy=archives.torch_file(data=bytes(8))), None),
        notice("too_large", model(policy=archives.torch_file(pickles.one_tensor(shape=(1 << 40, 3), stride=(3, 1)))), "torch-storage-too-small"),
        notice("fields_no_json", model(data=b"not json"), "json-syntax"),
        notice("fields_cut", model(data=fields()[:-1]), "json-syntax"),
        fine("fields_a_list", model(data=b"[1, 2]")),
        notice("fields_empty", model(data=b""), "empty-file"),
        notice("fields_deep", model(data=deep), None),
        fine("fields_nan", model(data=b'{"num_timesteps": NaN}')),
        notice("fields_no_utf8", model(data=b'{"num_timesteps": "\xff"}'), None),
        notice("folder_policy_cut", unpacked(lambda place: place.write("policy.pth", STATE[:-40]) and None, other=STATE), "zip-no-directory"),
        notice("folder_fields_no_json", unpacked(data=b"{"), "json-syntax"),
        error("folder_policy_links_out", link_out("policy.pth"), "not-a-checkpoint"),
        fine("folder_version_links_out", link_out(VERSION[0])),
        fine("folder_fields_link_out", link_out("data")),
        finding("checksum", changed("policy.pth", crc=1), None),
        finding("checksum_of_fields", changed("data", crc=1), None),
        job("policy_cut_not_written", model(policy=STATE[:-40]), "zip-no-directory"),
        verdict("runs_code", file("model.zip", lambda place: archives.build(members(data=serialized(place)))), "would-run-code"),
        verdict("policy_runs_code", file("model.zip", lambda place: archives.build(
            members(policy=archives.torch_file(pickles.system_beside(place))))), "would-run-code"),
        verdict("serialized_noise", model(data=fields(policy={":type:": "x", ":serialized:": "%%%%"})), "malformed"),
        verdict("serialized_cut", model(data=fields(policy={":type:": "x", ":serialized:": "gASV"})), "malformed"),
    ]
