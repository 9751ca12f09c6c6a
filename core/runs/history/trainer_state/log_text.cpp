// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/trainer_state/log_text.h"

#include "core/model/names/metric_words.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/json_settings.h"

#include <cmath>

namespace cairn::history::trainer_state {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kCheckEvery = 4096; ///< rows between checks of the cancel token

std::size_t skipBlank(std::string_view text, std::size_t at) {
    const std::size_t next = text.find_first_not_of(kBlank, at);
    return next == std::string_view::npos ? text.size() : next;
}

/// Walks over the rows after the [ ; returns the end of the last complete row and the end of the
/// list, npos if it is truncated.
std::pair<std::size_t, std::size_t> rowsIn(std::string_view text, std::size_t begin) {
    std::size_t last = begin;
    for (std::size_t at = skipBlank(text, begin); at < text.size(); at = skipBlank(text, at)) {
        if (text[at] == ']') {
            return {last, at + 1};
        }
        if (text[at] == ',') {
            ++at;
            continue;
        }
        const std::size_t end = endOfJsonValue(text, at);
        if (end == std::string_view::npos || end == at) {
            break;
        }
        at = last = end;
    }
    return {last, std::string_view::npos};
}

/// The start of the value of a member of the outermost object; npos if there is none.
std::size_t findMember(std::string_view text, std::string_view wanted) {
    std::size_t at = skipBlank(text, text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (at >= text.size() || text[at] != '{') {
        return std::string_view::npos;
    }
    for (at = skipBlank(text, at + 1); at < text.size() && text[at] == '"';) {
        const std::size_t keyEnd = endOfJsonValue(text, at);
        if (keyEnd == std::string_view::npos) {
            break;
        }
        const std::string_view key = text.substr(at + 1, keyEnd - at - 2);
        at = skipBlank(text, keyEnd);
        if (at >= text.size() || text[at] != ':') {
            break;
        }
        at = skipBlank(text, at + 1);
        if (key == wanted) {
            return at;
        }
        at = endOfJsonValue(text, at);
        if (at == std::string_view::npos) {
            break;
        }
        at = skipBlank(text, at);
        at = at < text.size() && text[at] == ',' ? skipBlank(text, at + 1) : text.size();
    }
    return std::string_view::npos;
}

void readOthers(StateText& state, const std::string& document, const std::string& name) {
    JsonOptions options;
    options.maxDepth = 200;
    const auto json = parseJson(document, name, options);
    if (!json || !json->asObject()) {
        if (!state.cutOff) {
            Error error = json ? fail(ErrorCode::JsonSyntax, "Not a trainer state") : json.error();
            error.where.offset.reset(); // it counts in a shortened text
            state.notices.push_back({Severity::Warning, std::move(error).inFile(name)});
        }
        return;
    }
    std::vector<ValueItem> items;
    const Value whole = valueOf(*json);
    for (const ValueItem& item : whole.items()) {
        const std::string& key = *item.key.asString();
        if (key == "global_step") {
            const std::int64_t* exact = item.value.asInt();
            state.step =
                exact != nullptr ? Number(*exact) : Number(numberOf(item.value).value_or(0));
        }
        if (!names::namesResult(key)) {
            items.push_back(item);
        }
    }
    state.others = Value::dict(std::move(items));
}

} // namespace

StateText cutState(std::string text, const std::string& name) {
    StateText state;
    state.size = text.size();
    state.text = std::move(text);
    const std::string_view all(state.text);
    const std::size_t log = findMember(all, "log_history");
    std::string document(all);
    if (log < all.size() && all[log] == '[') {
        state.hasLog = true;
        state.rowsBegin = log + 1;
        const auto [last, end] = rowsIn(all, log + 1);
        state.rowsEnd = last;
        state.cutOff = end == std::string_view::npos;
        document = std::string(all.substr(0, log)) + "[]" +
                   (state.cutOff ? "}" : std::string(all.substr(end)));
    }
    readOthers(state, document, name);
    if (state.hasLog && !state.cutOff && state.others.kind() == ValueKind::Null) {
        state.cutOff = true; // members before the log are still useful
        readOthers(state, std::string(all.substr(0, log)) + "[]}", name);
    } else if (state.cutOff) {
        state.notices.push_back(
            {Severity::Warning, fail(ErrorCode::Truncated,
                                     "The trainer state is truncated; the complete rows are shown")
                                    .inFile(name)
                                    .at(state.rowsEnd)});
    }
    state.text.append(JsonRow::kPadding, ' ');
    return state;
}

Result<std::size_t> readRows(const StateText& state, SeriesTable& table,
                             const CancelToken& cancel) {
    JsonRow row;
    std::vector<std::size_t> hints; // by position in the row: names occur in the same order
    std::size_t broken = 0;
    std::size_t count = 0;
    const std::string_view text = std::string_view(state.text).substr(0, state.rowsEnd);
    for (std::size_t at = state.rowsBegin; at < text.size() && !table.full();) {
        at = text.find_first_not_of(" \t\r\n,", at);
        if (at == std::string_view::npos) {
            break;
        }
        if (count++ % kCheckEvery == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const std::size_t end = endOfJsonValue(text, at);
        RowPlace place{kNothing, kNothing, kNothing};
        if (end == std::string_view::npos) {
            break;
        }
        if (!row.parse(text.substr(at, end - at))) {
            ++broken;
            at = end;
            continue;
        }
        at = end;
        for (const JsonNumber& number : row.numbers()) {
            if (number.name == "step") {
                place.step = {number.value, number.rest};
            }
            place.epoch = number.name == "epoch" ? number.value : place.epoch;
        }
        if (place.step.isNothing()) {
            ++broken;
            continue;
        }
        hints.resize(std::max(hints.size(), row.numbers().size()), 0);
        for (std::size_t i = 0; i < row.numbers().size(); ++i) {
            const JsonNumber& number = row.numbers()[i];
            if (number.name != "step" && number.name != "epoch") {
                hints[i] = table.columnNear(number.name, hints[i]);
                table.add(hints[i], place, {number.value, number.rest});
            }
        }
    }
    return broken;
}

} // namespace cairn::history::trainer_state
