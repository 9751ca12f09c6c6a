// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_table_bytes.h"

#include "core/base/stored_sentence.h"
#include "core/runs/compare/compare.h"
#include "core/runs/facts/index_bytes.h"
#include "core/runs/history/history.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>

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

void putPlace(IndexWriter& out, const Place& place, const fs::path& root) {
    out.put(place.file.empty() ? std::string() : below(place.file, root));
    out.putOptional(place.step ? std::optional(place.step->nearest) : std::nullopt);
    out.put(place.step ? place.step->rest : std::int16_t{0});
    out.putOptional(place.row);
    out.put(place.field);
}
Place getPlace(IndexReader& in, const fs::path& root) {
    Place place;
    place.file = above(in.getText(), root);
    const auto step = in.getOptional<double>();
    const auto rest = in.get<std::int16_t>();
    place.step = step ? std::optional(Number(*step, rest)) : std::nullopt;
    place.row = in.getOptional<std::uint64_t>();
    place.field = in.getText();
    return place;
}

/// The id of a rule is compared as text and lives as long as the program.
std::string_view storedId(std::string id) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> ids;
    const std::scoped_lock lock(mutex);
    return *ids.insert(std::move(id)).first;
}

void putEvidence(IndexWriter& out, const std::vector<Evidence>& all, const fs::path& root) {
    out.put(std::uint64_t{all.size()});
    for (const Evidence& each : all) {
        out.put(static_cast<std::uint8_t>(each.strength));
        out.put(each.id);
        out.put(storedTogether(each.says));
        putPlace(out, each.where, root);
    }
}
std::vector<Evidence> getEvidence(IndexReader& in, const fs::path& root) {
    std::vector<Evidence> all;
    const std::size_t count = in.getCount(16);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        Evidence each;
        each.strength = static_cast<Strength>(
            in.getBelow(static_cast<std::uint8_t>(Strength::Proven) + std::uint8_t{1}));
        each.id = storedId(in.getText());
        each.says = restoredSentence(in.getText());
        each.where = getPlace(in, root);
        all.push_back(std::move(each));
    }
    return all;
}

void putMetric(IndexWriter& out, const Decided<std::string>& metric, const fs::path& root) {
    out.put(metric.value.value_or(std::string()));
    putEvidence(out, metric.because, root);
    putEvidence(out, metric.against, root);
}
Decided<std::string> getMetric(IndexReader& in, const fs::path& root) {
    Decided<std::string> metric;
    std::string name = in.getText();
    metric.because = getEvidence(in, root);
    metric.against = getEvidence(in, root);
    if (!name.empty() && !metric.because.empty()) {
        metric.value = std::move(name);
    }
    return metric;
}

void putDirection(IndexWriter& out, const Decided<names::Direction>& direction,
                  const fs::path& root) {
    out.put(static_cast<std::uint8_t>(direction.value.value_or(names::Direction::Unknown)));
    putEvidence(out, direction.because, root);
    putEvidence(out, direction.against, root);
}
names::Direction getBetter(IndexReader& in) {
    return static_cast<names::Direction>(
        in.getBelow(static_cast<std::uint8_t>(names::Direction::Larger) + std::uint8_t{1}));
}
Decided<names::Direction> getDirection(IndexReader& in, const fs::path& root) {
    Decided<names::Direction> direction;
    const names::Direction better = getBetter(in);
    direction.because = getEvidence(in, root);
    direction.against = getEvidence(in, root);
    if (better != names::Direction::Unknown && !direction.because.empty()) {
        direction.value = better;
    }
    return direction;
}

/// Plain values only: RowSetting contains no others.
void putValue(IndexWriter& out, const Value& value) {
    const ValueKind kind = value.kind();
    out.put(static_cast<std::uint8_t>(kind));
    switch (kind) {
    case ValueKind::Bool:
        out.put(static_cast<std::uint8_t>(*value.asBool()));
        break;
    case ValueKind::Int:
        out.put(*value.asInt());
        break;
    case ValueKind::Float:
        out.put(*value.asFloat());
        break;
    case ValueKind::BigInt:
        out.put(value.asBigInt()->digits);
        break;
    case ValueKind::Null:
    case ValueKind::List:
    case ValueKind::Tuple:
    case ValueKind::Set:
        break;
    case ValueKind::Dict:
    case ValueKind::Object:
        out.put(value.asNode()->className);
        break;
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::Tensor:
        out.put(settingText(value));
        break;
    }
}

