// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run_table_bytes.h"

#include "core/runs/history/history.h"
#include "core/runs/index_bytes.h"

#include <algorithm>

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Paths are relative to the experiment, which may be opened under several names.
std::string below(const fs::path& path, const fs::path& root) {
    const fs::path relative = path.lexically_relative(root);
    return relative.empty() ? path.string() : relative.string();
}
fs::path above(const std::string& below, const fs::path& root) {
    return below.empty() ? fs::path() : root / below; // absolute paths stay unchanged
}

void putFrom(IndexWriter& out, const std::optional<NumberFrom>& from, const fs::path& root) {
    out.put(static_cast<std::uint8_t>(from.has_value()));
    const NumberFrom place = from.value_or(NumberFrom());
    out.put(place.file.empty() ? std::string() : below(place.file, root));
    out.putOptional(place.step);
    out.putOptional(place.row);
    out.put(place.field);
}
std::optional<NumberFrom> getFrom(IndexReader& in, const fs::path& root) {
    const bool known = in.getBool();
    NumberFrom place{above(in.getText(), root), in.getOptional<double>(),
                     in.getOptional<std::uint64_t>(), in.getText()};
    return known ? std::optional(std::move(place)) : std::nullopt;
}

RunRow getRow(IndexReader& in,
              const std::vector<std::shared_ptr<const std::vector<std::string>>>& lists,
              const fs::path& root, bool& good) {
    RunRow row;
    row.id = in.getText();
    row.stamp = in.get<IndexStamp>();
    const std::size_t sources = in.getCount(24);
    for (std::size_t i = 0; i < sources && in.good(); ++i) {
        RunSource source;
        source.kind = in.getText();
        source.path = above(in.getText(), root);
        source.bytes = in.get<std::uint64_t>();
        source.metrics = in.getArray<std::uint32_t>();
        row.sources.push_back(std::move(source));
    }
    const auto list = in.get<std::uint64_t>();
    row.cells = in.getArray<MetricCell>();
    good = good && list < lists.size() && lists[list]->size() == row.cells.size();
    row.names = good ? lists[list] : nullptr;
    const auto within = [&](std::uint32_t metric) { return metric < row.cells.size(); };
    for (const RunSource& source : row.sources) {
        good = good && std::ranges::all_of(source.metrics, within);
    }
    row.scores.metric = in.getText();
    row.scores.source = above(in.getText(), root);
    row.scores.largerIsBetter = in.getBool();
    const std::size_t scores = in.getCount(16);
    for (std::size_t i = 0; i < scores && in.good(); ++i) {
        RunScores::Score score{above(in.getText(), root), in.get<double>(), {}};
        score.from = getFrom(in, root);
        row.scores.values.push_back(std::move(score));
    }
    return row;
}

} // namespace

std::string shelfOf(const Experiment& experiment) {
    std::error_code error;
    const fs::path whole = fs::canonical(experiment.path, error);
    std::string name = "joined runs:" + (error ? experiment.path : whole).string() + "\n";
    for (const HistoryReader* reader : historyReaders()) {
        name += std::string(reader->id) + " ";
    }
    return name;
}

std::vector<std::byte> packed(const RunTable& table, const fs::path& root) {
    IndexWriter out;
    std::map<const std::vector<std::string>*, std::uint64_t> lists;
    std::vector<const std::vector<std::string>*> order;
    for (const RunRow& row : table.rows) {
        if (lists.emplace(row.names.get(), order.size()).second) {
            order.push_back(row.names.get());
        }
    }
    out.put(std::uint64_t{order.size()});
    for (const auto* names : order) {
        out.put(std::uint64_t{names->size()});
        for (const std::string& name : *names) {
            out.put(name);
        }
    }
    out.put(std::uint64_t{table.rows.size()});
    for (const RunRow& row : table.rows) {
        out.put(row.id);
        out.put(row.stamp);
        out.put(std::uint64_t{row.sources.size()});
        for (const RunSource& source : row.sources) {
            out.put(source.kind);
            out.put(below(source.path, root));
            out.put(source.bytes);
            out.putArray(std::span<const std::uint32_t>(source.metrics));
        }
        out.put(lists.at(row.names.get()));
        out.putArray(std::span<const MetricCell>(row.cells));
        out.put(row.scores.metric);
        out.put(row.scores.source.empty() ? std::string() : below(row.scores.source, root));
        out.put(static_cast<std::uint8_t>(row.scores.largerIsBetter));
        out.put(std::uint64_t{row.scores.values.size()});
        for (const RunScores::Score& score : row.scores.values) {
            out.put(below(score.path, root));
            out.put(score.value);
            putFrom(out, score.from, root);
        }
    }
    return out.bytes();
}

std::map<std::string, RunRow> unpacked(std::span<const std::byte> bytes, const fs::path& root) {
    IndexReader in(bytes);
    std::vector<std::shared_ptr<const std::vector<std::string>>> lists;
    const std::size_t listCount = in.getCount(8);
    for (std::size_t i = 0; i < listCount && in.good(); ++i) {
        std::vector<std::string> names;
        const std::size_t count = in.getCount(8);
        for (std::size_t n = 0; n < count && in.good(); ++n) {
            names.push_back(in.getText());
        }
        lists.push_back(std::make_shared<const std::vector<std::string>>(std::move(names)));
    }
    std::map<std::string, RunRow> rows;
    bool good = true;
    const std::size_t count = in.getCount(64);
    for (std::size_t i = 0; i < count && in.good() && good; ++i) {
        RunRow row = getRow(in, lists, root, good);
        rows.emplace(row.id, std::move(row));
    }
    return good && in.whole() ? std::move(rows) : std::map<std::string, RunRow>();
}

} // namespace cairn
