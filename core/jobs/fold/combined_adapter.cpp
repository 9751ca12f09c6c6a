// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/combined_adapter.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/other_machine.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_combination.h"
#include "core/families/names/view.h"
#include "core/jobs/elements/computed_tensors.h"
#include "core/jobs/elements/shifted_tensors.h"
#include "core/jobs/fold/adapter_settings.h"
#include "core/plan/average.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

/// An integer where it is one, as PEFT writes it.
Json numberText(double value) {
    constexpr double kExact = 9e15;
    const bool whole = value == std::floor(value) && std::abs(value) < kExact;
    return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

/// The tensors of all members in one checkpoint, multiplied or averaged where that is needed, and
/// the combined tensors as views of them.
class MemberTensors {
public:
    MemberTensors(std::span<const AverageMember> members, const CombinedAdapter& combined)
        : m_members(members), m_combined(combined), m_data(members.back().checkpoint->data()) {
        m_shifts.resize(members.size(), 0);
        for (std::size_t i = 0; i + 1 < members.size(); ++i) {
            m_shifts[i] =
                append(m_data, *members[i].checkpoint, "adapter " + std::to_string(i) + ": ", "");
        }
        for (const CombinedTensor& tensor : combined.tensors) {
            compute(tensor);
        }
        m_source = Checkpoint::make(CheckpointData(m_data));
        if (!m_recipes.empty() || !m_dtypes.empty()) {
            m_computed = std::make_shared<const ComputedSource>(
                ComputedSource{m_source, std::move(m_recipes), std::move(m_dtypes)});
        }
    }

    /// Null: all parts are stored.
    [[nodiscard]] const std::shared_ptr<const ComputedSource>& computed() const {
        return m_computed;
    }

    [[nodiscard]] Result<CheckpointPtr> combined(ComputedBy code) const {
        const CheckpointPtr parts = m_computed ? withComputed(m_computed, code) : m_source;
        CheckpointData data = parts->data();
        data.tensors.clear();
        data.loadValues = [](const CancelToken&) {
            return Result<LoadedValues>(LoadedValues(Value::dict({})));
        };
        for (const CombinedTensor& tensor : m_combined.tensors) {
            CAIRN_TRY(const TensorView view, viewOf(tensor, *parts));
            CAIRN_TRY(TensorEntry entry, view.entry(tensor.name, data, parts));
            entry.role = Role::Weight;
            entry.aliasOf.reset();
            data.tensors.push_back(std::move(entry));
        }
        return Checkpoint::make(std::move(data));
    }

private:
    [[nodiscard]] TensorIndex place(const CombinedPart& part) const {
        return TensorIndex(m_shifts[part.member] + part.tensor.position());
    }

    void compute(const CombinedTensor& tensor) {
        std::set<Dtype> dtypes;
        for (const CombinedPart& part : tensor.parts) {
            dtypes.insert(m_data.tensors[place(part).position()].dtype);
        }
        const bool multiplies = tensor.how == CombinedBy::Rows &&
                                std::ranges::any_of(tensor.parts, [](const CombinedPart& part) {
                                    return part.factor != 1;
                                });
        if (tensor.how == CombinedBy::Mean) {
            ElementRecipe recipe;
            for (const CombinedPart& part : tensor.parts) {
                recipe.terms.push_back(
                    {m_members[part.member].checkpoint, part.tensor, part.factor, nullptr});
            }
            m_recipes.emplace(place(tensor.parts.front()), std::move(recipe));
        }
        for (const CombinedPart& part : tensor.parts) {
            const TensorIndex index = place(part);
            const bool written = tensor.how != CombinedBy::Mean || &part == &tensor.parts.front();
            if (written && (multiplies || dtypes.size() > 1)) {
                m_dtypes.emplace(index, Dtype::Float32);
            }
            if (multiplies) {
                m_recipes.emplace(index, scaledBy(part.factor, index));
            }
        }
    }

    ElementRecipe scaledBy(double factor, TensorIndex index) {
        const Shape shape = m_data.tensors[index.position()].shape;
        addVector(m_data, "factor of " + m_data.tensors[index.position()].name,
                  {static_cast<float>(factor)}, "the adapters' settings");
        TensorEntry& scale = m_data.tensors.back();
        scale.shape = Shape(shape.size(), 1);
        scale.pieces.front().box = Box::whole(scale.shape);
        ElementRecipe recipe;
        recipe.scales = TensorIndex(m_data.tensors.size() - 1);
        recipe.block = shape;
        return recipe;
    }

    [[nodiscard]] Result<TensorView> viewOf(const CombinedTensor& tensor,
                                            const Checkpoint& parts) const {
        std::vector<TensorView> views;
        for (const CombinedPart& part : tensor.parts) {
            views.push_back(TensorView::of(parts, place(part)));
            if (tensor.how == CombinedBy::Mean) {
                return views.front();
            }
            if (tensor.how == CombinedBy::Rows) {
                CAIRN_TRY(views.back(),
                          views.back().split(
                              0, {tensor.experts, views.back().shape()[0] / tensor.experts}));
            }
        }
        CAIRN_TRY(TensorView joined, TensorView::concat(views, 1));
        return tensor.how == CombinedBy::Rows ? joined.merge(0, 2) : joined;
    }

    std::span<const AverageMember> m_members;
    const CombinedAdapter& m_combined;
    CheckpointData m_data;
    CheckpointPtr m_source;
    std::vector<std::uint32_t> m_shifts; ///< of each member's tensors
    std::map<TensorIndex, ElementRecipe> m_recipes;
    std::map<TensorIndex, Dtype> m_dtypes;
    std::shared_ptr<const ComputedSource> m_computed;
};

template <class T> Json patternOf(const std::vector<std::pair<std::string, T>>& pairs) {
    Json object = Json::object();
    for (const auto& [key, value] : pairs) {
        object[key] = numberText(static_cast<double>(value));
    }
    return object;
}

Result<void> writeSettings(const CombinedAdapter& combined, std::vector<Sidecar>& sidecars) {
    const auto found = std::ranges::find(sidecars, "adapter_config.json", &Sidecar::name);
    Json config =
        found == sidecars.end() ? Json() : Json::parse(asText(found->bytes), nullptr, false);
    if (!config.is_object()) {
        return fail(ErrorCode::NotFound, "The settings of the last adapter were not found")
            .inFile("adapter_config.json");
    }
    config["r"] = combined.rank;
    config["lora_alpha"] = numberText(combined.alpha);
    config["rank_pattern"] = patternOf(combined.ranks);
    config["alpha_pattern"] = patternOf(combined.alphas);
    config["use_rslora"] = false;
    config["init_lora_weights"] = true;
    if (combined.modules) {
        config["target_modules"] = *combined.modules;
        for (const char* field : {"layers_to_transform", "layers_pattern", "exclude_modules"}) {
            config[field] = nullptr;
        }
    }
    const std::string text = config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    const auto bytes = asBytes(text);
    found->bytes.assign(bytes.begin(), bytes.end());
    return {};
}

/// As diffusers or kohya name them; a file has names of one kind only.
Result<void> nameForPipeline(CombinedAdapter& combined) {
    std::set<bool> kinds;
    for (CombinedTensor& tensor : combined.tensors) {
        tensor.name = pipelineName(tensor.name);
        kinds.insert(tensor.name.starts_with("lora_"));
    }
    if (kinds.size() > 1) {
        return fail(ErrorCode::Unsupported, "Some of the adapters have kohya's names, others "
                                            "those of diffusers, which name modules otherwise")
            .withHint("Fold the adapters into the base, each with its share: cairn-cli fold BASE "
                      "--adapter A=0.5 --adapter B=0.5");
    }
    return {};
}

/// Adapters of two bases can have equal shapes.
void compareBases(std::span<const AdapterConfig> configs, CombinedSource& made) {
    for (const AdapterConfig& each : configs) {
        if (each.base != configs.front().base) {
            PlanProblem problem;
            problem.code = ErrorCode::InvalidArgument;
            problem.severity = Severity::Warning;
            problem.message = sentence("The adapters name different bases: %1, %2",
                                       configs.front().base, each.base);
            problem.fix = "Average adapters of one base";
            made.problems.push_back(std::move(problem));
            return;
        }
    }
}

} // namespace