Value getValue(IndexReader& in) {
    const auto kind = static_cast<ValueKind>(
        in.getBelow(static_cast<std::uint8_t>(ValueKind::Object) + std::uint8_t{1}));
    switch (kind) {
    case ValueKind::Bool:
        return in.getBool();
    case ValueKind::Int:
        return in.get<std::int64_t>();
    case ValueKind::Float:
        return in.get<double>();
    case ValueKind::BigInt:
        return BigInt{in.getText()};
    case ValueKind::Null:
        return {};
    case ValueKind::List:
    case ValueKind::Tuple:
    case ValueKind::Set:
    case ValueKind::Dict:
    case ValueKind::Object: {
        ValueNode node;
        node.kind = kind;
        const bool isKeyed = kind == ValueKind::Dict || kind == ValueKind::Object;
        node.className = isKeyed ? in.getText() : std::string();
        return Value::container(std::move(node));
    }
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::Tensor:
        break;
    }
    return in.getText();
}

void putFacts(IndexWriter& out, const RunRow& row) {
    out.put(std::uint64_t{row.settings.size()});
    for (const RowSetting& setting : row.settings) {
        out.put(setting.key);
        putValue(out, setting.value);
        out.put(static_cast<std::uint8_t>(setting.disputed));
    }
    out.put(static_cast<std::uint8_t>(row.settingsCut));
    out.put(std::uint64_t{row.goals.size()});
    for (const MetricGoal& goal : row.goals) {
        out.put(goal.name);
        out.put(static_cast<std::uint8_t>(goal.better));
        out.put(static_cast<std::uint8_t>(goal.isTarget));
    }
    out.putOptional(row.lastStep);
    out.putOptional(row.firstWall);
    out.putOptional(row.lastWall);
    out.put(row.outline.metric);
    out.putArray(std::span<const float>(row.outline.values));
}

void getFacts(IndexReader& in, RunRow& row) {
    const std::size_t settings = in.getCount(10);
    for (std::size_t i = 0; i < settings && in.good(); ++i) {
        RowSetting setting;
        setting.key = in.getText();
        setting.value = getValue(in);
        setting.disputed = in.getBool();
        row.settings.push_back(std::move(setting));
    }
    row.settingsCut = in.getBool();
    const std::size_t goals = in.getCount(10);
    for (std::size_t i = 0; i < goals && in.good(); ++i) {
        MetricGoal goal;
        goal.name = in.getText();
        goal.better = getBetter(in);
        goal.isTarget = in.getBool();
        row.goals.push_back(std::move(goal));
    }
    row.lastStep = in.getOptional<std::int64_t>();
    row.firstWall = in.getOptional<double>();
    row.lastWall = in.getOptional<double>();
    row.outline.metric = in.getText();
    row.outline.values = in.getArray<float>();
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
    row.scores.headline = getMetric(in, root);
    row.scores.direction = getDirection(in, root);
    row.scores.source = above(in.getText(), root);
    const std::size_t scores = in.getCount(16);
    for (std::size_t i = 0; i < scores && in.good(); ++i) {
        RunScores::Score score{above(in.getText(), root), in.get<double>(), {}};
        if (in.getBool()) {
            score.from = getPlace(in, root);
        }
        row.scores.values.push_back(std::move(score));
    }
    row.scores.because = getEvidence(in, root);
    row.scores.against = getEvidence(in, root);
    row.scores.undecidedMetric = in.getText();
    getFacts(in, row);
    return row;
}

} // namespace

std::string cacheEntryOf(const Experiment& experiment) {
    std::error_code error;
    const fs::path whole = fs::canonical(experiment.path, error);
    std::string name =
        "runs with exact numbers:" + (error ? experiment.path : whole).string() + "\n";
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
        putMetric(out, row.scores.headline, root);
        putDirection(out, row.scores.direction, root);
        out.put(row.scores.source.empty() ? std::string() : below(row.scores.source, root));
        out.put(std::uint64_t{row.scores.values.size()});
        for (const RunScores::Score& score : row.scores.values) {
            out.put(below(score.path, root));
            out.put(score.value);
            out.put(static_cast<std::uint8_t>(score.from.has_value()));
            if (score.from) {
                putPlace(out, *score.from, root);
            }
        }
        putEvidence(out, row.scores.because, root);
        putEvidence(out, row.scores.against, root);
        out.put(row.scores.undecidedMetric);
        putFacts(out, row);
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
