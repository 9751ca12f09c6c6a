// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <re2/re2.h>

/// Source: peft 0.21 (tuners/lora/config.py; LoraLayer.update_layer in tuners/lora/layer.py;
/// get_pattern_key in utils/other.py).
namespace cairn {
namespace {

constexpr std::string_view kFile = "adapter_config.json";

/// Fields that, when set, make the merged weights something else than base plus product.
struct RefusedField {
    std::string_view field;
    std::string_view message;
};
constexpr std::array<RefusedField, 10> kRefused = {{
    {"kasa_config", "This adapter's method (KaSA) changes the base when it is applied"},
    {"arrow_config", "This adapter chooses among others for each token, which no weights express"},
    {"alora_invocation_tokens",
     "This adapter acts only after certain tokens, which no weights express"},
    {"monteclora_config", "This adapter's method (MonteCLoRA) draws its changes at random"},
    {"velora_config", "This adapter's method (VeLoRA) is unknown"},
    {"use_bdlora", "This adapter has block-diagonal matrices (BD-LoRA), an unknown form"},
    {"use_qalora", "This adapter's method (QA-LoRA) pools the inputs of its matrices"},
    {"layer_replication",
     "This adapter repeats layers, so that the model has others than its base"},
    {"megatron_config", "This adapter is one for Megatron's parallel layers"},
    {"corda_config", "This adapter's initialisation (CorDA) changed the base"},
}};

/// Values of init_lora_weights (their beginnings) after which the base is the one on the disk.
constexpr std::array<std::string_view, 4> kHarmlessInits = {"gaussian", "eva", "orthogonal",
                                                            "mica"};

Error badField(std::string_view field, Sentence message) {
    return fail(ErrorCode::InvalidArgument, std::move(message))
        .inFile(std::string(kFile))
        .inField(std::string(field));
}

/// Python's truth of a value: null, false, 0, "" and empty containers are not set.
bool isSet(const Value* value) {
    if (value == nullptr || value->kind() == ValueKind::Null) {
        return false;
    }
    if (const bool* flag = value->asBool()) {
        return *flag;
    }
    if (const auto number = numberOf(*value)) {
        return *number != 0;
    }
    if (const std::string* text = value->asString()) {
        return !text->empty();
    }
    return !value->items().empty();
}

Sentence shown(const Value* value) {
    if (value == nullptr) {
        return "nothing";
    }
    if (const std::string* text = value->asString()) {
        return verbatim(*text);
    }
    const auto number = numberOf(*value);
    return number ? verbatim(std::to_string(*number)) : "a different kind of value";
}

class Reader {
public:
    explicit Reader(const Value& document) : m_document(document) {}

