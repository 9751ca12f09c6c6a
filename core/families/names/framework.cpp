// SPDX-License-Identifier: Apache-2.0
//
// A model goes through three recipes, each of which knows the names that the one before gives: the
// forms that a framework has for a tensor become one (common), these become the names of the
// library (rules), and single families change a few of them (variants). The opposite direction
// undoes the last two.
#include "core/families/names/framework.h"

#include "core/families/config/words.h"
#include "core/families/names/framework_config.h"
#include "core/families/names/framework_names.h"
#include "core/families/names/inverse.h"
#include "core/families/names/model_check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

Error inHead(Error error, std::string_view title) {
    error.message = sentence("%1%2", error.message, sentence(" (%1)", title));
    return error;
}

bool fits(const FamilyRow& row, std::span<const NamedTensor> tensors) {
    return row.patterns == "-" ||
           std::ranges::all_of(wordsOf(row.patterns), [&](std::string_view pattern) {
               return anyMatches(tensors, pattern);
           });
}

Error unknownFamily(const Framework& framework, std::string_view wanted) {
    std::string known;
    for (const FamilyRow& row : framework.families) {
        known += (known.empty() ? "" : ", ") + std::string(row.family);
    }
    return fail(ErrorCode::Unsupported,
                sentence("The names of this model family cannot be converted from or to %1",
                         framework.title))
        .butFound(verbatim(std::string(wanted)))
        .expecting(verbatim(known))
        .withHint("--family names one of these; --names keep leaves the names as they are");
}

/// The family that the user or the config names, or that the tensors show.
Result<const FamilyRow*> familyOf(const Framework& framework, std::span<const NamedTensor> tensors,
                                  std::string_view wanted) {
    for (const FamilyRow& row : framework.families) {
        if (wanted.empty() && row.patterns != "-" && fits(row, tensors)) {
            return &row;
        }
        if (wanted.empty() || row.family != wanted) {
            continue;
        }
        if (!fits(row, tensors)) {
            return inHead(fail(ErrorCode::Unsupported,
                               sentence("The tensors are not those of the model family %1", wanted))
                              .expecting(verbatim(std::string(row.patterns)))
                              .withHint("--family names another family; --like FOLDER takes "
                                        "another config"),
                          framework.title);
        }
        return &row;
    }
    return unknownFamily(framework, wanted);
}

Error noSettings(const Framework& framework) {
    return fail(ErrorCode::NotFound,
                "The checkpoint does not contain the model's settings, which its conversion needs")
        .inField(std::string(framework.settings))
        .withHint("--like FOLDER takes the config from a Hugging Face folder; --names keep leaves "
                  "the names as they are");
}

/// The config from the framework's own settings.
Result<ModelConfig> makeConfig(FrameworkConversion& conversion, const FrameworkRequest& request,
                               FoundSettings found, std::span<const NamedTensor> forms,
                               const Checkpoint& checkpoint) {
    ModelConfig& settings = found.fields;
    addFacts(settings, *conversion.framework, forms, checkpoint);
    const bool isUnknown =
        std::ranges::find(conversion.framework->config, "vocab_size", &ConfigRow::value) !=
            conversion.framework->config.end() &&
        settings.integer("vocab_size").value_or(0) <= 0;
    if (isUnknown && request.vocabulary) {
        settings.set("vocab_size", *request.vocabulary);
    }
    conversion.paddedVocabulary = isUnknown && !request.vocabulary;
    conversion.config = fieldsOf(*conversion.framework, *conversion.family, found);
    for (ConfigField& field : conversion.config) {
        if (field.name == "vocab_size" && isUnknown && request.vocabulary) {
            field.from = "the tokenizer";
        }
    }
    return configOfFields(conversion.config);
}

Error noRule(const Framework& framework, const std::string& tensor) {
    return inHead(fail(ErrorCode::Unsupported, "No rule is known for a tensor of this model")
                      .inTensor(tensor)
                      .withHint("--names keep leaves the names as they are; --family names "
                                "another family"),
                  framework.title);
}

/// A model whose slices of tensor parallelism are joined.
struct JoinedSlices {
    CheckpointPtr base;
    std::vector<NamedTensor> named; ///< of `base`, as the framework names them without slices
    std::size_t summed = 0;
};

