// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/history.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Neptune's queue of operations: what a run would have after they are uploaded. Private to this
/// folder. Not thread-safe.
namespace cairn::history::neptune {

class Operations {
public:
    /// Adds the lines of one file; damage becomes a notice. Fails: Cancelled.
    Result<void> add(const ByteSourcePtr& source, const CancelToken& cancel);
    [[nodiscard]] bool full() const { return m_points >= SeriesTable::kMaxPoints; }
    /// The run's name; empty: none was assigned so far.
    [[nodiscard]] const std::string& runName() const { return m_name; }
    /// Moves series, settings and notices into a part.
    HistoryPart finish();

private:
    struct Curve {
        SeriesTable points;
        Number last = -1; ///< step
    };
    /// A value, or a group of settings.
    struct Setting {
        std::string key;
        Value value = {};
        std::vector<Setting> members = {};
    };

    bool addLine(std::string_view line, const std::string& file);
    bool apply(const JsonValue& operation);
    void noteVersion(std::uint64_t version);
    bool addFloats(const std::string& name, const JsonValue& operation);
    void assign(std::span<const JsonValue> path, Value value);
    static Value settingsOf(const std::vector<Setting>& members);

    std::map<std::string, Curve, std::less<>> m_curves;
    Setting m_settings;
    std::string m_name;
    std::size_t m_points = 0;
    std::uint64_t m_version = 0; ///< of the last operation
    std::uint64_t m_missing = 0;
    std::uint64_t m_bytes = 0;
    std::vector<Notice> m_notices;
};

} // namespace cairn::history::neptune
