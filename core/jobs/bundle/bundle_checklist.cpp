// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/bundle_checklist.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/families/expected/class_names.h"
#include "core/families/names/conversion.h"
#include "core/families/quantised/quantised.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/planned_output.h"
#include "core/jobs/bundle/sidecar_names.h"
#include "core/model/wrapper_names.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn {
namespace {

class Checklist {
public:
    Checklist(CopyPlan& plan, const BundleConfig& config)
        : m_plan(plan), m_config(config), m_tensors(outputTensors(plan)), m_fields(config.fields) {}

    void fill() {
        checkWeights();
        addUnknown(CheckId::Values,
                   "Not checked yet: the verification of the output searches the weights for NaN, "
                   "infinities and zeros");
        checkShards();
        if (has("adapter_model.safetensors")) {
            const bool complete = has("adapter_config.json");
            m_plan.loader = {"PEFT",
                             {},
                             m_tensors.size(),
                             m_tensors.size(),
                             complete ? LoaderAnswer::All : LoaderAnswer::No};
            add(CheckId::AdapterConfig, complete,
                complete ? Sentence("PEFT loads this adapter into its base")
                         : "Not found; PEFT cannot load the adapter without it");
            return;
        }
        checkNames();
        if (!m_config.diffusers.empty()) {
            checkComponent();
            return;
        }
        checkTensors();
        checkConfig();
        checkDtype();
        checkTied();
        checkVocabulary();
        checkFiles();
    }

private:
    void add(CheckId id, bool ok, Sentence detail) {
        m_plan.checklist.push_back({id, ok, std::move(detail)});
    }

    /// A line of which nothing is known.
    void addUnknown(CheckId id, Sentence detail) {
        m_plan.checklist.push_back({id, false, std::move(detail), false});
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
        add(CheckId::Weights, ok,
            ok ? sentence("%1 tensors, every element stored exactly once", m_plan.outputTensors())
               : "They cannot be written completely; see the problems");
    }

    /// Files of ranks with the same layout can be exchanged, which no format notices; and some do
    /// not show the order of what is in a tensor.
    void checkShards() {
        const auto assumed = std::ranges::find_if(
            m_plan.decisions, [](const PlanDecision& each) { return !each.assumption.empty(); });
        if (assumed != m_plan.decisions.end()) {
            addUnknown(CheckId::Shards, assumed->assumption);
            return;
        }
        const TensorEntry* cut = nullptr;
        eachTensor([&](const TensorSegment& segment) {
            const TensorEntry& tensor = m_plan.source->tensor(segment.source);
            const auto& pieces = tensor.pieces;
            const bool several = std::ranges::any_of(
                pieces, [&](const Piece& piece) { return piece.file != pieces.front().file; });
            cut = cut == nullptr && several ? &tensor : cut;
        });
        if (cut != nullptr) {
            addUnknown(CheckId::Shards,
                       "Each belongs to the rank that its name states; their content "
                       "cannot show whether two were exchanged");
        }
    }

    void checkComponent() {
        addUnknown(CheckId::Tensors, sentence("The tensors of %1 are unknown", m_config.diffusers));
        add(CheckId::Config, true,
            sentence("It specifies the class of diffusers, %1", m_config.diffusers));
    }

    void checkNames() {
        std::string wrapped;
        for (const OutputTensor& tensor : m_tensors) {
            if (withoutWrappers(tensor.name) != tensor.name) {
                wrapped = tensor.name;
                break;
            }
        }
        const bool isSingleFile = !m_config.diffusers.empty() && m_fields &&
                                  foreignNames(*m_fields, m_tensors) == ForeignNames::SingleFile;
        if (isSingleFile) {
            add(CheckId::Names, false,
                sentence("%1 is a name of the original checkpoint, which only diffusers converts: "
                         "%2.from_single_file(FILE), then save_pretrained(FOLDER)",
                         originalDiffusionName(m_tensors), m_config.diffusers));
        } else if (wrapped.empty() && !m_config.diffusers.empty()) {
            addUnknown(CheckId::Names, sentence("The names of %1 are unknown", m_config.diffusers));
        } else if (!wrapped.empty()) {
            add(CheckId::Names, false,
                sentence("%1 still has a wrapper prefix; use --rename strip-wrappers", wrapped));
        } else if (m_config.otherNames ||
                   std::ranges::find(m_plan.decisions, DecisionId::NamesForLlamaCpp,
                                     &PlanDecision::id) != m_plan.decisions.end()) {
            add(CheckId::Names, true, "No wrapper prefixes are left in the names");
        } else if (!m_fields) {
            addUnknown(CheckId::Names, "No config names the class whose names they should be");
        } else {
            compareNames(*m_fields);
        }
    }