/// What the recipe of slices needs: how many heads there are, which the rows of all slices tell
/// together only.
Result<ModelConfig> sliceConfig(const FrameworkRequest& request, const Framework& framework,
                                const FrameworkNames& names, std::string_view given,
                                const SettingsFinder& settings) {
    CAIRN_TRY(const FamilyRow* family, familyOf(framework, names.plain, given));
    const bool hasConfig = request.config != nullptr;
    CAIRN_TRY(const FoundSettings found,
              findSettings(framework, family->family, settings, hasConfig));
    const auto count = found.fields.integer(framework.sliceCount);
    if (count && *count > 0 && static_cast<std::size_t>(*count) != names.slices) {
        return fail(ErrorCode::BadSlice,
                    "The number of tensor-parallel slices contradicts the settings")
            .inField(std::string(found.name) + ": " + std::string(framework.sliceCount))
            .butFound(verbatim(std::to_string(names.slices)))
            .expecting(verbatim(std::to_string(*count)))
            .withHint("Convert the complete save, with the files of all ranks");
    }
    ModelConfig config = hasConfig ? *request.config : found.fields;
    config.set("model_type", std::string(family->family));
    return config;
}

Result<JoinedSlices> joinSlices(const FrameworkRequest& request, const Framework& framework,
                                const FrameworkNames& names, std::string_view given,
                                const SettingsFinder& settings) {
    if (framework.slices.empty()) {
        return JoinedSlices{request.base, names.plain, 0};
    }
    CAIRN_TRY(const ModelConfig config, sliceConfig(request, framework, names, given, settings));
    CAIRN_TRY(const Recipe recipe, Recipe::parse(framework.slices));
    CAIRN_TRY(const Converted made, convertTensors(request.base, names.sliced, recipe, config));
    if (!made.kept.empty()) {
        const std::string_view kept = made.kept.front();
        return noRule(framework, std::string(kept.substr(kept.find('.', kept.find('.') + 1) + 1)));
    }
    if (made.summed.empty()) {
        return JoinedSlices{made.checkpoint, allTensors(*made.checkpoint), 0};
    }
    if (!request.sums) {
        return fail(ErrorCode::Unsupported, "Slices whose tensors are added up are not supported "
                                            "here")
            .inTensor(made.checkpoint->tensor(made.summed.front().tensor).name);
    }
    const CheckpointPtr base = request.sums(request.base, made);
    return JoinedSlices{base, allTensors(*base), made.summed.size()};
}

void addDropped(Converted& made, const Converted& earlier) {
    made.dropped.insert(made.dropped.begin(), earlier.dropped.begin(), earlier.dropped.end());
}

} // namespace

std::span<const Framework* const> knownFrameworks() {
    static const std::array<const Framework*, 5> all = {&megatron(), &nativeNames(), &torchtune(),
                                                        &litGpt(), &gptNeox()};
    return all;
}

const Framework* findFramework(std::string_view id) {
    const auto all = knownFrameworks();
    const auto found =
        std::ranges::find_if(all, [id](const Framework* each) { return each->id == id; });
    return found == all.end() ? nullptr : *found;
}

Result<std::optional<FrameworkConversion>> convertFramework(const FrameworkRequest& request,
                                                            const SettingsFinder& settings) {
    const FrameworkConversion* weights = request.weights;
    const auto recognised = weights != nullptr
                                ? std::optional(Recognised{weights->framework, weights->prefix})
                                : recognise(request.tensors);
    if (!recognised) {
        return std::nullopt;
    }
    const Framework& framework = *recognised->framework;
    FrameworkConversion conversion;
    conversion.framework = &framework;
    conversion.prefix = recognised->prefix;
    const std::string given = weights != nullptr ? std::string(weights->family->family)
                              : request.config != nullptr && request.family.empty()
                                  ? request.config->text("model_type").value_or("")
                                  : std::string(request.family);
    CAIRN_TRY(const FrameworkNames names, namesBelow(request.tensors, *recognised));
    CAIRN_TRY(const JoinedSlices joined, joinSlices(request, framework, names, given, settings));
    conversion.slices = names.slices;
    conversion.summed = joined.summed;
    CAIRN_TRY(const Recipe forming, Recipe::parse(framework.common));
    CAIRN_TRY(const Converted common, convertTensors(joined.base, joined.named, forming, {}));
    const std::vector<NamedTensor> forms = allTensors(*common.checkpoint);
    if (weights != nullptr) {
        conversion.family = weights->family;
    } else {
        CAIRN_TRY(conversion.family, familyOf(framework, forms, given));
    }
    const bool hasConfig = request.config != nullptr;
    CAIRN_TRY(const FoundSettings found,
              findSettings(framework, conversion.family->family, settings, hasConfig));
    if (!hasConfig && !found.exist) {
        return noSettings(framework);
    }
    CAIRN_CHECK(checkSettings(framework, conversion.family->family, found, hasConfig));
    ModelConfig config;
    if (hasConfig) {
        if (found.exist) {
            CAIRN_CHECK(checkConfig(framework, *conversion.family, found, *request.config));
        }
        config = *request.config;
    } else if (weights != nullptr) {
        config = configOfFields(weights->config);
    } else {
        CAIRN_TRY(config, makeConfig(conversion, request, found, forms, *common.checkpoint));
    }
    config.set("model_type", std::string(conversion.family->family));
    CAIRN_TRY(const Recipe rules, Recipe::parse(framework.rules));
    CAIRN_TRY(const Converted library, convertTensors(common.checkpoint, forms, rules, config));
    if (!library.kept.empty()) {
        return noRule(framework, library.kept.front());
    }
    if (!request.isPartial) {
        CAIRN_CHECK(checkComplete(*library.checkpoint, rules, config));
    }
    CAIRN_TRY(const Recipe variants, Recipe::parse(framework.variants));
    CAIRN_TRY(conversion.made, convertTensors(library.checkpoint, allTensors(*library.checkpoint),
                                              variants, config));
    conversion.made.renamed = library.renamed;
    conversion.made.rearranged = library.rearranged;
    conversion.made.dropped = names.dropped;
    addDropped(conversion.made, library);
    addDropped(conversion.made, common);
    return conversion;
}

