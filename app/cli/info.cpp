// SPDX-License-Identifier: Apache-2.0
#include "app/cli/abilities_output.h"
#include "app/cli/json_output.h"
#include "app/cli/memory_output.h"
#include "app/cli/opened.h"
#include "app/cli/plain_value.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verb.h"
#include "app/cli/why_output.h"
#include "core/analysis/parameter_count.h"
#include "core/base/visible_text.h"
#include "core/formats/code_scan.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/jobs/bundle/model_health.h"
#include "core/model/saved_values.h"
#include "core/model/value_path.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/rank/headline.h"

#include <algorithm>
#include <cmath>

namespace cairn::cli::verb_info {
namespace {

struct Facts {
    Opened opened;
    Value values;
    std::vector<Notice> notices;
    Decided<bool> valuesSaved;
    RecordedTraining training;
    formats::CodeScan scan; ///< a quick scan; empty if there is no pickle
    std::vector<HeadlineNumber> headline;
    std::optional<FoundMemory> memory; ///< of a complete checkpoint
    std::vector<Ability> abilities;    ///< of a whole checkpoint whose values can be read
    std::vector<TrainerOffer> offers;  ///< with `why`
    std::optional<std::uint64_t> parameters;
};

Result<Facts> gather(const std::string& text, bool why, Session& session) {
    Facts facts;
    CAIRN_TRY(facts.opened, openPath(text, session.cancel));
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    CAIRN_TRY(const WeightValues weights,
              findWeightValues(facts.opened.checkpoint, session.cancel));
    facts.parameters = parameterCount(weights, facts.opened.tensors);
    facts.notices.assign(checkpoint.notices().begin(), checkpoint.notices().end());
    auto values = checkpoint.values(session.cancel);
    CAIRN_TRY(const SavedValues saved, savedValues(checkpoint, session.cancel));
    facts.valuesSaved = decideSaved(saved, checkpoint.path());
    for (const UnusableValue& value : saved.unusable) {
        const bool isNoted = std::ranges::any_of(checkpoint.notices(), [&](const Notice& notice) {
            return notice.error.code == ErrorCode::MissingShard &&
                   value.error.code == ErrorCode::MissingShard &&
                   notice.error.where.file == value.error.where.file;
        });
        if (isNoted) {
            continue; // the notice counts the values of the missing file
        }
        Error error = value.error;
        error.where.field = value.path.empty() ? error.where.field : value.path;
        facts.notices.push_back({Severity::Error, std::move(error)});
    }
    if (!values) {
        facts.values = Value();
    } else if (facts.opened.whole()) {
        facts.values = *values;
    } else if (const Value* part = valueAt(*values, facts.opened.member)) {
        facts.values = *part;
    }
    facts.training = recordedTraining(checkpoint, session.cancel);
    if (values) {
        facts.headline = headlineOf(checkpoint, *values, facts.training.position);
    }
    if (facts.opened.whole()) {
        facts.memory = findMemory(checkpoint);
        if (const auto abilities = abilitiesWithConfig(checkpoint, session.cancel)) {
            facts.abilities.assign(abilities->begin(), abilities->end());
        }
        if (why) {
            CAIRN_TRY(facts.offers, trainerOffers(facts.opened.checkpoint, session.cancel));
        }
    }
    CAIRN_TRY(facts.scan, formats::scanForCode(checkpoint, session.cancel));
    return facts;
}

void writeEpoch(JsonWriter& json, double epoch) {
    if (std::floor(epoch) == epoch && std::abs(epoch) < 9e15) {
        json.member("epoch", static_cast<std::int64_t>(epoch));
    } else {
        json.member("epoch", epoch);
    }
}

void writeHeadline(JsonWriter& json, const std::vector<HeadlineNumber>& headline) {
    json.key("headline");
    json.beginObject();
    for (const HeadlineNumber& number : headline) {
        json.member(number.name, number.value());
    }
    json.endObject();
    json.key("headline_from");
    json.beginObject();
    for (const HeadlineNumber& number : headline) {
        json.key(number.name);
        json.beginObject();
        writePlaceMembers(json, number.from());
        writeReasons(json, number.number);
        json.endObject();
    }
    json.endObject();
}

/// The explanations that need no other checkpoint of the run.
std::vector<Explanation> chainOf(const Facts& facts) {
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    std::vector<Explanation> chain;
    std::string position =
        facts.training.position.step ? "step " + std::to_string(*facts.training.position.step) : "";
    if (facts.training.position.epoch) {
        position +=
            (position.empty() ? "epoch " : ", epoch ") + numberText(*facts.training.position.epoch);
    }
    chain.push_back(
        {"what is its step",
         position.empty() ? Sentence("unknown: its values contain none") : verbatim(position),
         evidenceText(positionEvidence(facts.training, facts.opened.path), {})});
    std::string complete(completenessName(checkpoint.completeness()));
    for (const Sentence& reason : checkpoint.why()) {
        complete += (&reason == checkpoint.why().data() ? ": " : "; ") + reason.text();
    }
    chain.push_back(
        {"is it complete", verbatim(complete), sentence("the index of %1", facts.opened.path)});
    chain.push_back(explainValuesSaved(facts.valuesSaved));
    for (const HeadlineNumber& number : facts.headline) {
        chain.push_back({"what is its " + number.name, verbatim(figureText(number.value())),
                         evidenceText(number.number.because, number.number.against)});
    }
    return chain;
}

void writeJson(const Facts& facts, bool why, Session& session) {
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    JsonDocument document(session.out);
    document->member("path", facts.opened.path);
    if (!facts.opened.chosenFrom.empty()) {
        document->key("chosen_from");
        document->beginObject();
        document->member("path", facts.opened.chosenFrom);
        document->member("checkpoints", facts.opened.candidates);
        document->endObject();
    }
    document->member("format", checkpoint.format());
    if (!checkpoint.framework().empty()) {
        document->member("framework", checkpoint.framework());
    }
    document->member("complete", completenessName(checkpoint.completeness()));
    document->key("why");
    document->beginArray();
    for (const Sentence& reason : checkpoint.why()) {
        document->string(reason.text());
    }
    document->endArray();
    if (facts.training.position.step) {
        document->member("step", *facts.training.position.step);
    }
    if (facts.training.position.epoch) {
        writeEpoch(*document, *facts.training.position.epoch);
    }
    writeEvidence(*document, "because", positionEvidence(facts.training, facts.opened.path));
    if (checkpoint.data().worldSize) {
        document->member("world_size", *checkpoint.data().worldSize);
    }
    writeHeadline(*document, facts.headline);
    if (!facts.abilities.empty()) {
        document->key("abilities");
        writeAbilities(*document, facts.abilities);
    }
    if (!facts.offers.empty()) {
        document->key("trainers");
        writeOffers(*document, facts.offers);
    }
    if (why) {
        writeChain(*document, chainOf(facts));
    }
    document->key("values");
    if (facts.values.kind() == ValueKind::Null) {
        document->beginObject();
        document->endObject();
    } else {
        writeValue(*document, facts.values, checkpoint, session.cancel);
    }
    writeValuesSaved(*document, facts.valuesSaved);
    if (!formats::describeScan(facts.scan).empty()) {
        document->member("pickle", pickle::verdictName(facts.scan.verdict));
        document->member("pickle_says", formats::describeScan(facts.scan));
    }
    if (facts.parameters) {
        document->member("parameters", *facts.parameters);
    }
    writeTotals(*document, "totals", totalsOf(facts.opened));
    if (facts.memory) {
        writeMemory(*document, *facts.memory);
    }
    writeFiles(*document, "files", checkpoint);
    writeNotices(*document, "notices", facts.notices);
    document.finish();
}

void printText(const Facts& facts, bool why, Session& session) {
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    const Totals sums = totalsOf(facts.opened);
    printField(session, "path", facts.opened.path);
    if (!facts.opened.chosenFrom.empty()) {
        printField(session, "",
                   "the latest complete one of " + std::to_string(facts.opened.candidates) +
                       " in " + facts.opened.chosenFrom);
    }
    const FormatInfo* format = findFormat(checkpoint.format());
    printField(session, "format",
               format != nullptr ? std::string(format->title) : checkpoint.format());
    if (!checkpoint.framework().empty()) {
        printField(session, "framework", checkpoint.framework());
    }
    printField(session, "complete", completenessName(checkpoint.completeness()));
    for (const Sentence& reason : checkpoint.why()) {
        printField(session, "", reason.text());
    }
    if (const std::string text = formats::describeScan(facts.scan); !text.empty()) {
        printField(session, "pickle",
                   std::string(pickle::verdictName(facts.scan.verdict)) + ": " + text);
    }
    if (facts.training.position.step) {
        printField(session, "step", std::to_string(*facts.training.position.step));
    }
    if (facts.training.position.epoch) {
        printField(session, "epoch", numberText(*facts.training.position.epoch));
    }
    if (checkpoint.data().worldSize) {
        printField(session, "ranks", std::to_string(*checkpoint.data().worldSize));
    }
    for (const HeadlineNumber& number : facts.headline) {
        printField(session, number.name, figureText(number.value()));
    }
    printField(session, "tensors", std::to_string(sums.tensors) + ", " + formatBytes(sums.bytes));
    printField(session, "files",
               std::to_string(checkpoint.files().size()) + ", " + formatBytes(sums.storedBytes));
    for (const auto& [dtype, bytes] : sums.byDtype) {
        printField(session, "  " + std::string(dtypeName(dtype)), formatBytes(bytes));
    }
    if (facts.memory) {
        printMemory(session, *facts.memory, why || session.verbose);
    }
    printAbilities(session, facts.abilities);
    printOffers(session, facts.offers);
    if (why) {
        printChain(session, chainOf(facts));
    }
    printValues(session, facts.values, checkpoint, session.verbose ? 10'000 : 40);
    printNotices(session, facts.notices);
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Facts facts, gather(arguments.at(0), arguments.has("why"), session));
    if (session.json) {
        writeJson(facts, arguments.has("why"), session);
    } else {
        printText(facts, arguments.has("why"), session);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, a part of it (PATH#subtree), or a folder of "
                                        "several checkpoints: the latest complete one"}});
constexpr auto kOptions =
    std::to_array<Option>({{"--why", "",
                            "Show where each value and each verdict comes from, and the trainers "
                            "that can continue from it"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"info",
                 "Summarize a checkpoint: format, completeness, step, memory, values",
                 kPositionals,
                 kOptions,
                 {"cairn-cli info step-400", "cairn-cli info 'ckpt.pt#args' --json",
                  "cairn-cli info runs/llama-a --why"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_info
