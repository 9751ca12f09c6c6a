// SPDX-License-Identifier: Apache-2.0
//
// One source for all trainer states of a run; see README.md for which of them counts.
#include "core/runs/history/common/whole_file.h"
#include "core/runs/history/trainer_state/log_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>

namespace cairn::history::trainer_state {
namespace {

constexpr std::string_view kFile = "trainer_state.json";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMaxOlderBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxOlder = 500;
constexpr std::size_t kMaxProbed = 64; ///< checkpoints to examine before giving up

/// The N of "checkpoint-N".
std::optional<std::uint64_t> checkpointNumber(std::string_view name) {
    constexpr std::string_view kPrefix = "checkpoint-";
    std::uint64_t number = 0;
    if (!name.starts_with(kPrefix)) {
        return std::nullopt;
    }
    name.remove_prefix(kPrefix.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = error == std::errc() && end == name.data() + name.size();
    return whole ? std::optional(number) : std::nullopt;
}

/// Paths of states in the run's folder, newest first: its own, then those of its checkpoints.
std::vector<std::string> statesIn(const HistoryCandidate& candidate) {
    std::vector<std::string> names;
    if (candidate.hasEntry(kFile)) {
        names.emplace_back(kFile);
    }
    for (auto entry = candidate.entries.rbegin(); entry != candidate.entries.rend(); ++entry) {
        if (entry->kind == EntryKind::Folder && checkpointNumber(entry->name)) {
            names.push_back(entry->name + "/" + std::string(kFile));
        }
    }
    return names;
}

bool mayBe(std::string_view name) {
    return name == kFile;
}

bool recognises(const HistoryCandidate& candidate) {
    if (!candidate.isFolder) {
        return mayBe(candidate.name);
    }
    const auto self = candidate.openSelf();
    if (!self) {
        return false;
    }
    const std::vector<std::string> names = statesIn(candidate);
    const auto end =
        names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxProbed));
    return std::any_of(names.begin(), end,
                       [&](const std::string& name) { return (*self)->hasFile(name); });
}

struct Named {
    std::string name; ///< relative to the candidate
    std::int64_t modifiedNs = 0;
    StateText state;
};

/// Reads the states, newest first, within the limits.
class Collector {
public:
    Collector(const Folder& folder, std::string shown, const CancelToken& cancel)
        : m_folder(folder), m_shown(std::move(shown)), m_cancel(cancel) {}

    Result<void> collect(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            if (m_states.size() > kMaxOlder || m_olderBytes > kMaxOlderBytes) {
                note(fail(ErrorCode::LimitExceeded, "Some older trainer states were not examined"));
                break;
            }
            auto text = readCompleteFile(m_folder, name, kMaxBytes, m_cancel);
            if (!text && text.error().code == ErrorCode::Cancelled) {
                return std::move(text).error();
            }
            if (!text && text.error().code != ErrorCode::NotFound) {
                note(std::move(text).error());
            }
            if (text) {
                m_bytes += text->size();
                m_olderBytes += m_states.empty() ? 0 : text->size();
                add(name, std::move(*text));
            }
        }
        return {};
    }

    Result<HistoryPart> finish() {
        if (m_states.empty()) {
            if (!m_notices.empty()) {
                return m_notices.front().error;
            }
            return fail(ErrorCode::NotFound, "No trainer state").inFile(m_shown);
        }
        std::ranges::stable_sort(m_states, [](const Named& a, const Named& b) {
            return std::pair(a.modifiedNs, a.state.step) < std::pair(b.modifiedNs, b.state.step);
        });
        SeriesTable table;
        for (const Named& each : m_states) {
            CAIRN_CHECK(addTo(table, each));
        }
        HistoryPart part;
        const std::vector<Notice> limits = table.notices();
        part.series = table.take();
        const Named& newest = *std::ranges::max_element(
            m_states, {}, [](const Named& each) { return each.state.step; });
        part.settings = newest.state.others;
        part.bytes = m_bytes;
        part.path = std::filesystem::path(m_shown) / newest.name;
        for (const Named& each : m_states) {
            m_notices.insert(m_notices.end(), each.state.notices.begin(), each.state.notices.end());
        }
        m_notices.insert(m_notices.end(), limits.begin(), limits.end());
        part.warnings = std::move(m_notices);
        return part;
    }

private:
    void note(Error error, Severity severity = Severity::Warning) {
        m_notices.push_back({severity, std::move(error)});
    }
    void noteBroken(std::size_t broken, const std::string& name) {
        if (broken > 0) {
            note(fail(ErrorCode::HistoryBadRow, "Entries of the log that are not rows were skipped")
                     .inFile(shown(name))
                     .butFound(sentence("%1 rows", broken)));
        }
    }
    [[nodiscard]] std::string shown(const std::string& name) const {
        return (std::filesystem::path(m_shown) / name).string();
    }

    void add(const std::string& name, std::string text) {
        const auto file = m_folder.openFile(name);
        Named named{name, file ? (*file)->identity().mtimeNs : 0,
                    cutState(std::move(text), shown(name))};
        // If the newest list begins with this one, only its header is kept.
        if (!m_states.empty() && m_states.front().state.rows().starts_with(named.state.rows()) &&
            m_states.front().state.step >= named.state.step) {
            named.state.rowsBegin = named.state.rowsEnd = 0;
            named.state.text = {};
        }
        m_states.push_back(std::move(named));
    }

    /// Adds the new rows of a list: a list repeats the rows before the checkpoint from which its
    /// training was resumed, which were not logged again.
    Result<void> addTo(SeriesTable& table, const Named& named) {
        SeriesTable own;
        CAIRN_TRY(const std::size_t broken, readRows(named.state, own, m_cancel));
        noteBroken(broken, named.name);
        for (const MetricSeries& series : own.take()) {
            auto& known = m_logged[series.name];
            const std::size_t column = table.column(series.name);
            for (std::size_t i = 0; i < series.size(); ++i) {
                const Number value = series.valueAt(i);
                const auto [logged, isNew] = known.emplace(series.stepAt(i), value);
                if (isNew || !same(logged->second, value)) {
                    logged->second = value;
                    table.add(column,
                              {.step = series.stepAt(i),
                               .epoch = series.epochs.empty() ? kNothing : series.epochs[i],
                               .key = "global_step"}, // each row's "step" is a copy of it
                              value);
                }
            }
        }
        return {};
    }

    static bool same(const Number& a, const Number& b) {
        return a == b || (a.isNothing() && b.isNothing());
    }
    struct Hash {
        std::size_t operator()(const Number& number) const {
            return std::hash<double>()(number.nearest);
        }
    };

    const Folder& m_folder;
    std::string m_shown;
    const CancelToken& m_cancel;
    std::vector<Named> m_states;
    /// Contents of the lists read so far, by metric and step.
    std::map<std::string, std::unordered_map<Number, Number, Hash>> m_logged;
    std::vector<Notice> m_notices;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_olderBytes = 0;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    FolderPtr folder = candidate.folder;
    std::vector<std::string> names{candidate.name};
    std::filesystem::path shown = candidate.path.parent_path();
    if (candidate.isFolder) {
        CAIRN_TRY(folder, candidate.openSelf());
        names = statesIn(candidate);
        shown = candidate.path;
    }
    Collector collector(*folder, shown.string(), cancel);
    CAIRN_CHECK(collector.collect(names));
    return collector.finish();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"trainer_state", "Hugging Face trainer state", mayBe, recognises, read};

} // namespace cairn::history::trainer_state