    /// What is in front of names shows only in comparison with those of the class.
    void compareNames(const ModelConfig& fields) {
        const std::string named = modelClass(fields);
        const std::string name = named.empty() ? fields.text("model_type").value_or("") : named;
        if (foreignNames(fields, m_tensors) == ForeignNames::TensorFlow) {
            add(CheckId::Names, false,
                "the names are those of TensorFlow in transformers 4, which converts them: "
                "from_pretrained(FOLDER, from_tf=True)");
            return;
        }
        switch (namesFit(fields, m_tensors)) {
        case NamesFit::Complete:
            add(CheckId::Names, true, sentence("They are those of %1", name));
            return;
        case NamesFit::Unknown:
            addUnknown(CheckId::Names, name.empty()
                                           ? "The config does not name the model's class"
                                           : sentence("The names of %1 are unknown", name));
            return;
        case NamesFit::Other:
            addUnknown(CheckId::Names, sentence("They are not exactly those of %1", name));
            return;
        case NamesFit::Begins:
            break;
        }
        const auto known = ClassNames::of(fields);
        if (known && known->differInMemory() && !hasPublishedRecipe(fields)) {
            addUnknown(CheckId::Names,
                       sentence("%1 is published under other names than those in memory, and how "
                                "they become those is unknown",
                                name));
        } else {
            add(CheckId::Names, true, sentence("They begin as those of %1", name));
        }
    }

    /// Compares with the tensors that the config's model has.
    void checkTensors() {
        if (findFormat(m_plan.format)->writes.library.empty()) {
            addUnknown(CheckId::Tensors,
                       "Not compared with a model's: transformers reads safetensors");
            return;
        }
        if (m_config.otherNames) {
            addUnknown(CheckId::Tensors,
                       "Names of a framework are not compared with a model of the library");
            return;
        }
        if (!m_fields) {
            addUnknown(CheckId::Tensors, "No config describes the model");
            return;
        }
        auto fit = fitModel(*m_fields, m_tensors);
        if (!fit) {
            const Sentence why =
                sentence("%1%2", fit.error().message,
                         fit.error().found.empty() ? "" : sentence(": %1", fit.error().found));
            isModelUnknown(fit.error()) ? addUnknown(CheckId::Tensors, why)
                                        : add(CheckId::Tensors, false, why);
            return;
        }
        if (*fit) {
            m_fit = std::move(**fit);
            addDifference(*m_fit);
        } else {
            addUnknownModel();
        }
    }

    void addUnknownModel() {
        const std::string name = modelClass(*m_fields);
        const std::string type = m_fields->text("model_type").value_or("");
        if (const KnownModel* known = contradictedModel(*m_fields); known != nullptr) {
            m_plan.loader.answer = LoaderAnswer::Undecided;
            addUnknown(CheckId::Tensors, sentence("The config contradicts itself: %1 is a class of "
                                                  "model_type %2, not %3",
                                                  name, known->type, type));
        } else {
            addUnknown(CheckId::Tensors,
                       name.empty() && type.empty()
                           ? "The config does not name the model's class"
                           : sentence("The tensors of %1 are unknown", name.empty() ? type : name));
        }
    }

    void addDifference(const ModelFit& fit) {
        const TensorDifference& difference = fit.difference;
        const std::string name(fit.model->name);
        const std::size_t lacking = difference.missing.size() + difference.misshapen.size();
        m_plan.loader = {"transformers", name, difference.required,
                         difference.required - std::min(lacking, difference.required),
                         fit.answer()};
        if (fit.answer() == LoaderAnswer::All) {
            add(CheckId::Tensors, true,
                sentence("All %1 of %2 exist, none more, and their shapes fit the config%3%4",
                         counting(difference.required, "tensor"), name,
                         difference.quantised > 0 ? Sentence("; quantised ones by their names only")
                                                  : "",
                         fit.underBase ? sentence(", under the names of %1", fit.model->base)
                                       : ""));
            return;
        }
        if (fit.answer() == LoaderAnswer::Unknown) {
            addUnknown(CheckId::Tensors,
                       sentence("The layout of %1 quantisation is unknown",
                                m_fields->text("quantization_config.quant_method").value_or("")));
            return;
        }
        std::vector<Sentence> parts;
        if (!fit.prefix.empty()) {
            parts.push_back(sentence("the names begin with %1", fit.prefix));
        }
        if (foreignNames(*m_fields, m_tensors) == ForeignNames::TensorFlow) {
            parts.push_back("the names are those of TensorFlow in transformers 4, which converts "
                            "them: from_pretrained(FOLDER, from_tf=True)");
        }
        append(parts, difference.missing, "missing");
        append(parts, difference.unexpected, "unexpected");
        append(parts, difference.misshapen, "of a different shape or kind");
        const Sentence list = sentenceList(parts, "; ");
        if (fit.other != nullptr) {
            add(CheckId::Tensors, false,
                sentence("%1 does not match: %2; they are the tensors of %3, which architectures "
                         "does not name",
                         name, list, fit.other->name));
            return;
        }
        const Sentence what =
            modelClass(*m_fields).empty()
                ? sentence("No known class of %1 matches; %2, which is closest, does not: %3",
                           fit.model->type, name, list)
                : sentence("%1 does not match: %2", name, list);
        if (fit.answer() != LoaderAnswer::Undecided) {
            add(CheckId::Tensors, false, what);
        } else if (difference.missing.empty()) {
            addUnknown(
                CheckId::Tensors,
                sentence("%1; whether they are parts of the config's quantised layout is unknown",
                         what));
        } else {
            addUnknown(CheckId::Tensors,
                       sentence("%1; these may be the names of an earlier release, which some "
                                "loaders know",
                                what));
        }
    }

