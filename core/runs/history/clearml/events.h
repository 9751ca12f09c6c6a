// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <string>
#include <string_view>

/// The files of a session. Private to this folder.
namespace cairn::history::clearml {

/// A line of metrics.jsonl begins with a list of events.
bool isEvents(std::string_view head);

/// Reads metrics.jsonl. Fails: Cancelled.
Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel);

/// What task.json records.
struct Task {
    std::string name;
    Value settings; ///< null: none
};
/// Fails with the errors of parseJson().
Result<Task> taskOf(std::string_view json, std::string_view file);

} // namespace cairn::history::clearml
