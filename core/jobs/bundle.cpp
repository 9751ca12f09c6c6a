// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/json/json_value.h"
#include "core/jobs/model_card.h"
#include "core/jobs/sidecar_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

OutputFile* findFile(CopyPlan& plan, std::string_view name) {
    const auto found = std::ranges::find(plan.layout.files, name, &OutputFile::name);
    return found == plan.layout.files.end() ? nullptr : &*found;
}

std::string_view textOf(const OutputFile& file) {
    return file.literals.empty() ? std::string_view() : asText(file.bytesOf(file.literals.front()));
}

void setText(OutputFile& file, std::string_view text) {
    const auto bytes = asBytes(text);
    file.literals.clear();
    file.contents.clear();
    if (!bytes.empty()) {
        file.addLiteral(0, {bytes.begin(), bytes.end()});
    }
    file.size = bytes.size();
}

/// Parses an object; empty if invalid. The parser with limits is applied first.
std::optional<Json> parseObject(std::string_view text) {
    if (!parseJson(text, "config.json")) {
        return std::nullopt;
    }
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

/// The floating-point dtype of most of the output's bytes.
std::optional<Dtype> mainDtype(const CopyPlan& plan) {
    std::map<Dtype, std::uint64_t> bytes;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            if (dtypeInfo(segment.dtype).kind == DtypeKind::Float) {
                bytes[segment.dtype] += segment.length;
            }
        }
    }
    const auto most =
        std::ranges::max_element(bytes, {}, [](const auto& item) { return item.second; });
    return most == bytes.end() ? std::nullopt : std::optional(most->first);
}

struct DtypeFields {
    bool present = false;
    bool changed = false;
};

/// Updates the fields of one object that record a dtype.
DtypeFields setFields(Json& config, std::string_view dtype) {
    DtypeFields fields;
    for (const char* key : {"torch_dtype", "dtype"}) {
        const auto found = config.find(key);
        if (found != config.end() && (found->is_string() || found->is_null())) {
            fields.present = true;
            fields.changed = fields.changed || *found != dtype;
            *found = dtype;
        }
    }
    return fields;
}

/// Sets the dtype with which loaders create the model. True if the config was changed.
bool setDtype(Json& config, std::string_view dtype) {
    DtypeFields fields = setFields(config, dtype);
    if (!fields.present) {
        config["torch_dtype"] = dtype;
        fields.changed = true;
    }
    for (auto& [key, value] : config.items()) { // text_config, vision_config, …
        if (value.is_object() && key.ends_with("_config") && key != "quantization_config") {
            fields.changed = setFields(value, dtype).changed || fields.changed;
        }
    }
    return fields.changed;
}

struct Config {
    std::optional<Json> json;
    bool there = false;
    std::string changes; ///< description of the changes
};

