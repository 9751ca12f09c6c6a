// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/table/run_grid.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// ASCII letters in lower case.
std::string lowerCase(std::string_view text);

/// Fills a RunGrid. Used by its constructor.
class RunGridBuilder {
public:
    explicit RunGridBuilder(RunGrid& grid) : m_grid(grid) {}
    void build(std::span<const GridSource> sources);

private:
    using Given = std::vector<std::pair<std::uint32_t, const RowSetting*>>; ///< row and setting

    void addRow(const GridSource& source, std::uint32_t sourceIndex, std::size_t run,
                const std::string& prefix);
    void addSettings(const RunRow& row, std::uint32_t at);
    void finishSettings();
    std::uint32_t metricNamed(const std::string& name);
    void addMetrics(const RunRow* row);
    void addCheckpointNumbers(const ScannedRun& run, std::uint32_t at);
    void agree(std::uint32_t metric, names::Direction better);
    void agreeOnDirections(std::uint32_t list, const RunRow* row);
    void finishMetrics(const std::map<std::string, std::size_t>& rankingMetrics);

    RunGrid& m_grid;
    std::vector<Given> m_given; ///< of each setting
    std::map<std::pair<const void*, std::size_t>, std::uint32_t> m_lists;
    std::vector<bool> m_agreedByName; ///< of each list: a run without goals was considered
    std::vector<std::optional<names::Direction>> m_agreed; ///< of each metric
};

} // namespace cairn
