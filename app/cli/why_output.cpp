// SPDX-License-Identifier: Apache-2.0
#include "app/cli/why_output.h"

#include "app/cli/text_table.h"

#include <cmath>
#include <cstdint>

namespace cairn::cli {

void writeNumberFrom(JsonWriter& json, const NumberFrom& from) {
    json.beginObject();
    json.member("file", from.file.string());
    if (from.step && std::floor(*from.step) == *from.step && std::abs(*from.step) < 9e15) {
        json.member("step", static_cast<std::int64_t>(*from.step));
    } else if (from.step) {
        json.member("step", *from.step);
    }
    if (from.row) {
        json.member("row", *from.row);
    }
    if (!from.field.empty()) {
        json.member("field", from.field);
    }
    json.endObject();
}

void writeEvidence(JsonWriter& json, std::string_view key, const std::vector<Evidence>& evidence) {
    json.key(key);
    json.beginArray();
    for (const Evidence& each : evidence) {
        json.beginObject();
        json.member("strength", strengthName(each.strength));
        json.member("id", each.id);
        json.member("says", each.says);
        json.key("where");
        writeNumberFrom(json, {each.where.file, each.where.step, each.where.row, each.where.field});
        json.endObject();
    }
    json.endArray();
}

void writeValuesSaved(JsonWriter& json, const Decided<bool>& decided) {
    json.key("values_saved");
    json.beginObject();
    json.key("value");
    if (decided.value) {
        json.boolean(*decided.value);
    } else {
        json.null();
    }
    writeEvidence(json, "because", decided.because);
    writeEvidence(json, "against", decided.against);
    json.endObject();
}

Explanation explainValuesSaved(const Decided<bool>& decided) {
    Explanation why{"are its values what was saved", "no values", ""};
    if (decided.value) {
        why.answer = !*decided.value                       ? Sentence("no")
                     : decided.isAtLeast(Strength::Proven) ? Sentence("yes")
                                                           : "not checked";
        why.from = decided.because.front().says;
    }
    return why;
}

void writeChain(JsonWriter& json, const std::vector<Explanation>& chain) {
    json.key("chain");
    json.beginArray();
    for (const Explanation& why : chain) {
        json.beginObject();
        json.member("question", why.question);
        json.member("answer", why.answer);
        json.memberOrNull("from", why.from);
        json.endObject();
    }
    json.endArray();
}

void printChain(Session& session, const std::vector<Explanation>& chain) {
    TextTable table({{"QUESTION"}, {"ANSWER"}, {"FROM"}});
    for (const Explanation& why : chain) {
        table.add({why.question, why.answer.text(), why.from.text()});
    }
    table.print(session);
}

} // namespace cairn::cli
