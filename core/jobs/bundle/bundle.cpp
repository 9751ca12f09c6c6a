// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/bundle.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/json/json_value.h"
#include "core/families/expected/model_fit.h"
#include "core/families/names/framework.h"
#include "core/families/quantised/quantised.h"
#include "core/jobs/bundle/bundle_checklist.h"
#include "core/jobs/bundle/diffusers.h"
#include "core/jobs/bundle/model_card.h"
#include "core/jobs/bundle/pipeline.h"
#include "core/jobs/bundle/planned_output.h"
#include "core/jobs/bundle/quantization_config.h"
#include "core/plan/first_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

/// Describes how the weights are quantised by this plan.
std::string setQuantisation(BundleConfig& config, CopyPlan& plan) {
    const bool isQuantised = plan.precision && !plan.precision->precision->inBlocks() &&
                             plan.precision->precision->isWritten &&
                             !plan.precision->tensors.empty();
    if (!isQuantised) {
        return {};
    }
    if (config.json->contains("quantization_config")) {
        plan.problems.push_back({ErrorCode::Unsupported,
                                 Severity::Error,
                                 "The config describes another quantisation of the model",
                                 "Dequantise it first: --dequantize --dtype bf16",
                                 {}});
        return {};
    }
    if (config.fields && storesTransposed(*config.fields)) {
        plan.problems.push_back({ErrorCode::Unsupported,
                                 Severity::Error,
                                 "The model stores its matrices transposed, so that scales of rows "
                                 "would not be those of outputs",
                                 "Write bf16, or q8_0 as GGUF",
                                 {}});
        return {};
    }
    const bool hasDtype = config.json->contains("dtype") || config.json->contains("torch_dtype");
    if (!hasDtype) { // loaders compute in float32 otherwise
        const TensorIndex first = plan.precision->tensors.front().source;
        setDtype(*config.json, dtypeName(plan.source->tensor(first).dtype));
    }
    (*config.json)["quantization_config"] = quantizationConfig(plan);
    return hasDtype ? "quantization_config" : "dtype, quantization_config";
}

void refuseScales(CopyPlan& plan) {
    if (plan.precision && !plan.precision->tensors.empty()) {
        plan.problems.push_back({ErrorCode::Unsupported,
                                 Severity::Error,
                                 "diffusers does not load weights with scales of this kind",
                                 "Write bf16 or fp16; diffusers quantises when it loads",
                                 {}});
    }
}

/// Adds the class, which programs other than transformers choose the model by, if only one fits.
void setClass(BundleConfig& config, const std::vector<OutputTensor>& tensors, CopyPlan& plan) {
    if (!config.fields || !modelClass(*config.fields).empty()) {
        return;
    }
    const auto fit = fitModel(*config.fields, tensors);
    if (!fit || !*fit || (*fit)->difference.count() > 0 || !(*fit)->prefix.empty()) {
        return;
    }
    const std::string name((*fit)->model->name);
    Sentence why =
        sentence("The config names only its type, %1; the tensors are those of this class",
                 (*fit)->model->type);
    for (const std::string_view other : (*fit)->alsoFits) {
        why = sentence("%1%2", why,
                       sentence("%1%2",
                                other == (*fit)->alsoFits.front() ? Sentence(", and of ") : ", ",
                                other));
    }
    if ((*fit)->isBase()) {
        why = sentence("%1; tensors of a head are missing", why);
    }
    config.inferred = sentence("%1, inferred: %2", name, why);
    config.isOneOfSeveral = (*fit)->isBase() || !(*fit)->alsoFits.empty();
    (*config.json)["architectures"] = Json::array({name});
    config.changed = true;
    plan.decisions.push_back({DecisionId::Architectures, verbatim(name), why});
}

