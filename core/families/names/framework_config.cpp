// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework_config.h"

#include "core/families/config/expression.h"
#include "core/families/config/name_pattern.h"
#include "core/families/config/words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace cairn {
namespace {

Result<bool> isMet(const RefusedSetting& refused, const ModelConfig& settings) {
    if (!refused.number.empty()) {
        return settings.number(refused.number).value_or(1) != 1;
    }
    CAIRN_TRY(const Expression condition, Expression::parse(refused.condition));
    const auto met = condition.evaluate(settings);
    return met && *met != 0;
}

bool applies(const ConfigRow& row, const ModelConfig& settings) {
    const auto condition = Expression::parse(row.when);
    const auto met =
        condition ? condition->evaluate(settings) : Result<std::int64_t>(condition.error());
    return row.when.empty() || (met && *met != 0);
}

std::optional<ConfigField> fieldOf(const ConfigRow& row, const ModelConfig& settings,
                                   std::string_view source) {
    const bool isConstant = row.value.find_first_not_of("0123456789") == row.value.npos;
    ConfigField field{std::string(row.field), std::string(row.value),
                      isConstant ? "the family"
                                 : std::string(source) + " (" + std::string(row.value) + ")"};
    switch (row.kind) {
    case ConfigRow::Kind::Text:
        field.from = "the family";
        return field;
    case ConfigRow::Kind::Number:
        for (const std::string_view name : wordsOf(row.value)) {
            if (const auto number = settings.number(name)) {
                field.value = *number;
                field.from = std::string(source) + " (" + std::string(name) + ")";
                return field;
            }
        }
        return std::nullopt;
    case ConfigRow::Kind::Integer:
    case ConfigRow::Kind::Flag: {
        const auto expression = Expression::parse(row.value);
        const auto value =
            expression ? expression->evaluate(settings) : Result<std::int64_t>(expression.error());
        if (!value) {
            return std::nullopt;
        }
        if (row.kind == ConfigRow::Kind::Flag) {
            field.value = *value != 0;
        } else {
            field.value = *value;
        }
        return field;
    }
    }
    return std::nullopt;
}

/// Of several rows for a field, the first that can be computed counts.
void addFields(std::span<const ConfigRow> rows, std::string_view family,
               const ModelConfig& settings, std::string_view source,
               std::vector<ConfigField>& fields) {
    for (const ConfigRow& row : rows) {
        const bool known = std::ranges::find(fields, row.field, &ConfigField::name) != fields.end();
        if (known || !isFor(row.families, family) || !applies(row, settings)) {
            continue;
        }
        if (auto field = fieldOf(row, settings, source)) {
            fields.push_back(std::move(*field));
        }
    }
}

/// Whether the classes that the settings name are known, and for this family. Nothing is imported.
Result<void> checkClasses(const SettingsForm& form, std::string_view family,
                          const ModelConfig& all) {
    for (const std::string_view field : wordsOf(form.classes)) {
        const std::string name = all.text(field).value_or("");
        const std::string_view module = std::string_view(name).substr(0, name.rfind('.'));
        const auto row = std::ranges::find(form.known, module, &ClassRow::module);
        if (row != form.known.end() && isFor(row->families, family)) {
            continue;
        }
        std::string known;
        for (const ClassRow& each : form.known) {
            known += (known.empty() ? "" : ", ") + std::string(each.module);
        }
        return fail(ErrorCode::Unsupported,
                    row == form.known.end()
                        ? Sentence("The settings of the model name an unknown class")
                        : sentence("The family of the settings does not match the tensors, which "
                                   "are those of %1",
                                   family))
            .inField(std::string(form.name) + ": " + std::string(field))
            .butFound(name.empty() ? Sentence("nothing") : verbatim(name))
            .expecting(row == form.known.end() ? sentence("a class of %1", known)
                                               : verbatim(std::string(row->families)))
            .withHint("--like FOLDER takes the config from the folder of such a model");
    }
    return {};
}

} // namespace

Result<FoundSettings> findSettings(const Framework& framework, std::string_view family,
                                   const SettingsFinder& finder, bool hasConfig) {
    if (auto own = finder(framework.settings)) {
        return FoundSettings{std::move(*own), framework.settings, true};
    }
    for (const SettingsForm& form : framework.otherSettings) {
        if (const auto other = finder(form.name)) {
            if (!hasConfig) {
                CAIRN_CHECK(checkClasses(form, family, *other));
            }
            return FoundSettings{other->part(form.part), form.name, true};
        }
    }
    return FoundSettings{{}, framework.settings, false};
}

