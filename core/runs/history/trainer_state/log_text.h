// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/value.h"
#include "core/runs/history/common/series_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::trainer_state {

/// One trainer_state.json, cut into its log and everything else without being parsed.
struct StateText {
    std::string text;          ///< with JsonRow::kPadding blanks after
    std::size_t size = 0;      ///< of the file
    std::size_t rowsBegin = 0; ///< after the [ of log_history
    std::size_t rowsEnd = 0;   ///< after the last complete row
    bool hasLog = false;
    bool cutOff = false;         ///< the log or the document does not end
    Value others;                ///< every other member that is a setting; a Dict
    double step = 0;             ///< `global_step`; 0 when it is not recorded
    std::vector<Notice> notices; ///< damage

    [[nodiscard]] std::string_view rows() const {
        return std::string_view(text).substr(rowsBegin, rowsEnd - rowsBegin);
    }
};

/// Never fails: what could be made out is in the result, damage in its notices. `name`: for
/// messages.
StateText cutState(std::string text, const std::string& name);

/// Reads the rows into the table. Fails only with Cancelled; broken rows are counted.
Result<std::size_t> readRows(const StateText& state, SeriesTable& table, const CancelToken& cancel);

} // namespace cairn::history::trainer_state