/// Updates config.json to match the output.
BundleConfig fitConfig(CopyPlan& plan) {
    BundleConfig config;
    OutputFile* file = findFile(plan, "config.json");
    config.there = file != nullptr;
    config.json = file != nullptr ? parseObject(textOf(*file)) : std::nullopt;
    readFields(config);
    config.diffusers = config.there ? diffusersClass(asBytes(textOf(*file))) : std::string();
    if (!config.diffusers.empty()) { // its config does not describe dtypes
        refuseScales(plan);
        return config;
    }
    const std::vector<OutputTensor> tensors = outputTensors(plan);
    const auto dtype = mainDtype(tensors);
    if (!config.json || !dtype) {
        return config;
    }
    Sentence changes;
    const bool eightBits = dtypeInfo(*dtype).bits < 16;
    const bool quantised = config.json->contains("quantization_config");
    if (!eightBits && !quantised && setDtype(*config.json, dtypeName(*dtype))) {
        changes = sentence("dtype %1", dtypeName(*dtype));
    }
    const auto undone = [&] {
        std::size_t removed = 0;
        for (const std::string_view field : kQuantisationFields) {
            removed += config.json->erase(std::string(field));
        }
        return removed > 0;
    };
    if (plan.dequantised && undone()) {
        setDtype(*config.json, dtypeName(*dtype));
        changes = sentence("dtype %1, no quantization_config", dtypeName(*dtype));
    }
    if (const std::string set = setQuantisation(config, plan); !set.empty()) {
        changes = changes.empty() ? verbatim(set) : sentence("%1, %2", changes, set);
    }
    if (!changes.empty()) {
        config.changed = true;
        plan.decisions.push_back({DecisionId::ConfigUpdated, sentence("set: %1", changes),
                                  "Updated to describe the weights; everything else is unchanged"});
    }
    setClass(config, tensors, plan);
    if (config.changed) {
        setText(*file, config.json->dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        readFields(config);
    }
    return config;
}

/// The folders of the components of a pipeline; empty: the output is one model.
std::set<std::string> pipelineComponents(const CopyPlan& plan) {
    std::set<std::string> folders;
    const bool hasIndex = std::ranges::find(plan.layout.files, kPipelineIndex, &OutputFile::name) !=
                          plan.layout.files.end();
    for (const OutputFile& file : plan.layout.files) {
        const std::size_t slash = file.name.find('/');
        if (hasIndex && !file.tensors.empty() && slash != std::string::npos) {
            folders.insert(file.name.substr(0, slash));
        }
    }
    return folders;
}

/// Lines of the lists of all components that say the same of different ones, as one list.
class ComponentLines {
public:
    void add(const std::string& component, std::vector<ChecklistItem> lines) {
        for (ChecklistItem& line : lines) {
            if (std::ranges::find(kOfComponents, line.id) == kOfComponents.end()) {
                continue;
            }
            if (!m_lines.contains(line.id)) {
                m_order.push_back(line.id);
            }
            m_lines[line.id].emplace_back(component, std::move(line));
        }
    }

    std::vector<ChecklistItem> take() {
        std::vector<ChecklistItem> merged;
        for (const CheckId id : m_order) {
            merged.push_back(mergedLine(m_lines[id]));
        }
        return merged;
    }

private:
    using Lines = std::vector<std::pair<std::string, ChecklistItem>>;

    static constexpr std::array<CheckId, 7> kOfComponents = {
        CheckId::Values, CheckId::Shards,      CheckId::Names, CheckId::Tensors,
        CheckId::Config, CheckId::TiedWeights, CheckId::Index};

    /// The worst state, and what is said of the components that are in it.
    static ChecklistItem mergedLine(const Lines& lines) {
        const auto worth = [](const ChecklistItem& line) {
            return line.fails() ? 0 : line.ok ? 2 : 1;
        };
        const auto& worst = std::ranges::min_element(lines, {}, [&](const auto& each) {
                                return worth(each.second);
                            })->second;
        const bool same = std::ranges::all_of(lines, [&](const auto& each) {
            return each.second.detail == worst.detail && worth(each.second) == worth(worst);
        });
        ChecklistItem merged = worst;
        if (same) {
            return merged;
        }
        merged.detail = Sentence();
        for (const auto& [component, line] : lines) {
            if (worth(line) == worth(worst)) {
                const Sentence each = sentence("%1: %2", component, line.detail);
                merged.detail =
                    merged.detail.empty() ? each : sentence("%1; %2", merged.detail, each);
            }
        }
        return merged;
    }

    std::map<CheckId, Lines> m_lines;
    std::vector<CheckId> m_order;
};

/// A pipeline is complete if each component is, taken for itself: with its own config and the names
/// in its own files.
void completeComponents(CopyPlan& plan, const std::set<std::string>& components) {
    std::vector<OutputFile> all = std::move(plan.layout.files);
    std::vector<ChecklistItem> before = std::move(plan.checklist);
    ComponentLines lines;
    bool isUndecided = false;
    for (const std::string& component : components) {
        plan.loader = {};
        const std::string start = component + "/";
        plan.layout.files.clear();
        plan.checklist.clear();
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].name.starts_with(start)) {
                places.push_back(i);
                plan.layout.files.push_back(std::move(all[i]));
            }
        }
        const auto rename = [&](bool inside) {
            for (OutputFile& file : plan.layout.files) {
                file.name = inside ? file.name.substr(start.size()) : start + file.name;
                for (TensorSegment& segment : file.tensors) {
                    const char* name = segment.name.data(); // the component's is in front of it
                    const std::size_t size = segment.name.size();
                    segment.name = inside
                                       ? std::string_view(name + start.size(), size - start.size())
                                       : std::string_view(name - start.size(), size + start.size());
                }
            }
        };
        rename(true);
        const BundleConfig config = fitConfig(plan);
        fillChecklist(plan, config);
        rename(false);
        isUndecided = isUndecided || plan.loader.answer == LoaderAnswer::Undecided;
        lines.add(component, std::move(plan.checklist));
        for (std::size_t i = 0; i < places.size(); ++i) {
            all[places[i]] = std::move(plan.layout.files[i]);
        }
    }
    plan.layout.files = std::move(all);
    plan.checklist = std::move(before);
    plan.loader = {};
    plan.loader.answer = isUndecided ? LoaderAnswer::Undecided : LoaderAnswer::Unknown;
    const bool complete = plan.runnable() && plan.outputTensors() > 0;
    plan.checklist.push_back(
        {CheckId::Weights, complete,
         complete ? sentence("%1 tensors in %2, every element stored exactly once",
                             plan.outputTensors(), counting(components.size(), "component"))
                  : "They cannot be written completely; see the problems"});
    std::ranges::move(lines.take(), std::back_inserter(plan.checklist));
}

