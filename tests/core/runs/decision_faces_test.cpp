// SPDX-License-Identifier: Apache-2.0
// The decisions about tests/data/decisions: the same in the core as in the other faces, whose tests
// compare with the same text.
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/table/examine.h"
#include "tests/support/decision_lines.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cairn {
namespace {

TEST(DecisionFaces, OfTheCore) {
    const std::filesystem::path sources = CAIRN_SOURCE_DIR;
    for (int round = 0; round < 2; ++round) { // the second time from the cache
        auto experiment = scanExperiment(sources / "tests/data/decisions/runs");
        ASSERT_TRUE(experiment);
        ASSERT_TRUE(examineExperiment(*experiment, {}, {}));
        EXPECT_EQ(test::decisionLines(*experiment), test::expectedDecisions(sources));
    }
}

} // namespace
} // namespace cairn