/// Updates config.json to match the output.
Config fitConfig(CopyPlan& plan) {
    Config config;
    OutputFile* file = findFile(plan, "config.json");
    config.there = file != nullptr;
    config.json = file != nullptr ? parseObject(textOf(*file)) : std::nullopt;
    const auto dtype = mainDtype(plan);
    if (!config.json || !dtype) {
        return config;
    }
    const bool eightBits = dtypeInfo(*dtype).bits < 16;
    if (!eightBits && setDtype(*config.json, dtypeName(*dtype))) {
        config.changes = "dtype " + std::string(dtypeName(*dtype));
    }
    const bool undone = std::ranges::any_of(
        plan.recipes, [](const auto& item) { return item.second.scales.has_value(); });
    if (undone && config.json->erase("quantization_config") > 0) {
        config.changes +=
            std::string(config.changes.empty() ? "" : ", ") + "no quantization_config";
    }
    if (!config.changes.empty()) {
        setText(*file, config.json->dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        plan.decisions.push_back({"config.json", "set: " + config.changes,
                                  "Updated to describe the weights; everything else is unchanged"});
    }
    return config;
}

class Checklist {
public:
    Checklist(CopyPlan& plan, const Config& config) : m_plan(plan), m_config(config) {}

    void fill() {
        checkWeights();
        if (has("adapter_model.safetensors")) {
            add("adapter_config.json", has("adapter_config.json"),
                has("adapter_config.json") ? "PEFT loads this adapter into its base"
                                           : "Not found; PEFT cannot load the adapter without it");
            return;
        }
        checkNames();
        checkConfig();
        checkDtype();
        checkTied();
        checkVocabulary();
        checkFiles();
    }

private:
    void add(std::string item, bool ok, std::string detail) {
        m_plan.checklist.push_back({std::move(item), ok, std::move(detail)});
    }

    template <class Visit> void eachTensor(const Visit& visit) const {
        for (const OutputFile& file : m_plan.layout.files) {
            for (const TensorSegment& segment : file.tensors) {
                visit(segment);
            }
        }
    }

    void checkWeights() {
        const bool ok = m_plan.runnable() && m_plan.outputTensors() > 0;
        add("weights", ok,
            ok ? std::to_string(m_plan.outputTensors()) +
                     " tensors, every element stored exactly once"
               : "They cannot be written completely; see the problems");
    }

    void checkNames() {
        static constexpr std::array<std::string_view, 3> kWrappers = {"module.", "_orig_mod.",
                                                                      "_fsdp_wrapped_module."};
        std::string wrapped;
        eachTensor([&](const TensorSegment& segment) {
            const bool found = std::ranges::any_of(kWrappers, [&](std::string_view wrapper) {
                return segment.name.starts_with(wrapper) ||
                       segment.name.find("." + std::string(wrapper)) != std::string::npos;
            });
            wrapped = found && wrapped.empty() ? std::string(segment.name) : wrapped;
        });
        add("names", wrapped.empty(),
            wrapped.empty() ? "No wrapper prefixes are left in the names"
                            : wrapped + " still has a wrapper prefix; use --rename strip-wrappers");
    }

    void checkConfig() {
        const bool ok = m_config.json && (m_config.json->contains("model_type") ||
                                          m_config.json->contains("architectures"));
        add("config.json", ok,
            ok               ? "It specifies the model's class"
            : m_config.json  ? "It does not contain model_type"
            : m_config.there ? "It is not a JSON object"
                             : "Not found beside or above the checkpoint");
    }

    void checkDtype() {
        const auto dtype = mainDtype(m_plan);
        if (!dtype || !m_config.json) {
            add("dtype", false, "No config records the dtype of the weights");
            return;
        }
        const bool quantised = dtypeInfo(*dtype).bits < 16;
        const bool recorded = m_config.json->contains("quantization_config");
        add("dtype", quantised == recorded,
            quantised == recorded
                ? "The config specifies " +
                      std::string(quantised ? "the quantisation" : dtypeName(*dtype))
            : quantised ? "8-bit weights without a quantization_config: --dequantize"
                        : "The config specifies a quantisation that the weights do not have");
    }

    void checkTied() {
        const auto tied = std::ranges::find(m_plan.decisions, "tied tensors", &PlanDecision::what);
        const bool omitted =
            tied != m_plan.decisions.end() && tied->value.starts_with("written once");
        const Json* setting = m_config.json && m_config.json->contains("tie_word_embeddings")
                                  ? &m_config.json->at("tie_word_embeddings")
                                  : nullptr;
        const bool untied = setting != nullptr && setting->is_boolean() && !setting->get<bool>();
        add("tied weights", !(omitted && untied),
            tied == m_plan.decisions.end() ? "None"
            : omitted && untied ? "Left out although the config does not tie them: " + tied->value
                                : tied->value);
    }

    void checkVocabulary() {
        if (!m_config.json || !m_config.json->contains("vocab_size") ||
            !m_config.json->at("vocab_size").is_number_integer()) {
            return;
        }
        const auto wanted = m_config.json->at("vocab_size").get<std::int64_t>();
        eachTensor([&](const TensorSegment& segment) {
            const bool embeds = segment.name.ends_with("embed_tokens.weight") ||
                                segment.name.ends_with("wte.weight") ||
                                segment.name.ends_with("word_embeddings.weight");
            const Shape& shape = m_plan.source->tensor(segment.source).shape;
            if (embeds && shape.size() == 2) {
                add("vocabulary", shape[0] == wanted,
                    std::to_string(shape[0]) + " rows in " + std::string(segment.name) +
                        ", vocab_size " + std::to_string(wanted));
            }
        });
    }

    bool has(std::string_view name) const {
        return std::ranges::find(m_plan.layout.files, name, &OutputFile::name) !=
               m_plan.layout.files.end();
    }

    void checkFiles() {
        std::size_t shards = 0;
        std::string index;
        for (const OutputFile& file : m_plan.layout.files) {
            shards += file.tensors.empty() ? 0 : 1;
            index = file.name.ends_with(".index.json") ? file.name : index;
        }
        add("index", shards < 2 || !index.empty(),
            shards < 2
                ? "Not needed for a single weight file"
                : std::to_string(shards) + " files, " + (index.empty() ? "no index" : index));
        std::string tokenizer;
        for (const OutputFile& file : m_plan.layout.files) {
            tokenizer = tokenizer.empty() && isVocabularyFile(file.name) ? file.name : tokenizer;
        }
        add("tokenizer", !tokenizer.empty(),
            tokenizer.empty() ? "Not found beside or above the checkpoint" : tokenizer);
        add("generation config", true,
            has("generation_config.json") ? "generation_config.json"
                                          : "Not found; the model's defaults apply");
    }

    CopyPlan& m_plan;
    const Config& m_config;
};

void addCard(CopyPlan& plan) {
    const bool copied = findFile(plan, "README.md") != nullptr;
    plan.checklist.push_back(
        {"model card", true, copied ? "README.md, copied" : "README.md, written by this job"});
    if (copied) {
        return;
    }
    OutputFile file;
    file.name = "README.md";
    setText(file, modelCard(plan));
    plan.layout.files.insert(plan.layout.files.begin(), std::move(file));
}

} // namespace

std::optional<bool> tiesEmbeddings(std::span<const Sidecar> sidecars) {
    for (const Sidecar& sidecar : sidecars) {
        if (sidecar.name != "config.json") {
            continue;
        }
        const auto config = parseObject(asText(sidecar.bytes));
        if (config && config->contains("tie_word_embeddings") &&
            config->at("tie_word_embeddings").is_boolean()) {
            return config->at("tie_word_embeddings").get<bool>();
        }
    }
    return std::nullopt;
}

Result<void> completeBundle(CopyPlan& plan) {
    if (plan.layout.files.empty()) {
        return {}; // a problem gives the reason
    }
    const Config config = fitConfig(plan);
    Checklist(plan, config).fill();
    addCard(plan);
    refreshForecast(plan);
    return validate(plan);
}

} // namespace cairn
