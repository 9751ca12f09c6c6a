// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs.h"

namespace cairn::cli {

std::span<const Verb* const> allVerbs() {
    static constexpr std::array kVerbs = {
        // clang-format off
        &kFormatsVerb,
        &kLsVerb,
        &kInfoVerb,
        &kTreeVerb,
        &kPlacementVerb,
        &kShowVerb,
        &kHashVerb,
        &kStatsVerb,
        &kDiffVerb,
        &kCheckVerb,
        &kScanVerb,
        &kVerifyVerb,
        &kPlanVerb,
        &kConsolidateVerb,
        &kReshardVerb,
        &kExportVerb,
        &kCastVerb,
        &kRenameVerb,
        &kEditVerb,
        &kAverageVerb,
        &kPackVerb,
        &kUnpackVerb,
        &kJobVerb,
        &kRunsVerb,
        &kHistoryVerb,
        &kCompareVerb,
        &kPruneVerb,
        &kSampleVerb,
        // clang-format on
    };
    return kVerbs;
}

int exitCode(const Error& error) {
    switch (exitClass(error.code)) {
    case ExitClass::Failed:
        return 1;
    case ExitClass::Usage:
        return 2;
    case ExitClass::Input:
        return 3;
    case ExitClass::Output:
        return 4;
    case ExitClass::Refused:
        return 5;
    case ExitClass::Interrupted:
        return 130;
    }
    return 1;
}

} // namespace cairn::cli
