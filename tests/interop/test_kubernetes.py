# SPDX-License-Identifier: Apache-2.0
"""The manifest of `submit kubernetes`, read with the models of the official Python client, which refuses what they do not have."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest
from made_files import floats, safetensors

try:
    from kubernetes import client
except ImportError:
    client = None

IMAGE = "registry.example/cairn@sha256:" + "a5" * 32


def unknown_keys(document: object, model: type, place: str = "") -> list[str]:
    """Keys of a document that its model does not have."""
    found: list[str] = []
    attributes = {json_name: model.openapi_types[name] for name, json_name in model.attribute_map.items()}
    for key, value in document.items():
        if key not in attributes:
            found.append(f"{place}.{key}")
            continue
        kind = attributes[key]
        item = kind[5:-1] if kind.startswith("List[") else kind
        inner = getattr(client, item, None)
        for each in value if isinstance(value, list) else [value]:
            if inner is not None and isinstance(each, dict):
                found += unknown_keys(each, inner, f"{place}.{key}")
    return found


@unittest.skipIf(client is None, "the package kubernetes is not installed")
class Kubernetes(CliTest):
    def test_the_client_reads_the_manifest(self) -> None:
        source = self.folder / "a $(X) b.safetensors"
        safetensors(source, {"w": ("F32", [4, 4], floats(*range(16)))})
        for parts in (1, 3, 1000):
            text = self.call("submit", "kubernetes", "consolidate", source, "-o", self.folder / "Out_put.safetensors", "--parts", parts, "--image", IMAGE,
                             "--volume", f"data-1={self.folder}", "--volume", "scratch=/scratch", "--dry-run")["script"]
            manifest = json.loads(text)
            self.assertEqual([item["kind"] for item in manifest["items"]], ["ConfigMap", "Job"])
            api = client.ApiClient()
            for item, model in zip(manifest["items"], (client.V1ConfigMap, client.V1Job)):
                self.assertEqual(unknown_keys(item, model), [])
                read = api.deserialize(json.dumps(item), model.__name__, "application/json")
                self.assertEqual(api.sanitize_for_serialization(read), item)
            spec = read.spec
            self.assertEqual((spec.completion_mode, spec.completions, spec.parallelism), ("Indexed", parts, parts))
            pod = spec.template.spec
            self.assertEqual({mount.name for mount in pod.containers[0].volume_mounts}, {volume.name for volume in pod.volumes})
            self.assertEqual([volume.persistent_volume_claim.claim_name for volume in pod.volumes[1:]], ["data-1", "scratch"])

    def test_a_wrong_key_is_found(self) -> None:
        self.assertEqual(unknown_keys({"spec": {"template": {"spec": {"containers": [{"nam": 1}]}}}}, client.V1Job), [".spec.template.spec.containers.nam"])


if __name__ == "__main__":
    unittest.main()
