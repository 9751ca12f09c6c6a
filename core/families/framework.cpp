// SPDX-License-Identifier: Apache-2.0
//
// A model goes through three recipes, each of which knows the names that the one before gives: the
// forms that a framework has for a tensor become one (common), these become the names of the
// library (rules), and single families change a few of them (variants). The opposite direction
// undoes the last two.
#include "core/families/framework.h"

#include "core/families/framework_config.h"
#include "core/families/inverse.h"
#include "core/families/model_check.h"
#include "core/families/words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

Error inHead(Error error, std::string_view title) {
    error.message = sentence("%1%2", error.message, sentence(" (%1)", title));
    return error;
}

bool anyMatches(std::span<const NamedTensor> tensors, std::string_view pattern,
                std::string_view prefix = {}) {
    const NamePattern wanted(pattern);
    return std::ranges::any_of(tensors, [&](const NamedTensor& each) {
        return each.name.starts_with(prefix) &&
               wanted.match(std::string_view(each.name).substr(prefix.size())).has_value();
    });
}

/// The framework, and what is before its names.
struct Recognised {
    const Framework* framework = nullptr;
    std::string prefix;
};

std::optional<Recognised> recognise(std::span<const NamedTensor> tensors) {
    for (const Framework* framework : knownFrameworks()) {
        const std::vector<std::string_view> anchors = wordsOf(framework->anchors);
        for (const NamedTensor& each : tensors) {
            const std::string_view name = each.name;
            if (!name.ends_with(anchors.front())) {
                continue;
            }
            const std::string_view before = name.substr(0, name.size() - anchors.front().size());
            const bool isWhole = before.empty() || before.ends_with('.');
            if (isWhole && std::ranges::all_of(anchors, [&](std::string_view anchor) {
                    return anyMatches(tensors, anchor, before);
                })) {
                return Recognised{framework, std::string(before)};
            }
        }
    }
    return std::nullopt;
}

/// The names without the prefix. Fails if a tensor is elsewhere: it is of another model.
Result<std::vector<NamedTensor>> below(std::span<const NamedTensor> tensors,
                                       const Recognised& recognised) {
    std::vector<NamedTensor> named;
    CAIRN_TRY(const Recipe common, Recipe::parse(recognised.framework->common));
    for (const NamedTensor& each : tensors) {
        if (each.name.starts_with(recognised.prefix)) {
            named.push_back({each.tensor, each.name.substr(recognised.prefix.size())});
        } else if (!common.dropsText(each.name)) {
            return fail(ErrorCode::Unsupported,
                        "The checkpoint contains tensors beside the model whose names are "
                        "converted")
                .inTensor(each.name)
                .expecting(sentence("names that begin with %1", recognised.prefix))
                .withHint("PATH#subtree selects one model; --names keep leaves the names as they "
                          "are");
        }
    }
    return named;
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
    return configOf(conversion.config);
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
    const auto recognised = recognise(request.tensors);
    if (!recognised) {
        return std::nullopt;
    }
    const Framework& framework = *recognised->framework;
    FrameworkConversion conversion;
    conversion.framework = &framework;
    conversion.prefix = recognised->prefix;
    CAIRN_TRY(const std::vector<NamedTensor> named, below(request.tensors, *recognised));
    CAIRN_TRY(const Recipe forming, Recipe::parse(framework.common));
    CAIRN_TRY(const Converted common, convertTensors(request.base, named, forming, {}));
    const std::vector<NamedTensor> forms = allTensors(*common.checkpoint);
    const std::string given = request.config != nullptr && request.family.empty()
                                  ? request.config->text("model_type").value_or("")
                                  : std::string(request.family);
    CAIRN_TRY(conversion.family, familyOf(framework, forms, given));
    const bool hasConfig = request.config != nullptr;
    CAIRN_TRY(const FoundSettings found,
              findSettings(framework, conversion.family->family, settings, hasConfig));
    if (!hasConfig && !found.exist) {
        return noSettings(framework);
    }
    CAIRN_CHECK(checkSettings(framework, conversion.family->family, found, hasConfig));
    ModelConfig config;
    if (hasConfig) {
        config = *request.config;
    } else {
        CAIRN_TRY(config, makeConfig(conversion, request, found, forms, *common.checkpoint));
    }
    config.set("model_type", std::string(conversion.family->family));
    CAIRN_TRY(const Recipe rules, Recipe::parse(framework.rules));
    CAIRN_TRY(const Converted library, convertTensors(common.checkpoint, forms, rules, config));
    if (!library.kept.empty()) {
        return inHead(fail(ErrorCode::Unsupported, "No rule is known for a tensor of this model")
                          .inTensor(library.kept.front())
                          .withHint("--names keep leaves the names as they are; --family names "
                                    "another family"),
                      framework.title);
    }
    CAIRN_CHECK(checkComplete(*library.checkpoint, rules, config));
    CAIRN_TRY(const Recipe variants, Recipe::parse(framework.variants));
    CAIRN_TRY(conversion.made, convertTensors(library.checkpoint, allTensors(*library.checkpoint),
                                              variants, config));
    conversion.made.renamed = library.renamed;
    conversion.made.rearranged = library.rearranged;
    conversion.made.dropped.clear();
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
    CAIRN_CHECK(checkComplete(*library.checkpoint, rules, config));
    return conversion;
}

} // namespace cairn