    static void append(std::vector<Sentence>& parts, const std::vector<std::string>& names,
                       const Sentence& what) {
        if (names.empty()) {
            return;
        }
        constexpr std::size_t kShown = 3;
        std::string text;
        for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
            text += (i > 0 ? ", " : "") + names[i];
        }
        text += names.size() > kShown ? ", …" : "";
        parts.push_back(sentence("%1 %2 (%3)", names.size(), what, text));
    }

    void checkConfig() {
        if (!m_config.there) {
            addUnknown(CheckId::Config, "Not found beside or above the checkpoint");
            return;
        }
        const bool isObject = m_config.json.has_value();
        const bool named = isObject && m_config.json->contains("architectures");
        const bool typed = isObject && m_config.json->contains("model_type");
        if (typed && !named) {
            addUnknown(CheckId::Config,
                       "It has no architectures, by which vLLM and SGLang choose the class");
            return;
        }
        if (!m_config.inferred.empty()) {
            m_config.isOneOfSeveral ? addUnknown(CheckId::Config, m_config.inferred)
                                    : add(CheckId::Config, true, m_config.inferred);
            return;
        }
        add(CheckId::Config, named,
            named      ? Sentence("It specifies the model's class")
            : isObject ? Sentence("It contains neither architectures nor model_type")
                       : "It is not a JSON object");
    }

    void checkDtype() {
        const auto dtype = mainDtype(m_tensors);
        if (!dtype || !m_config.json) {
            addUnknown(CheckId::Dtype, "No config records the dtype of the weights");
            return;
        }
        const bool quantised = hasQuantisedWeights(m_tensors) || dtypeInfo(*dtype).bits < 16;
        const bool recorded = m_config.json->contains("quantization_config");
        if (recorded && !quantised && quantisedLayout(*m_fields) == nullptr) {
            addUnknown(CheckId::Dtype, "The layout of the config's quantisation is unknown");
            return;
        }
        add(CheckId::Dtype, quantised == recorded,
            quantised == recorded ? sentence("The config specifies %1",
                                             quantised ? "the quantisation" : dtypeName(*dtype))
            : quantised ? Sentence("Quantised weights without a quantization_config: --dequantize")
                        : "The config specifies a quantisation that the weights do not have");
    }

    void checkTied() {
        const auto tied = std::ranges::find_if(m_plan.decisions, isTied, &PlanDecision::id);
        const bool omitted = tied != m_plan.decisions.end() && tied->id == DecisionId::TiedLeftOut;
        const nlohmann::ordered_json* setting =
            m_config.json && m_config.json->contains("tie_word_embeddings")
                ? &m_config.json->at("tie_word_embeddings")
                : nullptr;
        const bool untied =
            setting != nullptr && setting->is_boolean() && !setting->get<bool>() && !tiesByModel();
        const Sentence apart = untiedHead();
        if (!apart.empty()) {
            add(CheckId::TiedWeights, false, apart);
            return;
        }
        add(CheckId::TiedWeights, !(omitted && untied),
            tied == m_plan.decisions.end() ? Sentence("None")
            : omitted && untied
                ? sentence("Left out although the config does not tie them: %1", tied->value)
                : tied->value);
    }

    /// Whether the model of the config ties tensors; some take it from the config of a part.
    bool tiesByModel() const {
        return m_fit && std::ranges::any_of(m_fit->expected.all(), [](const auto& each) {
                   return !each.second.tiedTo.empty();
               });
    }

    /// A name, and the file of its elements if the source has several.
    std::string withFile(const std::string& name, TensorIndex index) const {
        const TensorEntry& tensor = m_plan.source->tensor(index);
        if (tensor.pieces.empty() || m_plan.source->files().size() < 2) {
            return name;
        }
        const std::size_t file = tensor.pieces.begin()->file.position();
        return name + " (" + visibleText(m_plan.source->files()[file].path) + ")";
    }

