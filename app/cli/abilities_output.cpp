// SPDX-License-Identifier: Apache-2.0
#include "app/cli/abilities_output.h"

#include "app/cli/text_table.h"
#include "core/base/visible_text.h"

#include <string>

namespace cairn::cli {
namespace {

std::string_view labelOf(AbilityId id) {
    switch (id) {
    case AbilityId::Serve:
        return "serve";
    case AbilityId::Resume:
        return "resume";
    case AbilityId::ResumeElsewhere:
        return "elsewhere";
    case AbilityId::Weights:
        break;
    }
    return "weights";
}

} // namespace

void writeLosses(JsonWriter& json, std::span<const TrainingLoss> losses) {
    json.beginArray();
    for (const TrainingLoss& loss : losses) {
        json.beginObject();
        json.member("id", lossName(loss.id));
        json.member("what", loss.what);
        json.member("why", loss.why);
        json.endObject();
    }
    json.endArray();
}

void writeAbilities(JsonWriter& json, std::span<const Ability> abilities) {
    json.beginObject();
    for (const Ability& ability : abilities) {
        json.key(abilityName(ability.id));
        json.beginObject();
        json.member("can", ability.can);
        json.member("verdict", verdictOf(ability));
        json.key("why");
        json.beginArray();
        for (const Sentence& reason : ability.why) {
            json.string(reason.text());
        }
        json.endArray();
        json.key("lost");
        writeLosses(json, ability.lost);
        json.endObject();
    }
    json.endObject();
}

void printAbilities(Session& session, std::span<const Ability> abilities) {
    for (const Ability& ability : abilities) {
        std::string line = verdictOf(ability).text();
        for (const Sentence& reason : ability.why) {
            line += (&reason == ability.why.data() ? ": " : ", ") + reason.text();
        }
        printField(session, labelOf(ability.id), line);
        for (const TrainingLoss& loss : ability.lost) {
            printField(session, "", "without " + loss.what.text() + ": " + loss.why.text());
        }
    }
}

} // namespace cairn::cli
