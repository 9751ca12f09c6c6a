// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/names/framework_source.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/families/config/model_part.h"
#include "core/families/names/framework.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/plan/consolidate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn {
namespace {

/// config.json as text.
Sidecar configFile(const FrameworkConversion& conversion) {
    nlohmann::ordered_json json;
    for (const ConfigField& field : conversion.config) {
        const std::size_t dot = field.name.find('.');
        nlohmann::ordered_json& place =
            dot == std::string::npos ? json[field.name]
                                     : json[field.name.substr(0, dot)][field.name.substr(dot + 1)];
        std::visit([&](const auto& value) { place = value; }, field.value);
    }
    if (const auto named = json.find("architectures"); named != json.end()) {
        *named = nlohmann::ordered_json::array({*named}); // a list, whatever else is in the config
    }
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    const auto bytes = asBytes(text);
    return {"config.json", "", {bytes.begin(), bytes.end()}};
}

PlanDecision configDecision(const FrameworkConversion& conversion) {
    Sentence fields;
    for (const ConfigField& field : conversion.config) {
        const Sentence one = sentence("%1 from %2", field.name, field.from);
        fields = fields.empty() ? one : sentence("%1, %2", fields, one);
    }
    Sentence why = "No config was found; the checkpoint records the model's settings";
    if (conversion.paddedVocabulary) {
        why = sentence(
            "%1%2", why,
            ". They do not contain the size of the vocabulary before padding, so that all rows "
            "are kept");
    }
    return {DecisionId::ConfigMade, fields, why};
}

constexpr std::int64_t kMostTokens = std::int64_t{1} << 31U;

std::optional<JsonValue> tokenizerFile(std::span<const Sidecar> sidecars, std::string_view name) {
    const auto found = std::ranges::find(sidecars, name, &Sidecar::name);
    if (found == sidecars.end()) {
        return std::nullopt;
    }
    auto document = parseJson(asText(found->bytes), name);
    return document ? std::optional(std::move(*document)) : std::nullopt;
}

void takeId(std::int64_t& size, const JsonValue* id) {
    const auto number = id != nullptr ? id->asInteger() : Result<std::int64_t>(-1);
    if (number && *number >= 0 && *number < kMostTokens) {
        size = std::max(size, *number + 1);
    }
}

/// {"token": id, …}
void takeIds(std::int64_t& size, const JsonValue* object) {
    for (const JsonMember& member :
         object != nullptr ? object->members() : std::span<const JsonMember>()) {
        takeId(size, &member.value);
    }
}

/// The number of ids that a tokenizer among these files uses: one more than its largest id, with
/// those of added tokens. Empty if there is no tokenizer.json or vocab.json, or it cannot be read.
/// Formats: tokenizer.json of the library tokenizers (BPE, WordPiece, WordLevel: an object;
/// Unigram: a list), vocab.json and added_tokens.json of transformers' slow tokenizers.
std::optional<std::int64_t> vocabularySize(std::span<const Sidecar> sidecars) {
    std::int64_t size = 0;
    if (const auto tokenizer = tokenizerFile(sidecars, "tokenizer.json")) {
        const JsonValue* model = tokenizer->find("model");
        const JsonValue* vocabulary = model != nullptr ? model->find("vocab") : nullptr;
        takeIds(size, vocabulary);
        if (vocabulary != nullptr) {
            size = std::max(size, static_cast<std::int64_t>(vocabulary->elements().size()));
        }
        const JsonValue* added = tokenizer->find("added_tokens");
        for (const JsonValue& token :
             size > 0 && added != nullptr ? added->elements() : std::span<const JsonValue>()) {
            takeId(size, token.find("id"));
        }
    } else if (const auto plain = tokenizerFile(sidecars, "vocab.json")) {
        takeIds(size, &*plain);
        const auto added = tokenizerFile(sidecars, "added_tokens.json");
        takeIds(size, added && size > 0 ? &*added : nullptr);
    }
    return size > 0 ? std::optional(size) : std::nullopt;
}

/// A padded vocabulary is cut to that of the config, which must not lack words of the tokenizer.
Result<void> checkWords(const NameInput& input) {
    const auto words = vocabularySize(input.sidecars);
    const auto rows = input.config != nullptr ? input.config->integer("vocab_size") : std::nullopt;
    if (!words || !rows || *words <= *rows || input.request.force) {
        return {};
    }
    for (const TensorIndex index : input.chosen) {
        const TensorEntry& tensor = input.source->tensor(index);
        if (tensor.shape.size() == 2 && tensor.shape[0] >= *words &&
            modelPart(tensor.name) == ModelPart::Embedding) {
            return fail(ErrorCode::BadSlice, "The config's vocabulary is smaller than that of the "
                                             "tokenizer, so that rows of words would be lost")
                .inTensor(tensor.name)
                .butFound(sentence("%1, vocab_size %2", formatDims(tensor.shape), *rows))
                .expecting(sentence("vocab_size %1 as in the tokenizer", *words))
                .withHint("Set vocab_size in the config, or --force drops them");
        }
    }
    return {};
}

/// What is computed of the slices of a model.
std::shared_ptr<const ComputedSource> sumsOver(const CheckpointPtr& base,
                                               const Converted& converted) {
    auto sums = std::make_shared<ComputedSource>();
    sums->source = converted.checkpoint;
    for (const SummedTensor& sum : converted.summed) {
        ElementRecipe recipe;
        recipe.termSum = sum.isMean ? TermSum::StepwiseMean : TermSum::Stepwise;
        for (const TensorIndex part : sum.parts) {
            recipe.terms.push_back({base, part, 1});
        }
        sums->recipes.emplace(sum.tensor, std::move(recipe));
    }
    return sums;
}

PlanDecision slicesDecision(const FrameworkConversion& conversion) {
    return {DecisionId::SlicesJoined,
            sentence("%1 joined, %2 added up or averaged",
                     counting(conversion.slices, "tensor-parallel slice"),
                     counting(conversion.summed, "tensor")),
            "Norms are averaged and biases of summed outputs added up in the order of the ranks, "
            "each result rounded to their dtype, as the framework's own converter does"};
}

} // namespace

