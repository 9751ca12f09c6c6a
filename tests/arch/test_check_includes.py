# SPDX-License-Identifier: Apache-2.0
"""Tests that the include check can fail."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_includes import Rules, cycle_in, table_of  # noqa: E402

RULES = Rules(pathlib.Path(__file__).parents[2])


class Arrows(unittest.TestCase):
    def broken(self, path, include):
        return list(RULES.violations_in(path, f"#pragma once\n#include {include}\n"))

    def test_arrows_that_are_there(self):
        self.assertFalse(self.broken("core/io/folder.cpp", '"core/base/result.h"'))
        self.assertFalse(self.broken("core/formats/dcp/reader.cpp", '"core/formats/common/torch/torch_objects.h"'))
        self.assertFalse(self.broken("ui/shell/main_window.cpp", '"core/jobs/queue/job_queue.h"'))
        self.assertFalse(self.broken("app/cli/ls.cpp", '"core/io/folder.h"'))

    def test_arrows_that_are_not(self):
        self.assertTrue(self.broken("core/base/error.cpp", '"core/io/folder.h"'))
        self.assertTrue(self.broken("core/codec/zip/zip.cpp", '"core/model/value.h"'))
        self.assertTrue(self.broken("core/formats/dcp/reader.cpp", '"core/formats/torch/reader.h"'))
        self.assertTrue(self.broken("core/model/value.cpp", '"core/formats/format.h"'))
        self.assertTrue(self.broken("ui/shell/main_window.cpp", '"core/io/folder.h"'))
        self.assertTrue(self.broken("ui/shell/main_window.cpp", '"core/formats/dcp/index.h"'))
        self.assertTrue(self.broken("core/jobs/engine/engine.cpp", '"ui/shell/main_window.h"'))

    def test_rooms_within_rooms(self):
        self.assertFalse(self.broken("core/jobs/engine/engine.cpp", '"core/jobs/record/manifest.h"'))
        self.assertTrue(self.broken("core/jobs/record/manifest.cpp", '"core/jobs/engine/staging.h"'))
        self.assertTrue(self.broken("core/runs/history/csv/reader.cpp", '"core/runs/scan/experiment_scan.h"'))
        self.assertFalse(self.broken("core/runs/scan/experiment_scan.cpp", '"core/runs/experiment.h"'))
        self.assertTrue(self.broken("core/formats/registry.cpp", '"core/formats/common/members/file_data.h"'))
        self.assertTrue(self.broken("core/formats/common/torch/torch_zip.cpp", '"core/formats/torch/reader.h"'))

    def test_rooms_of_the_window(self):
        self.assertFalse(self.broken("ui/pages/summary/summary_page.cpp", '"ui/pages/history/history_follower.h"'))
        self.assertFalse(self.broken("ui/pages/summary/summary_page.cpp", '"ui/pages/summary/loss_card.h"'))
        self.assertFalse(self.broken("ui/shell/main_window.cpp", '"ui/pages/runs/runs_page.h"'))
        self.assertFalse(self.broken("app/gui_main.cpp", '"ui/shell/main_window.h"'))
        self.assertTrue(self.broken("ui/pages/history/history_page.cpp", '"ui/pages/summary/summary_page.h"'))
        self.assertTrue(self.broken("ui/pages/start/start_page.cpp", '"ui/shell/frame/actions.h"'))
        self.assertTrue(self.broken("ui/navigator/navigator.cpp", '"ui/pages/page.h"'))
        self.assertTrue(self.broken("ui/widgets/button.cpp", '"ui/models/row_text.h"'))
        self.assertTrue(self.broken("ui/theme/theme.cpp", '"ui/text/plain_text.h"'))

    def test_a_room_without_a_row(self):
        self.assertTrue(self.broken("ui/attic/button.h", '"core/base/result.h"'))
        self.assertTrue(self.broken("ui/pages/attic/page.h", '"core/base/result.h"'))
        self.assertTrue(self.broken("core/jobs/attic/engine.h", '"core/base/result.h"'))
        self.assertTrue(self.broken("core/jobs/engine.h", '"core/base/result.h"'))

    def test_tables(self):
        text = "| room | contains | may include |\n| --- | --- | --- |\n| `a` | x | b |\n| `b` | y | |\n| `c` | z | everything above |\n\nMore."
        self.assertEqual(table_of(text, "core"), {"core/a": {"core/b"}, "core/b": set(), "core/c": {"core/a", "core/b"}})
        with self.assertRaises(ValueError):
            table_of(text.replace("| x | b |", "| x | d |"), "core")
        self.assertIsNone(cycle_in({"a": {"b"}, "b": set()}))
        self.assertIsNotNone(cycle_in({"a": {"b"}, "b": {"a"}}))

    def test_foreign_headers(self):
        self.assertTrue(self.broken("core/model/value.cpp", "<QString>"))
        self.assertTrue(self.broken("app/cli/ls.cpp", "<QtCore/QString>"))
        self.assertTrue(self.broken("core/compute/stats.cpp", "<torch/torch.h>"))
        self.assertFalse(self.broken("core/compute/torch/module.cpp", "<torch/torch.h>"))
        self.assertTrue(self.broken("ui/pages/summary/page.cpp", "<QChart>"))
        self.assertTrue(self.broken("core/io/folder.cpp", '"../base/error.h"'))


if __name__ == "__main__":
    unittest.main()