bool areAdapters(std::span<const AverageMember> members) {
    return !members.empty() && std::ranges::all_of(members, [](const AverageMember& member) {
        return isAdapterOfPeft(*member.checkpoint) || isPipelineAdapter(*member.checkpoint);
    });
}

Result<CombinedSource> combineMembers(const std::vector<AverageMember>& members,
                                      std::vector<Sidecar>& sidecars) {
    CAIRN_CHECK(checkMemberWeights(members));
    const auto isOfPipeline = [](const AverageMember& member) {
        return isPipelineAdapter(*member.checkpoint);
    };
    const bool pipeline = std::ranges::all_of(members, isOfPipeline);
    if (!pipeline && std::ranges::any_of(members, isOfPipeline)) {
        return fail(ErrorCode::Unsupported, "Some of the adapters are PEFT's, others are of "
                                            "diffusers or kohya, which name modules otherwise")
            .withHint("Fold the adapters into the base, each with its share: cairn-cli fold BASE "
                      "--adapter A=0.5 --adapter B=0.5");
    }
    std::vector<AdapterConfig> configs;
    std::vector<AverageMember> named = members;
    std::vector<CombinedMember> combining;
    CombinedSource made;
    std::vector<std::string> texts;
    for (AverageMember& member : named) {
        made.joined.push_back({member.checkpoint, member.weight});
        texts.push_back(absolutePlace(member.checkpoint->path()).string() + " × " +
                        Json(member.weight).dump());
        CAIRN_TRY(PeftAdapter read, readAdapter(member.checkpoint, nullptr));
        configs.push_back(std::move(read.config));
        member.checkpoint = std::move(read.checkpoint);
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
        combining.push_back({*named[i].checkpoint, configs[i], named[i].weight});
    }
    CAIRN_TRY(
        CombinedAdapter combined,
        combineAdapters(combining, pipeline ? CombinedScale::Matrices : CombinedScale::Settings));
    if (pipeline) {
        CAIRN_CHECK(nameForPipeline(combined));
    } else {
        CAIRN_CHECK(writeSettings(combined, sidecars));
    }
    const MemberTensors tensors(named, combined);
    CAIRN_TRY(made.checkpoint, tensors.combined(ComputedBy::Kernels));
    made.computed = tensors.computed();
    if (made.computed != nullptr) {
        CAIRN_TRY(made.expected, tensors.combined(ComputedBy::PlainCode));
    }
    compareBases(configs, made);
    std::string all;
    for (const std::string& each : texts) {
        all += (all.empty() ? "" : ", ") + each;
    }
    made.decisions.push_back(
        {DecisionId::Averaged, verbatim(all),
         sentence("One adapter of rank %1, whose change is the mean of their changes: the matrices "
                  "of each module are joined, as PEFT's add_weighted_adapter does with "
                  "combination_type \"cat\"",
                  combined.rank)});
    return made;
}

} // namespace cairn