void addPrefix(ConvertedSource& made, const std::string& prefix, Sentence why) {
    if (!prefix.empty()) {
        made.decisions.push_back({DecisionId::PrefixDropped,
                                  sentence("'%1' dropped", prefix.substr(0, prefix.size() - 1)),
                                  std::move(why)});
    }
}

Result<std::optional<ConvertedSource>> fromFramework(const NameInput& input, const Value* values) {
    std::shared_ptr<const ComputedSource> slices;
    const auto sums = [&](const CheckpointPtr& base, const Converted& converted) {
        slices = sumsOver(base, converted);
        return withComputed(slices, input.code);
    };
    const auto settings = [&](std::string_view name) -> std::optional<ModelConfig> {
        if (const auto file = sidecarFields(input.sidecars, name)) {
            return file;
        }
        const Value* found = values != nullptr ? values->find(name) : nullptr;
        return found != nullptr ? std::optional(ModelConfig::of(*found)) : std::nullopt;
    };
    CAIRN_TRY(const auto conversion,
              convertFramework({input.source, input.named, input.config, input.request.family,
                                vocabularySize(input.sidecars), sums},
                               settings));
    if (!conversion) {
        return std::nullopt;
    }
    CAIRN_CHECK(checkWords(input));
    ConvertedSource made;
    made.checkpoint = conversion->made.checkpoint;
    made.slices = std::move(slices);
    if (conversion->slices > 1) {
        made.decisions.push_back(slicesDecision(*conversion));
    } else {
        addPrefix(made, conversion->prefix);
    }
    made.decisions.push_back(
        {DecisionId::NamesFromFramework,
         sentence("%1 to %2: %3", conversion->framework->title, conversion->family->family,
                  countsOf(conversion->made)),
         input.request.family.empty()
             ? Sentence("The family follows from the tensors and the config; --family "
                        "names another, --names keep leaves the names as they are")
             : "As requested by --family"});
    made.checklist.push_back(
        {CheckId::RowOrder, false,
         sentence("That rotary pairs, gate and up are in the order of %1 is not visible in the "
                  "weights; compare logits, or --explain-adapter beside the base",
                  conversion->framework->title),
         false});
    if (input.config == nullptr) {
        made.decisions.push_back(configDecision(*conversion));
        made.config = configFile(*conversion);
    }
    return made;
}

} // namespace cairn