Result<void> checkSettings(const Framework& framework, std::string_view family,
                           const FoundSettings& found, bool hasConfig) {
    const ModelConfig& settings = found.fields;
    for (const RefusedSetting& each : framework.refused) {
        if (!isFor(each.families, family) || (each.onlyConfig && hasConfig)) {
            continue;
        }
        CAIRN_TRY(const bool met, isMet(each, settings));
        if (met) {
            return fail(ErrorCode::Unsupported, fixedText(each.message))
                .inField(std::string(found.name))
                .withHint(
                    each.onlyConfig
                        ? Sentence("--like FOLDER takes the config from the folder of such a model")
                        : "--names keep writes the tensors under the framework's own names");
        }
    }
    return {};
}

Result<void> checkConfig(const Framework& framework, const FamilyRow& family,
                         const FoundSettings& found, const ModelConfig& config) {
    struct Extent {
        std::string_view field;
        std::string_view otherwise; ///< Expression: where the config does not contain the field
        std::string_view notFor;    ///< families, whose field means something else; words
    };
    constexpr auto kExtents =
        std::to_array<Extent>({{"num_hidden_layers", "", ""},
                               {"num_attention_heads", "", ""},
                               {"num_key_value_heads", "num_attention_heads", ""},
                               {"head_dim", "hidden_size/num_attention_heads", "deepseek_v3"},
                               {"n_layer", "", ""},
                               {"n_head", "", ""}});
    const ModelConfig own = configOfFields(fieldsOf(framework, family, found));
    for (const Extent& each : kExtents) {
        const auto expected = own.integer(each.field);
        auto given = config.integer(each.field);
        if (!given && !each.otherwise.empty()) {
            CAIRN_TRY(const Expression otherwise, Expression::parse(each.otherwise));
            const auto value = otherwise.evaluate(config);
            given = value ? std::optional(*value) : std::nullopt;
        }
        if (expected && given && *expected != *given && !isWordOf(each.notFor, family.family)) {
            return fail(ErrorCode::Unsupported,
                        "The config contradicts the settings that the checkpoint records")
                .inField(std::string("config.json: ") + std::string(each.field))
                .butFound(verbatim(std::to_string(*given)))
                .expecting(sentence("%1, as in %2", *expected, found.name))
                .withHint("--like FOLDER takes the config from the folder of such a model");
        }
    }
    return {};
}

Result<bool> isRefused(const RefusedSetting& row, std::string_view family,
                       const ModelConfig* config) {
    return config != nullptr && isFor(row.families, family) ? isMet(row, *config)
                                                            : Result<bool>(false);
}

std::vector<ConfigField> settingsOf(const Framework& framework, const ModelConfig& config) {
    std::vector<ConfigField> fields;
    addFields(framework.fromConfig, config.text("model_type").value_or(""), config, "config.json",
              fields);
    return fields;
}

std::vector<ConfigField> fieldsOf(const Framework& framework, const FamilyRow& family,
                                  const FoundSettings& found) {
    std::vector<ConfigField> fields = {
        {"architectures", std::string(family.modelClass), "the family"},
        {"model_type", std::string(family.family), "the family"}};
    addFields(framework.config, family.family, found.fields, found.name, fields);
    return fields;
}

ModelConfig configOfFields(const std::vector<ConfigField>& fields) {
    ModelConfig config;
    for (const ConfigField& field : fields) {
        if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
            config.set(field.name, *integer);
        } else if (const auto* flag = std::get_if<bool>(&field.value)) {
            config.set(field.name, std::int64_t{*flag});
        } else if (const auto* text = std::get_if<std::string>(&field.value)) {
            config.set(field.name, *text);
        }
    }
    return config;
}

void addFacts(ModelConfig& settings, const Framework& framework,
              std::span<const NamedTensor> tensors, const Checkpoint& checkpoint) {
    for (const FactRow& row : framework.facts) {
        const NamePattern pattern(row.pattern);
        std::optional<std::int64_t> fact;
        for (const NamedTensor& each : tensors) {
            const auto numbers = pattern.match(each.name);
            const Shape& shape = checkpoint.tensor(each.tensor).shape;
            if (!numbers) {
                continue;
            }
            if (row.dim == FactRow::kSmallestNumber && !numbers->empty()) {
                fact = std::min(fact.value_or(numbers->front().second), numbers->front().second);
            } else if (row.dim >= 0 && static_cast<std::size_t>(row.dim) < shape.size()) {
                fact = shape[static_cast<std::size_t>(row.dim)];
            }
        }
        if (fact) {
            settings.set(row.setting, *fact);
        }
    }
}

} // namespace cairn
