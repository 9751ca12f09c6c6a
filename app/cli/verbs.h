// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

/// Every verb, each defined in the file of its name.
namespace cairn::cli {

extern const Verb kFormatsVerb;
extern const Verb kLsVerb;
extern const Verb kInfoVerb;
extern const Verb kTreeVerb;
extern const Verb kPlacementVerb;
extern const Verb kShowVerb;
extern const Verb kHashVerb;
extern const Verb kStatsVerb;
extern const Verb kDiffVerb;
extern const Verb kCheckVerb;
extern const Verb kVerifyVerb;
extern const Verb kScanVerb;
extern const Verb kPlanVerb;
extern const Verb kConsolidateVerb;
extern const Verb kReshardVerb;
extern const Verb kExportVerb;
extern const Verb kCastVerb;
extern const Verb kRenameVerb;
extern const Verb kEditVerb;
extern const Verb kAverageVerb;
extern const Verb kPackVerb;
extern const Verb kUnpackVerb;
extern const Verb kJobVerb;
extern const Verb kRunsVerb;
extern const Verb kHistoryVerb;
extern const Verb kCompareVerb;
extern const Verb kPruneVerb;
extern const Verb kSampleVerb;

} // namespace cairn::cli