    Result<AdapterConfig> read() {
        CAIRN_CHECK(refuse());
        AdapterConfig config;
        CAIRN_TRY(config.alpha, number("lora_alpha"));
        CAIRN_TRY(const double rank, number("r"));
        if (rank < 1 || rank != std::floor(rank) || rank > 1e6) {
            return badField("r", "The adapter's rank is not a positive integer")
                .butFound(shown(m_document.find("r")));
        }
        config.rank = static_cast<std::int64_t>(rank);
        config.rootRank = isSet(m_document.find("use_rslora"));
        config.dora = isSet(m_document.find("use_dora"));
        config.fanInFanOut = isSet(m_document.find("fan_in_fan_out"));
        config.tiesWeights = isSet(m_document.find("ensure_weight_tying")) ||
                             isSet(m_document.find("target_modules_to_tie")) ||
                             isSet(m_document.find("modules_to_tie"));
        const Value* layers = m_document.find("layers_to_transform"); // layer 0 may be the only one
        config.someLayers = (layers != nullptr && numberOf(*layers)) || isSet(layers) ||
                            isSet(m_document.find("exclude_modules"));
        CAIRN_TRY(config.alphas, pattern("alpha_pattern"));
        CAIRN_TRY(config.ranks, pattern("rank_pattern"));
        config.modules = texts("target_modules");
        config.parameters = texts("target_parameters");
        CAIRN_CHECK(readTokens(config));
        const Value* base = m_document.find("base_model_name_or_path");
        const std::string* name = base != nullptr ? base->asString() : nullptr;
        config.base = name != nullptr ? *name : std::string();
        return config;
    }

private:
    Result<void> refuse() {
        const Value* type = m_document.find("peft_type");
        const std::string* method = type != nullptr ? type->asString() : nullptr;
        if (method == nullptr || *method != "LORA") {
            return fail(ErrorCode::Unsupported, "Only adapters of low-rank matrices can be folded")
                .inFile(std::string(kFile))
                .inField("peft_type")
                .butFound(shown(type))
                .expecting("LORA");
        }
        for (const RefusedField& each : kRefused) {
            if (isSet(m_document.find(each.field))) {
                return fail(ErrorCode::Unsupported, fixedText(each.message))
                    .inFile(std::string(kFile))
                    .inField(std::string(each.field))
                    .withHint("Merge it with PEFT, in the way it was trained");
            }
        }
        const Value* init = m_document.find("init_lora_weights");
        const std::string* how = init != nullptr ? init->asString() : nullptr;
        if (how != nullptr && std::ranges::find(kHarmlessInits, *how) == kHarmlessInits.end()) {
            return fail(ErrorCode::Unsupported,
                        "The adapter's initialisation changed the base, so that it does not belong "
                        "to the weights on the disk")
                .inFile(std::string(kFile))
                .inField("init_lora_weights")
                .butFound(verbatim(*how))
                .withHint("Save it with PEFT's path_initial_model_for_weight_conversion, which "
                          "makes an ordinary adapter of it");
        }
        return {};
    }

    Result<double> number(std::string_view field) const {
        const Value* value = m_document.find(field);
        const auto found =
            value != nullptr && value->asBool() == nullptr ? numberOf(*value) : std::nullopt;
        if (!found || !std::isfinite(*found)) {
            return badField(field, "The adapter's settings lack a number")
                .butFound(shown(value))
                .withHint("Take the file that PEFT wrote beside the adapter's weights");
        }
        return *found;
    }

    /// {module or expression: number}.
    Result<std::vector<std::pair<std::string, double>>> pattern(std::string_view field) const {
        std::vector<std::pair<std::string, double>> pairs;
        const Value* value = m_document.find(field);
        if (!isSet(value)) {
            return pairs;
        }
        for (const ValueItem& item : value->items()) {
            const std::string* key = item.key.asString();
            const auto found = numberOf(item.value);
            if (key == nullptr || !found || !std::isfinite(*found)) {
                return badField(field, "A pattern of the adapter gives no number");
            }
            pairs.emplace_back(*key, *found);
        }
        return pairs;
    }

    std::vector<std::string> texts(std::string_view field) const {
        std::vector<std::string> list;
        const Value* value = m_document.find(field);
        if (value == nullptr || value->find("") != nullptr) {
            return list;
        }
        for (const ValueItem& item : value->items()) {
            if (const std::string* text = item.value.asString()) {
                list.push_back(*text);
            }
        }
        return list;
    }

    Result<void> readTokens(AdapterConfig& config) const {
        constexpr std::string_view kField = "trainable_token_indices";
        const Value* value = m_document.find(kField);
        if (!isSet(value)) {
            return {};
        }
        const auto rowsOf = [&](const Value& list) -> Result<std::vector<std::int64_t>> {
            std::vector<std::int64_t> rows;
            for (const ValueItem& item : list.items()) {
                const std::int64_t* row = item.value.asInt();
                if (row == nullptr || *row < 0) {
                    return badField(kField, "A token's index is not a natural number")
                        .butFound(shown(&item.value));
                }
                rows.push_back(*row);
            }
            return rows;
        };
        if (value->kind() != ValueKind::Dict) {
            CAIRN_TRY(auto rows, rowsOf(*value));
            config.tokens.emplace_back("", std::move(rows));
            return {};
        }
        for (const ValueItem& item : value->items()) {
            CAIRN_TRY(auto rows, rowsOf(item.value));
            config.tokens.emplace_back(keyText(item.key), std::move(rows));
        }
        return {};
    }

