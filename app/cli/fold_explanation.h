// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "core/base/result.h"

/// `diff BASE MERGED --explain-adapter ADAPTER`: whether the difference is what folding gives.
namespace cairn::cli {

inline constexpr Option kExplainAdapterOption{
    "--explain-adapter", "PATH[=SCALE]",
    "Instead: whether the difference from A to B is what folding this adapter (PEFT's LoRA) into A "
    "gives, tensor by tensor; repeatable, in order; exit code 1 if it is not",
    '\n'};

/// Fails with InvalidArgument if an option of the other comparison is used, too.
Result<int> explainAdapters(const Arguments& arguments, Session& session);

} // namespace cairn::cli
