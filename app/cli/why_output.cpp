// SPDX-License-Identifier: Apache-2.0
#include "app/cli/why_output.h"

#include "app/cli/history_groups.h"
#include "app/cli/text_table.h"

namespace cairn::cli {

void writePlace(JsonWriter& json, const Place& place) {
    json.beginObject();
    writePlaceMembers(json, place);
    json.endObject();
}

void writePlaceMembers(JsonWriter& json, const Place& place) {
    json.member("file", place.file.string());
    if (place.step) {
        json.key("step");
        writeExact(json, *place.step, Numbers::Steps);
    }
    if (place.row) {
        json.member("row", *place.row);
    }
    if (!place.field.empty()) {
        json.member("field", place.field);
    }
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
        writePlace(json, each.where);
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
