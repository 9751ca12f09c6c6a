// SPDX-License-Identifier: Apache-2.0
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/number_text.h"
#include "core/runs/history/common/row_roles.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/common/whole_file.h"

#include <cmath>

namespace cairn::history::keras_json {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxValues = 40'000'000;

/// {"name": [number
bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder || !candidate.name.ends_with(".json")) {
        return false;
    }
    std::string_view text(reinterpret_cast<const char*>(candidate.head.data()),
                          candidate.head.size());
    const auto expect = [&](char c) {
        text = trimmedText(text);
        const bool there = text.starts_with(c);
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    if (!expect('{') || !expect('"')) {
        return false;
    }
    const std::size_t quote = text.find('"');
    if (quote == std::string_view::npos || text.substr(0, quote).find('\\') != std::string_view::npos) {
        return false;
    }
    text.remove_prefix(quote + 1);
    if (!expect(':') || !expect('[')) {
        return false;
    }
    text = trimmedText(text);
    const std::size_t end = text.find_first_of(",]");
    return end != std::string_view::npos && text.find_first_of("\"{[") > end &&
           numberOfText(text.substr(0, end));
}

class Lists {
public:
    /// The members of one object: those that place points, then the others.
    void take(const JsonValue& object, bool inner) {
        for (const JsonMember& member : object.members()) {
            const ColumnRole role = roleOfName(member.key).role;
            if (role != ColumnRole::Metric && member.value.kind() == JsonKind::Array) {
                const std::vector<double> numbers = numbersOf(member.value);
                if (role == ColumnRole::Step) {
                    m_steps = numbers;
                } else if (role == ColumnRole::Epoch) {
                    m_epochs = numbers;
                }
            }
        }
        for (const JsonMember& member : object.members()) {
            if (member.value.kind() == JsonKind::Array) {
                takeList(member.key, member.value);
            } else if (member.value.kind() == JsonKind::Object && !inner) {
                take(member.value, true);
            } else {
                ++m_others;
            }
        }
    }

    HistoryPart finish() {
        HistoryPart part;
        part.warnings = m_table.notices();
        part.series = m_table.take();
        if (m_others > 0) {
            part.warnings.push_back({Severity::Info, fail(ErrorCode::HistoryBadRow,
                                                          "Values that are no numbers were left out")
                                                         .butFound(std::to_string(m_others) + " values")});
        }
        return part;
    }

private:
    static std::vector<double> numbersOf(const JsonValue& list) {
        std::vector<double> numbers;
        for (const JsonValue& element : list.elements()) {
            numbers.push_back(element.asReal().value_or(kNothing));
        }
        return numbers;
    }

    void takeList(const std::string& name, const JsonValue& list) {
        const ColumnRole role = roleOfName(name).role;
        if (role == ColumnRole::Step || role == ColumnRole::Epoch) {
            return;
        }
        const std::size_t count = list.elements().size();
        const std::size_t column = m_table.column(name);
        const std::vector<double>& places = m_steps.size() == count ? m_steps : m_epochs;
        for (std::size_t i = 0; i < count && !m_table.full(); ++i) {
            const auto number = list.elements()[i].asReal();
            if (!number) {
                ++m_others;
                continue;
            }
            RowPlace place{static_cast<double>(i), kNothing, kNothing};
            place.step = places.size() == count && !std::isnan(places[i]) ? places[i] : place.step;
            place.epoch = m_epochs.size() == count ? m_epochs[i] : kNothing;
            m_table.add(column, place, *number);
        }
    }

    SeriesTable m_table;
    std::vector<double> m_steps;
    std::vector<double> m_epochs;
    std::size_t m_others = 0;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const std::string text,
              readWholeFile(*candidate.folder, candidate.name, kMaxBytes, cancel));
    JsonOptions options;
    options.maxDepth = 32;
    options.maxValues = kMaxValues;
    CAIRN_TRY(const JsonValue document, parseJson(text, candidate.path.string(), options));
    CAIRN_CHECK(cancel.check());
    Lists lists;
    lists.take(document, false);
    HistoryPart part = lists.finish();
    part.bytes = text.size();
    return part;
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"keras_json", "Keras history", recognises, read};

} // namespace cairn::history::keras_json
