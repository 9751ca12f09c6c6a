# SPDX-License-Identifier: Apache-2.0
"""Writes the sentences of the core that a catalogue translates, for ui/text/core_text.h.

    core_sentences.py OUTPUT CATALOGUE…    one template a line
"""

import pathlib
import sys

import update


def sources(catalogues):
    return sorted({key.source for path in catalogues for key in update.read(path) if key.context == update.CORE})


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text("".join(text.replace("\n", "\\n") + "\n" for text in sources(sys.argv[2:])), encoding="utf-8")
