// SPDX-License-Identifier: Apache-2.0
// What is decided about the checkpoints in tests/data/decisions: the same in the core as in the
// other faces, whose tests compare with the same text.
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
        const auto abilities = abilitiesWithConfig(**opened);
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

bool isOfModel(const Notice& finding) {
    return finding.severity != Severity::Info && (finding.error.code == ErrorCode::TensorNotFound ||
                                                  finding.error.code == ErrorCode::BadSlice);
}

/// What reading the elements finds, which `info` does not do.
bool isOfValues(const Notice& finding) {
    return finding.error.code == ErrorCode::NonFinite ||
           finding.error.code == ErrorCode::ZeroFilled ||
           finding.error.code == ErrorCode::BadChecksum || !finding.error.where.tensor.empty();
}

TEST(CheckpointFaces, ServeFollowsTheFindings) {
    std::size_t compared = 0;
    std::size_t served = 0;
    std::size_t refused = 0;
    std::vector<std::filesystem::path> paths =
        test::decidedCheckpoints(std::filesystem::path(CAIRN_SOURCE_DIR));
    for (const auto& format : std::filesystem::directory_iterator(
             std::filesystem::path(CAIRN_SOURCE_DIR) / "tests/data")) {
        for (const auto& each : std::filesystem::directory_iterator(format)) {
            paths.push_back(each.path());
        }
    }
    for (const std::filesystem::path& path : paths) {
        const auto opened = openCheckpoint(Location(path));
        const auto health = opened ? checkWithConfig(**opened, {}) : fail(ErrorCode::NotFound, "");
        const auto abilities =
            opened ? abilitiesWithConfig(**opened) : fail(ErrorCode::NotFound, "");
        if (!health || !abilities) {
            continue; // not a checkpoint
        }
        ++compared;
        const Ability& serve = abilities->at(static_cast<std::size_t>(AbilityId::Serve));
        served += serve.can ? 1 : 0;
        for (const Notice& finding : health->findings) {
            const bool left = !serve.lost.empty() && finding.severity == Severity::Warning;
            if (isOfModel(finding) && !left) {
                EXPECT_FALSE(serve.can) << path << finding.error.message.text();
                refused += serve.can ? 0 : 1;
            }
            if (finding.severity == Severity::Error && !isOfValues(finding)) {
                EXPECT_FALSE(serve.can) << path << finding.error.message.text();
            }
        }
        if (serve.loader == LoaderAnswer::Undecided) {
            EXPECT_EQ(verdictOf(serve).text(), "unknown") << path;
            EXPECT_NE(health->verdict, HealthVerdict::Healthy) << path;
        }
        if (serve.can && serve.loader != LoaderAnswer::Unknown) {
            EXPECT_TRUE(std::ranges::none_of(health->findings, [](const Notice& each) {
                return each.severity == Severity::Error && isOfModel(each);
            })) << path;
        }
    }
    EXPECT_GT(compared, 100U);
    EXPECT_GT(served, 50U);
    EXPECT_GE(refused, 2U);
}

} // namespace
} // namespace cairn