Result<FrameworkConversion> convertToFramework(const FrameworkRequest& request,
                                               const Framework& framework) {
    if (request.config == nullptr) {
        return fail(ErrorCode::NotFound,
                    "No config.json was found, which the names of a framework need")
            .withHint("--like names the folder of a base model, whose config is used");
    }
    ModelConfig config = *request.config;
    const std::string family = request.family.empty() ? config.text("model_type").value_or("")
                                                      : std::string(request.family);
    const auto row = std::ranges::find(framework.families, family, &FamilyRow::family);
    if (row == framework.families.end()) {
        return unknownFamily(framework, family);
    }
    config.set("model_type", family);
    CAIRN_TRY(const Recipe variants, Recipe::parse(framework.variants));
    CAIRN_TRY(const Converted library, convertTensors(request.base, request.tensors,
                                                      invert(variants, config).recipe, config));
    CAIRN_TRY(const Recipe rules, Recipe::parse(framework.rules));
    const InverseRecipe inverse = invert(rules, config);
    FrameworkConversion conversion;
    conversion.framework = &framework;
    conversion.family = &*row;
    CAIRN_TRY(conversion.made, convertTensors(library.checkpoint, allTensors(*library.checkpoint),
                                              inverse.recipe, config));
    if (!conversion.made.kept.empty()) {
        const std::string& name = conversion.made.kept.front();
        const Error* why = inverse.whyLost(name);
        const Sentence reason = why == nullptr       ? Sentence()
                                : why->found.empty() ? why->message
                                                     : sentence("%1: %2", why->message, why->found);
        return inHead(
            fail(ErrorCode::Unsupported,
                 sentence("No rule is known from a tensor of this model to %1", framework.title))
                .inTensor(name)
                .butFound(reason)
                .withHint("--family names another family; --names keep leaves the names "
                          "as they are"),
            family);
    }
    if (!request.isPartial) {
        CAIRN_CHECK(checkComplete(*library.checkpoint, rules, config));
    }
    return conversion;
}

bool isTrainedFamily(const Framework& framework, std::string_view family) {
    return isWordOf(framework.trained, family);
}

Result<FrameworkConversion> convertToStored(const FrameworkRequest& request,
                                            const Framework& framework) {
    const std::string family = request.config == nullptr || !request.family.empty()
                                   ? std::string(request.family)
                                   : request.config->text("model_type").value_or("");
    if (request.config != nullptr && !isTrainedFamily(framework, family)) {
        return fail(ErrorCode::Unsupported,
                    sentence("The training state of this model family cannot be converted to %1",
                             framework.title))
            .butFound(verbatim(family))
            .expecting(verbatim(std::string(framework.trained)))
            .withHint("`convert --names` converts the weights alone");
    }
    for (const RefusedSetting& each : framework.unstored) {
        CAIRN_TRY(const bool met, isRefused(each, family, request.config));
        if (met) {
            return fail(ErrorCode::Unsupported, fixedText(each.message)).inField("config.json");
        }
    }
    CAIRN_TRY(FrameworkConversion conversion, convertToFramework(request, framework));
    CAIRN_TRY(const Recipe stored, Recipe::parse(framework.stored));
    CAIRN_TRY(Converted made,
              convertTensors(conversion.made.checkpoint, allTensors(*conversion.made.checkpoint),
                             stored, *request.config));
    made.renamed = conversion.made.renamed;
    made.rearranged = conversion.made.rearranged;
    conversion.made = std::move(made);
    return conversion;
}

} // namespace cairn
