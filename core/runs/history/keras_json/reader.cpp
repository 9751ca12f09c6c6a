// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/row_roles.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/common/whole_file.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::history::keras_json {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxValues = 10'000'000;
constexpr auto kLogWords =
    std::to_array<std::string_view>({"history", "metric", "log", "loss", "result", "curve"});

Result<JsonValue> parse(std::string_view text, const std::string& name) {
    JsonOptions options;
    options.maxDepth = 32;
    options.maxValues = kMaxValues;
    return parseJson(text, name, options);
}

bool isNumberList(const JsonValue& value) {
    return value.kind() == JsonKind::Array && !value.elements().empty() &&
           std::ranges::all_of(value.elements(), [](const JsonValue& element) {
               return element.asReal().has_value();
           });
}

/// Most members are lists of numbers; a configuration only has a few of them.
bool mostlyNumberLists(const JsonValue& document) {
    const auto members = document.members();
    const auto lists = std::ranges::count_if(
        members, [](const JsonMember& member) { return isNumberList(member.value); });
    return 2 * static_cast<std::size_t>(lists) > members.size();
}

bool mayBe(std::string_view name) {
    return name.ends_with(".json");
}

/// {"name": [number …
bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder || !mayBe(candidate.name)) {
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
    if (quote == std::string_view::npos ||
        text.substr(0, quote).find('\\') != std::string_view::npos) {
        return false;
    }
    text.remove_prefix(quote + 1);
    if (!expect(':') || !expect('[')) {
        return false;
    }
    text = trimmedText(text);
    const std::size_t end = text.find_first_of(",]");
    if (end == std::string_view::npos || text.find_first_of("\"{[") < end ||
        !numberOfText(text.substr(0, end))) {
        return false;
    }
    if (candidate.size > candidate.head.size() ||
        std::ranges::any_of(kLogWords, [&](std::string_view word) {
            return candidate.name.find(word) != std::string::npos;
        })) {
        return true;
    }
    const auto document =
        parse({reinterpret_cast<const char*>(candidate.head.data()), candidate.head.size()},
              candidate.name);
    return document && mostlyNumberLists(*document);
}

/// The document up to its last complete number, with open containers closed; empty if there is
/// none.
std::string closed(std::string_view text) {
    text = text.substr(0, text.find_last_of(','));
    std::string open;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size() && open.size() < 32; ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            open += c == '{' ? '}' : ']';
        } else if ((c == '}' || c == ']') && !open.empty()) {
            open.pop_back();
        }
    }
    return std::string(text) + std::string(open.rbegin(), open.rend());
}

class Lists {
public:
    enum class Level : std::uint8_t { Top, Inner };
    /// The members of one object: first those that contain positions, then the others.
    void take(const JsonValue& object, Level level) {
        for (const JsonMember& member : object.members()) {
            const ColumnRole role = roleOfName(member.key).role;
            if (member.value.kind() == JsonKind::Array) {
                m_longest = std::max(m_longest, member.value.elements().size());
            }
            if (role != ColumnRole::Metric && member.value.kind() == JsonKind::Array) {
                const std::vector<Number> numbers = numbersOf(member.value);
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
            } else if (member.value.kind() == JsonKind::Object && level == Level::Top) {
                take(member.value, Level::Inner);
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
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::HistoryBadRow, "Values that are not numbers were skipped")
                     .butFound(sentence("%1 values", m_others))});
        }
        if (m_lengthsDiffer) {
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::HistoryNoStep, "The lists have different lengths; points without "
                                                "epochs are numbered from 0")});
        }
        return part;
    }

private:
    static std::vector<Number> numbersOf(const JsonValue& list) {
        std::vector<Number> numbers;
        for (const JsonValue& element : list.elements()) {
            numbers.push_back(element.asNumber().value_or(kNothing));
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
        m_lengthsDiffer = m_lengthsDiffer || (m_count && *m_count != count);
        m_count = count;
        const std::vector<Number>& places = m_steps.size() == count ? m_steps : m_epochs;
        for (std::size_t i = 0; i < count && !m_table.full(); ++i) {
            const auto number = list.elements()[i].asNumber();
            if (!number) {
                ++m_others;
                continue;
            }
            RowPlace place{i, kNothing, kNothing};
            place.epoch = m_epochs.size() == count ? m_epochs[i].nearest : kNothing;
            if (places.size() == count && !places[i].isNothing()) {
                place.step = places[i];
                place.stepFrom = m_steps.size() == count ? StepsFrom::Source : StepsFrom::Epoch;
            } else if (count == m_longest) { // one number per epoch
                place.stepFrom = StepsFrom::Epoch;
                place.epoch = static_cast<double>(i);
            } else {
                place.stepFrom = StepsFrom::Count;
            }
            m_table.add(column, place, *number);
        }
    }

    SeriesTable m_table;
    std::vector<Number> m_steps;
    std::vector<Number> m_epochs;
    std::optional<std::size_t> m_count; ///< length of the last list
    std::size_t m_longest = 0;          ///< length of the longest list: the number of epochs
    bool m_lengthsDiffer = false;       ///< lists of different lengths
    std::size_t m_others = 0;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const std::string text,
              readCompleteFile(*candidate.folder, candidate.name, kMaxBytes, cancel));
    auto document = parse(text, candidate.path.string());
    const bool cutOff = !document && document.error().code == ErrorCode::JsonSyntax;
    if (cutOff) {
        Error error = document.error();
        document = parse(closed(text), candidate.path.string());
        if (!document) {
            return error;
        }
    }
    CAIRN_TRY(const JsonValue whole, std::move(document));
    CAIRN_CHECK(cancel.check());
    Lists lists;
    lists.take(whole, Lists::Level::Top);
    HistoryPart part = lists.finish();
    if (cutOff) {
        part.warnings.push_back(
            {Severity::Warning,
             fail(ErrorCode::Truncated, "The history is truncated; the complete part is shown")
                 .at(text.size())});
    }
    part.bytes = text.size();
    return part;
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"keras_json", "Keras history", mayBe, recognises, read};

} // namespace cairn::history::keras_json
