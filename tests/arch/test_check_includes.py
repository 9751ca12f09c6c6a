# SPDX-License-Identifier: Apache-2.0
"""Tests that the include check can fail."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_includes import violations_in  # noqa: E402


class Arrows(unittest.TestCase):
    def broken(self, path, include):
        return list(violations_in(path, f"#pragma once\n#include {include}\n"))

    def test_arrows_that_are_there(self):
        self.assertFalse(self.broken("core/io/folder.cpp", '"core/base/result.h"'))
        self.assertFalse(self.broken("core/formats/dcp/reader.cpp", '"core/formats/common/torch_objects.h"'))
        self.assertFalse(self.broken("ui/shell/main_window.cpp", '"core/jobs/job_queue.h"'))
        self.assertFalse(self.broken("app/cli/ls.cpp", '"core/io/folder.h"'))

    def test_arrows_that_are_not(self):
        self.assertTrue(self.broken("core/base/error.cpp", '"core/io/folder.h"'))
        self.assertTrue(self.broken("core/codec/zip/zip.cpp", '"core/model/value.h"'))
        self.assertTrue(self.broken("core/formats/dcp/reader.cpp", '"core/formats/torch/reader.h"'))
        self.assertTrue(self.broken("core/model/value.cpp", '"core/formats/format.h"'))
        self.assertTrue(self.broken("ui/shell/main_window.cpp", '"core/io/folder.h"'))
        self.assertTrue(self.broken("ui/shell/main_window.cpp", '"core/formats/dcp/index.h"'))
        self.assertTrue(self.broken("core/jobs/engine.cpp", '"ui/shell/main_window.h"'))

    def test_foreign_headers(self):
        self.assertTrue(self.broken("core/model/value.cpp", "<QString>"))
        self.assertTrue(self.broken("app/cli/ls.cpp", "<QtCore/QString>"))
        self.assertTrue(self.broken("core/compute/stats.cpp", "<torch/torch.h>"))
        self.assertFalse(self.broken("core/compute/torch/module.cpp", "<torch/torch.h>"))
        self.assertTrue(self.broken("ui/pages/summary/page.cpp", "<QChart>"))
        self.assertTrue(self.broken("core/io/folder.cpp", '"../base/error.h"'))


if __name__ == "__main__":
    unittest.main()
