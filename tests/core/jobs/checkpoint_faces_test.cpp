// SPDX-License-Identifier: Apache-2.0
// What is decided about the checkpoints in tests/data/decisions: the same in the core as in the
// other faces, whose tests compare with the same text.
#include "core/analysis/abilities.h"
#include "core/formats/code_scan.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/jobs/bundle/model_health.h"
#include "tests/support/checkpoint_lines.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(CheckpointFaces, OfTheCore) {
    const std::filesystem::path sources = CAIRN_SOURCE_DIR;
    std::string text;
    for (const std::filesystem::path& path : test::decidedCheckpoints(sources)) {
        const auto opened = openCheckpoint(Location(path));
        ASSERT_TRUE(opened) << path;
        const auto weights = findWeightValues(*opened, {});
        const auto health = checkWithConfig(**opened, {});
        const auto abilities = abilitiesOf(**opened);
        const auto scan = formats::scanForCode(**opened);
        ASSERT_TRUE(weights && health && abilities && scan) << path;
        std::vector<std::string> roles;
        for (const TensorEntry& tensor : (*opened)->tensors()) {
            roles.emplace_back(roleName(tensor.role));
        }
        std::vector<std::string> quantised;
        for (const auto& [index, tensor] : weights->tensors()) {
            quantised.push_back(std::string(quantisedKindName(tensor.kind)) + " of " +
                                std::string(tensor.layout));
        }
        std::vector<std::string> findings;
        for (const Notice& finding : health->findings) {
            findings.push_back(std::string(severityName(finding.severity)) + " " +
                               std::string(errorName(finding.error.code)));
        }
        const Ability& serve = abilities->at(static_cast<std::size_t>(AbilityId::Serve));
        text += path.filename().string() +
                " whole=" + std::string(completenessName((*opened)->completeness())) +
                " roles=" + test::countsOf(roles) + " quantised=" + test::countsOf(quantised) +
                " loader=" + std::string(verdictName(health->verdict)) +
                " findings=" + test::countsOf(findings) + " serve=" + verdictOf(serve).text() +
                " pickle=" + std::string(pickle::verdictName(scan->verdict)) + "\n";
    }
    EXPECT_EQ(text, test::expectedCheckpoints(sources));
}

} // namespace
} // namespace cairn
