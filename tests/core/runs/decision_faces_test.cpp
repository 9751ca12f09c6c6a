// SPDX-License-Identifier: Apache-2.0
// The decisions about tests/data/decisions: the same in the core as in the other faces, whose tests
// compare with the same text.
#include "core/formats/format.h"
#include "core/model/saved_values.h"
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

TEST(DecisionFaces, OfSavedValues) {
    const std::filesystem::path sources = CAIRN_SOURCE_DIR;
    std::string text;
    for (const char* name : test::kSavedValues) {
        const auto path = sources / "tests/data/decisions/values" / name;
        const auto checkpoint = openCheckpoint(Location(path));
        ASSERT_TRUE(checkpoint) << name;
        const auto saved = savedValues(**checkpoint);
        ASSERT_TRUE(saved) << name;
        text += test::savedLine(name, decideSaved(*saved, path));
    }
    EXPECT_EQ(text, test::expectedSaved(sources));
}

} // namespace
} // namespace cairn