    /// A tensor that the model ties to another one, but which is stored with other values.
    Sentence untiedHead() const {
        std::map<std::string_view, TensorIndex> written;
        eachTensor(
            [&](const TensorSegment& segment) { written.emplace(segment.name, segment.source); });
        for (const OutputTensor& tensor : m_tensors) {
            const auto* entry = m_fit ? m_fit->expected.find(tensor.name) : nullptr;
            const auto kept = entry != nullptr && !entry->tiedTo.empty()
                                  ? written.find(entry->tiedTo)
                                  : written.end();
            if (kept == written.end()) {
                continue;
            }
            const TensorIndex index = written.at(tensor.name);
            const bool computed =
                m_plan.sums().contains(index) || m_plan.sums().contains(kept->second);
            const auto root = [&](TensorIndex each) {
                return m_plan.source->tensor(each).aliasOf.value_or(each);
            };
            if (!computed && root(index) != root(kept->second)) {
                return sentence("%1 differs from %2 although the config ties them: some loaders "
                                "drop it; set tie_word_embeddings to false if it was trained",
                                withFile(tensor.name, index),
                                withFile(entry->tiedTo, kept->second));
            }
        }
        return {};
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
            const auto* entry = m_fit ? m_fit->expected.find(std::string(segment.name)) : nullptr;
            const bool other =
                entry != nullptr && !entry->shape.empty() && entry->shape[0] != wanted;
            if (embeds && shape.size() == 2 && !other) { // else of another field, compared above
                add(CheckId::Vocabulary, shape[0] == wanted,
                    sentence("%1 rows in %2, vocab_size %3", shape[0], segment.name, wanted));
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
            const bool isIndex = file.name.ends_with(".index.json") || !file.indexSlots.empty();
            index = isIndex ? file.name : index;
        }
        add(CheckId::Index, shards < 2 || !index.empty(),
            shards < 2 ? "Not needed for a single weight file"
                       : sentence("%1 files, %2", shards, index.empty() ? "no index" : index));
        std::string tokenizer;
        for (const OutputFile& file : m_plan.layout.files) {
            tokenizer = tokenizer.empty() && isVocabularyFile(file.name) ? file.name : tokenizer;
        }
        if (tokenizer.empty()) {
            addUnknown(CheckId::Tokenizer, "Not found beside or above the checkpoint");
        } else {
            add(CheckId::Tokenizer, true, verbatim(tokenizer));
            checkChatTemplate();
        }
        add(CheckId::GenerationConfig, true,
            has("generation_config.json") ? Sentence("generation_config.json")
                                          : "Not found; the model's defaults apply");
    }

    /// Only models that write text have one. Source: transformers' tokenization_utils_base.py;
    /// chat_template.json is read by processors only. One without the name "default" is not found.
    void checkChatTemplate() {
        const std::string name = m_fields ? modelClass(*m_fields) : std::string();
        const bool hasProcessor = name.ends_with("ForConditionalGeneration");
        if (!name.ends_with("ForCausalLM") && !hasProcessor) {
            return;
        }
        std::string file;
        for (const OutputFile& each : m_plan.layout.files) {
            const bool inside = each.name == "tokenizer_config.json" && hasChatTemplate(each);
            const bool own = each.name == "chat_template.jinja" ||
                             (each.name == "chat_template.json" && hasProcessor);
            file = file.empty() && (inside || (own && each.size > 0)) ? each.name : file;
        }
        add(CheckId::ChatTemplate, true,
            file.empty() ? "None; programs that serve chats need one" : verbatim(file));
    }

    static bool hasChatTemplate(const OutputFile& config) {
        if (config.literals.empty()) {
            return false;
        }
        const auto fields = ModelConfig::parse(asText(config.bytesOf(config.literals.front())));
        if (!fields) {
            return false;
        }
        bool found = !fields->text("chat_template").value_or("").empty();
        for (std::int64_t i = 0; i < fields->integer("chat_template.#").value_or(0); ++i) {
            const std::string each = "chat_template." + std::to_string(i);
            found = found || (fields->text(each + ".name") == "default" &&
                              !fields->text(each + ".template").value_or("").empty());
        }
        return found;
    }

    CopyPlan& m_plan;
    const BundleConfig& m_config;
    std::vector<OutputTensor> m_tensors;
    const std::optional<ModelConfig>& m_fields;
    std::optional<ModelFit> m_fit;
};

} // namespace

void readFields(BundleConfig& config) {
    config.fields.reset();
    if (config.json) {
        auto fields = ModelConfig::parse(config.json->dump());
        config.fields = fields ? std::optional(std::move(*fields)) : std::nullopt;
    }
}

void fillChecklist(CopyPlan& plan, const BundleConfig& config) {
    Checklist(plan, config).fill();
}

} // namespace cairn
