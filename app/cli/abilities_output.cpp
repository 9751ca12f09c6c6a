// SPDX-License-Identifier: Apache-2.0
#include "app/cli/abilities_output.h"

#include "app/cli/text_table.h"
#include "core/base/visible_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

void writeOffers(JsonWriter& json, std::span<const TrainerOffer> offers) {
    json.beginArray();
    for (const TrainerOffer& offer : offers) {
        json.beginObject();
        json.member("trainer", offer.trainer->id);
        json.member("can", offer.can);
        json.member("force", offer.onlyByForce);
        if (!offer.why.empty()) {
            json.member("why", offer.why);
        }
        json.endObject();
    }
    json.endArray();
}

void printOffers(Session& session, std::span<const TrainerOffer> offers) {
    std::vector<std::pair<std::string, std::string>> lines; // the answer, and for which trainers
    for (const TrainerOffer& offer : offers) {
        const std::string answer = !offer.can          ? "no: " + offer.why.text()
                                   : offer.onlyByForce ? "only with --force: " + offer.why.text()
                                                       : "yes";
        const auto known =
            std::ranges::find(lines, answer, &std::pair<std::string, std::string>::first);
        if (known == lines.end()) {
            lines.emplace_back(answer, offer.trainer->id);
        } else {
            known->second += ", " + std::string(offer.trainer->id);
        }
    }
    for (const auto& [answer, trainers] : lines) {
        printField(session, &answer == &lines.front().first ? "trainers" : "",
                   trainers + ": " + answer);
    }
}

} // namespace cairn::cli