/// A card beside the weights is copied, unless it describes names that they do not have any more:
/// then what it declares for the Hub stays.
void addCard(CopyPlan& plan, bool otherNames) {
    OutputFile* const found = findFile(plan, "README.md");
    const bool copied = found != nullptr && !otherNames;
    plan.checklist.push_back(
        {CheckId::ModelCard, true,
         copied ? Sentence("README.md, copied") : "README.md, written by this job"});
    if (copied) {
        return;
    }
    if (found != nullptr) {
        plan.decisions.push_back(
            {DecisionId::ModelCard, "a new one",
             "That of the source describes a model with other names; its licence "
             "and base model are kept"});
        setText(*found, modelCard(plan));
        return;
    }
    OutputFile file;
    file.name = "README.md";
    setText(file, modelCard(plan));
    std::vector<OutputFile> card;
    card.push_back(std::move(file));
    insertFirst(plan.layout, std::move(card));
}

/// Lines of the list that fail stop the job unless it is forced, and so do tensors of which it is
/// undecided whether the loader takes them. `answer`: of what loads the output.
void addProblem(CopyPlan& plan, const JobRequest& request, LoaderAnswer answer) {
    Sentence failed;
    bool loads = answer == LoaderAnswer::Part;
    bool isCertain = false;
    for (const ChecklistItem& item : plan.checklist) {
        const bool isCompared = item.id == CheckId::Tensors || item.id == CheckId::Names;
        const bool isUndecided =
            answer == LoaderAnswer::Undecided && item.id == CheckId::Tensors && !item.ok;
        const bool unknown = isUndecided || (request.mustLoad && isCompared && !item.ok);
        if (item.fails() || unknown) {
            isCertain = isCertain || item.fails();
            loads = loads && item.id == CheckId::Tensors;
            const Sentence line = sentence("%1: %2", item.item(), item.detail);
            failed = failed.empty() ? line : sentence("%1; %2", failed, line);
        }
    }
    if (failed.empty() || !plan.runnable()) {
        return; // another problem stops it anyway
    }
    const bool forced = request.force && !request.mustLoad;
    PlanProblem problem;
    problem.code = ErrorCode::VerifyMismatch;
    problem.severity = forced ? Severity::Warning : Severity::Error;
    if (forced) {
        problem.message = sentence("Forced: the folder may not load: %1", failed);
    } else if (loads) {
        problem.message = sentence("The folder would load, but not all of it: %1", failed);
        problem.fix = "Leave the tensors out with --only, name the folder of a model that has them "
                      "with --like, or write it anyway with --force";
    } else {
        problem.message = isCertain ? sentence("The folder would not load: %1", failed)
                                    : sentence("The folder may not load: %1", failed);
        problem.fix = "--force writes it anyway";
    }
    plan.problems.push_back(std::move(problem));
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

Result<void> completeBundle(CopyPlan& plan, const JobRequest& request) {
    if (plan.layout.files.empty()) {
        return {}; // a problem gives the reason
    }
    const bool otherNames = findFramework(request.names) != nullptr;
    if (const auto components = pipelineComponents(plan); !components.empty()) {
        completeComponents(plan, components);
        addProblem(plan, request, plan.loader.answer);
    } else {
        BundleConfig config = fitConfig(plan);
        config.otherNames = otherNames;
        fillChecklist(plan, config);
        addProblem(plan, request, plan.loader.answer);
    }
    addCard(plan, otherNames || request.names == "hf");
    refreshForecast(plan);
    return validate(plan);
}

void requireLoadable(CopyPlan& plan, std::span<const Sidecar> sidecars, const JobRequest& request) {
    BundleConfig config;
    config.otherNames = findFramework(request.names) != nullptr;
    for (const Sidecar& sidecar : sidecars) {
        if (sidecar.name == "config.json") {
            config.json = parseObject(asText(sidecar.bytes));
        }
    }
    readFields(config);
    PlanLoader loader = plan.loader; // the class alone does not load a file without its config
    fillChecklist(plan, config);
    std::swap(plan.loader, loader);
    std::erase_if(plan.checklist, [](const ChecklistItem& each) {
        return each.id != CheckId::Names && each.id != CheckId::FrameworkNames &&
               each.id != CheckId::Tensors && each.id != CheckId::TiedWeights;
    });
    addProblem(plan, request, loader.answer);
}

} // namespace cairn
