// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/runs/rank/why.h"

#include <string_view>
#include <vector>

/// Sources of numbers and decisions; shared by `info` and `runs`.
namespace cairn::cli {

/// {file, step?, row?, field?}.
void writePlace(JsonWriter& json, const Place& place);

/// The members of writePlace() in an object that is open.
void writePlaceMembers(JsonWriter& json, const Place& place);

/// `values_saved: {value: true|false|null, because: […], against: […]}`: decideSaved().
void writeValuesSaved(JsonWriter& json, const Decided<bool>& decided);

/// `KEY: [{strength, id, says, where: {file, step?, row?, field?}}]`.
void writeEvidence(JsonWriter& json, std::string_view key, const std::vector<Evidence>& evidence);

/// `because: [...], against: [...]` of a decision, as writeEvidence().
template <class T> void writeReasons(JsonWriter& json, const Decided<T>& decided) {
    writeEvidence(json, "because", decided.because);
    writeEvidence(json, "against", decided.against);
}

/// `chain: [{question, answer, from}]`.
void writeChain(JsonWriter& json, const std::vector<Explanation>& chain);
void printChain(Session& session, const std::vector<Explanation>& chain);

} // namespace cairn::cli