    const Value& m_document;
};

/// describes() for a key whose only special character is ".", which stands for any.
bool describesPlainly(std::string_view key, std::string_view module) {
    if (key.empty() || module.size() < key.size()) {
        return false;
    }
    const std::size_t start = module.size() - key.size();
    return (start == 0 || module[start - 1] == '.') &&
           std::ranges::equal(key, module.substr(start),
                              [](char wanted, char c) { return wanted == '.' || wanted == c; });
}

/// re.match(r"(.*\.)?(KEY)$", module): KEY describes the module from one of its parts on.
Result<bool> describes(const std::string& key, std::string_view module) {
    if (key.find_first_of("^$*+?()[]{}|\\") == std::string::npos) {
        return describesPlainly(key, module);
    }
    RE2::Options options(RE2::Latin1);
    options.set_log_errors(false);
    const RE2 expression("(?:.*\\.)?(?:" + key + ")", options);
    if (!expression.ok()) { // no expression, or one with lookahead, which RE2 does not have
        return fail(ErrorCode::Unsupported, "A pattern of the adapter cannot be used")
            .inFile(std::string(kFile))
            .inField("alpha_pattern, rank_pattern")
            .butFound(verbatim(key));
    }
    return RE2::FullMatch(re2::StringPiece(module.data(), module.size()), expression);
}

Result<std::optional<double>>
firstMatch(const std::vector<std::pair<std::string, double>>& patterns, std::string_view module) {
    for (const auto& [key, value] : patterns) {
        CAIRN_TRY(const bool found, describes(key, module));
        if (found) {
            return std::optional(value);
        }
    }
    return std::optional<double>();
}

} // namespace

Result<AdapterConfig> AdapterConfig::of(const Value& document) {
    if (document.kind() != ValueKind::Dict) {
        return fail(ErrorCode::JsonWrongType, "The adapter's settings are not a JSON object")
            .inFile(std::string(kFile));
    }
    return Reader(document).read();
}

Result<double> AdapterConfig::alphaOf(std::string_view module) const {
    if (const auto recorded = own.find(module); recorded != own.end()) {
        return recorded->second.alpha;
    }
    CAIRN_TRY(const auto matched, firstMatch(alphas, module));
    return matched.value_or(alpha);
}

Result<std::int64_t> AdapterConfig::rankOf(std::string_view module) const {
    if (const auto recorded = own.find(module); recorded != own.end()) {
        return recorded->second.rank;
    }
    CAIRN_TRY(const auto matched, firstMatch(ranks, module));
    constexpr double kMost = 1e6;
    return !matched                             ? rank
           : *matched >= 1 && *matched <= kMost ? static_cast<std::int64_t>(*matched)
                                                : 0;
}

double AdapterConfig::scaling(double moduleAlpha, std::int64_t moduleRank) const {
    const auto divisor = static_cast<double>(moduleRank);
    return moduleAlpha / (rootRank ? std::sqrt(divisor) : divisor);
}

std::set<std::string> parametersBelow(std::string_view module, const AdapterConfig& config) {
    std::set<std::string> names;
    for (const std::string& name : config.parameters) {
        const std::size_t dot = name.rfind('.');
        std::string full =
            std::string(module) + "." + (dot == std::string::npos ? name : name.substr(dot + 1));
        if (isNamed(full, name)) {
            names.insert(std::move(full));
        }
    }
    return names;
}

bool isNamed(std::string_view module, std::string_view name) {
    return module == name || (module.size() > name.size() && module.ends_with(name) &&
                              module[module.size() - name.size() - 1] == '.');
}

} // namespace cairn
