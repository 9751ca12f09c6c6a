// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/value.h"
#include "core/runs/history/common/series_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::trainer_state {

/// One trainer_state.json, split into its log and the rest without complete parsing.
struct StateText {
    std::string text;          ///< followed by JsonRow::kPadding spaces
    std::size_t size = 0;      ///< of the file
    std::size_t rowsBegin = 0; ///< after the [ of log_history
    std::size_t rowsEnd = 0;   ///< after the last complete row
    bool hasLog = false;
    bool cutOff = false;         ///< the log or the document is truncated
    Value others;                ///< all other members that are settings; a Dict
    Number step;                 ///< `global_step`; 0 if not recorded
    std::vector<Notice> notices; ///< damage

    [[nodiscard]] std::string_view rows() const {
        return std::string_view(text).substr(rowsBegin, rowsEnd - rowsBegin);
    }
};

/// Never fails: the result contains the readable part, its notices the damage. `name`: for
/// messages.
StateText cutState(std::string text, const std::string& name);

/// Reads the rows into the table. Fails only with Cancelled; damaged rows are counted.
Result<std::size_t> readRows(const StateText& state, SeriesTable& table, const CancelToken& cancel);

} // namespace cairn::history::trainer_state
