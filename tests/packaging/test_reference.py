#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completions that cairn-cli writes from its table of verbs, and the examples of `--help`.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/packaging/test_reference.py
"""

from __future__ import annotations

import functools
import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, SAMPLE, CliTest, run

@functools.cache
def verbs() -> list[str]:
    return [line.split()[0] for line in run("--help").text.split("Subcommands:")[1].split("\n\n")[0].splitlines() if line.strip()]


@functools.cache
def help_of(verb: str) -> str:
    return run(verb, "--help").text


def flags(verb: str) -> set[str]:
    """Long options in the help of a verb."""
    return set(re.findall(r"^ {2,}(?:-\w,)?(--[\w-]+)", help_of(verb), re.MULTILINE)) - {"--help"}


def examples(verb: str) -> list[str]:
    return [line.strip() for line in help_of(verb).split("Examples:\n")[1].strip().splitlines()]


class Reference(CliTest):
    def write(self, name: str, *arguments: str) -> Path:
        path = self.folder / name
        path.write_bytes(run(*arguments).raw)
        return path

    def test_the_manual_page_has_every_verb_and_option(self) -> None:
        page = self.write("cairn-cli.1", "manual")
        done = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-P-c", "-ww", "-rLL=400n", page], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page_text = re.sub(r".\x08", "", done.stdout)
        for verb in verbs():
            text = re.search(rf"^   cairn-cli {verb}\b.*?(?=^   cairn-cli |^EXIT|\Z)", page_text, re.S | re.M)
            self.assertIsNotNone(text, verb)
            common = {"--json", "--quiet", "--verbose", "--progress", "--color"}
            for flag in flags(verb) - common:
                self.assertIn(flag, text.group(), verb)
            for example in examples(verb):
                self.assertIn(example, text.group(), verb)

    def complete(self, *words: str) -> set[str]:
        """What bash offers for the last of these words."""
        script = self.write("completion", "completion", "bash")
        shell = f'. {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cairn_cli; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-uc", shell, "bash", "cairn-cli", *words], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash(self) -> None:
        self.assertEqual(self.complete("con"), {"consolidate", "convert"})
        self.assertLessEqual(set(verbs()), self.complete(""))
        self.assertEqual(self.complete("ls", "--progress", ""), {"auto", "none", "json"})
        self.assertEqual(self.complete("completion", ""), {"bash", "zsh", "fish", *flags("completion"), "-q", "-v"})
        self.assertEqual(self.complete("ls", "step"), set(), "names of files, by the shell")
        for verb in verbs():
            self.assertLessEqual(flags(verb), self.complete(verb, "path", "--"), verb)

    def test_zsh(self) -> None:
        script = self.write("_cairn-cli", "completion", "zsh")
        done = subprocess.run(["zsh", "-fn", script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # the function itself, with the shell's completion functions replaced by ones that print what they are given
        shell = f'''_arguments() {{ print -rl -- "$@"; [[ "$*" != *"->arguments"* ]] || {{ state=arguments; words=(ls) }} }}
                    _describe() {{ : }}; source {script}'''
        done = subprocess.run(["zsh", "-fc", shell], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for flag in flags("ls"):
            self.assertRegex(done.stdout, rf"(?m)^\*?{flag}\[")

    def test_fish(self) -> None:
        script = self.write("cairn-cli.fish", "completion", "fish")
        lines = {"cairn-cli consol": {"consolidate"}, "cairn-cli completion ": {"bash", "zsh", "fish"},
                 "cairn-cli ls --progress ": {"auto", "none", "json"}}
        asked = [*lines, *(f"cairn-cli {verb} --" for verb in verbs())]
        commands = "".join(f"complete --do-complete '{line}'; echo ---;" for line in asked)
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; {commands}"], capture_output=True, text=True,
                              env=self.environment | {"TERM": "dumb"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        offered = [{row.split("\t")[0].rstrip("=") for row in part.splitlines() if row} for part in done.stdout.split("---\n")]
        for line, words in zip(asked, offered):
            if line in lines:
                self.assertEqual(words, lines[line], line)
            else:
                self.assertLessEqual(flags(line.split()[1]), words, line)

    def test_another_shell(self) -> None:
        answer = run("completion", "tcsh", "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (2, "invalid-argument"))


class Examples(CliTest):
    """Every example of every verb is a valid call; those whose files are in the sample succeed."""

    def setUp(self) -> None:
        super().setUp()
        copies = {"step-100": "step-100", "step-200": "step-200", "step-300": "step-200", "step-350": "step-100", "step-400": "step-400",
                  "step-500": "step-400"}
        for name, step in copies.items():
            shutil.copytree(SAMPLE / "tiny-llama-a" / step, self.folder / name)
        for run_name in ("a", "b", "c", "run-1"):  # copies, because some examples change what they name
            shutil.copytree(SAMPLE / "tiny-llama-a", self.folder / "outputs" / run_name)
        (self.folder / "a").symlink_to("outputs/a")
        (self.folder / "b").symlink_to("outputs/b")
        shutil.copy(SAMPLE / "hf-export/model-00001-of-00003.safetensors", self.folder / "model.safetensors")
        for name in ("ckpt.pt", "a.pt", "b.pt", "c.pt", "pytorch_model.bin", "downloaded.pt"):
            shutil.copy(SAMPLE / "tiny-llama-b/checkpoint_epoch_1.pt", self.folder / name)

    def test_every_example_is_a_valid_call(self) -> None:
        done: dict[str, int] = {}
        for verb in verbs():
            for example in examples(verb):
                line = example.replace("/tmp/", "made-")
                command = shlex.split(re.split(r" [|>&]", line)[0])
                self.assertEqual(command[:2], ["cairn-cli", verb])
                answer = run(*command[1:], cwd=self.folder, env=self.environment)
                self.assertNotIn("--help` shows its usage", answer.errors, f"{line}\n{answer.said()}")
                self.assertGreaterEqual(answer.code, 0, f"{line}\n{answer.said()}")
                done[verb] = done.get(verb, 0) + (answer.code in (0, 1))
        never = {verb for verb, count in done.items() if count == 0}
        self.assertEqual(never, NEVER, "verbs of which no example ends well with the sample's files")


# They need a key, an adapter, the weights of a model family, a plan, a tensor of that name.
NEVER = {"sign", "fold", "convert", "job", "show"}

if __name__ == "__main__":
    unittest.main()
