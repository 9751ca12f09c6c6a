// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/tag_folder.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/name_pattern.h"
#include "core/formats/deepspeed/neox_settings.h"
#include "core/formats/deepspeed/rounding_check.h"
#include "core/formats/deepspeed/saved_names.h"
#include "core/model/names/role_words.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::formats::deepspeed {
TagFolder::TagFolder(const OpenRequest& request)
    : m_request(request), m_files(sortFiles(request.entries)), m_list(m_data) {
    m_data.format = "deepspeed";
    m_data.framework = "deepspeed";
    m_data.path = request.path;
    m_data.completeness = Completeness::Complete;
}

Result<CheckpointPtr> TagFolder::read() {
    CAIRN_CHECK(openParts());
    CAIRN_CHECK(openLoose(m_files.layers));
    CAIRN_CHECK(openLoose(m_files.experts));
    CAIRN_CHECK(openExpertOptimizers());
    if (m_files.universal) {
        CAIRN_CHECK(openUniversal());
    }
    const bool anything =
        std::ranges::any_of(m_data.files, [](const CheckpointFile& file) { return !file.missing; });
    if (!anything && m_firstError) {
        return std::move(*m_firstError);
    }
    nameWithoutZero();
    addWeights();
    addCopies();
    auto copied = m_list.copied();
    std::erase_if(copied, [&](const WeightAndCopy& pair) { // ds_to_universal removes padding
        return m_files.universal && m_data.tensors[pair.first.position()].shape !=
                                        m_data.tensors[pair.second.position()].shape;
    });
    checkCopies(m_data, copied);
    checkShared(m_data, m_list.repeated());
    addLeftovers();
    noteMissingLayers(); // before merging removes the slices' names
    joinSlices();
    noteStrays();
    noteMissingExperts();
    checkTag();
    checkSavedNames(m_request, m_files, m_data);
    setFacts();
    if (auto settings = neoxSettings(m_request, m_data)) {
        m_universalValues.push_back(std::move(*settings));
    }
    m_data.loadValues = valueLoader();
    CAIRN_CHECK(m_request.cancel.check());
    return Checkpoint::make(std::move(m_data));
}

Result<void> TagFolder::takeFailure(Error error) {
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutsideFolder) {
        return error;
    }
    if (!m_firstError) {
        m_firstError = error;
    }
    addDamage(m_data, std::move(error));
    return {};
}

Result<void> TagFolder::openParts() {
    for (const auto& [mp, files] : m_files.ranks) {
        ModelPart& part = m_parts.emplace_back(m_request, m_data, mp);
        CAIRN_CHECK(part.open(files, m_files.partitioned, m_files.universal));
        if (!m_firstError) {
            m_firstError = part.firstError();
        }
    }
    // A stage or slice without any file.
    const ModelStates* recorded = m_parts.empty() ? nullptr : &m_parts.front().states();
    const std::int64_t stages = recorded != nullptr ? recorded->mpWorldSize.value_or(1) : 1;
    for (Rank mp = 0; mp < std::min<std::int64_t>(stages, 10'000); ++mp) {
        if (!m_files.ranks.contains(mp)) {
            addMissingFile(m_data, m_request.folder,
                           (m_files.partitioned ? "zero_pp_rank_0_mp_rank_" : "mp_rank_") +
                               twoDigits(mp) + "_model_states.pt",
                           Role::Weight,
                           sentence("the model was saved in %1 model parallel parts", stages));
        }
    }
    return {};
}

Result<void> TagFolder::openLoose(const std::vector<FileName>& files) {
    for (const FileName& file : files) {
        auto member = openMember(m_request, file.name, m_data, Role::Weight);
        if (!member) {
            CAIRN_CHECK(takeFailure(std::move(member).error()));
            continue;
        }
        const bool sliced =
            std::ranges::any_of(files, [](const FileName& each) { return each.mp > 0; });
        std::string prefix = sliced ? "mp_rank_" + twoDigits(file.mp) + "." : std::string();
        m_loose.push_back({file, std::move(*member), std::move(prefix)});
    }
    return {};
}

/// Pipelines trained with only BF16_Optimizer (such as BLOOM): shapes come from the layers' files.
void TagFolder::nameWithoutZero() {
    for (ModelPart& part : m_parts) {
        const std::string prefix = prefixOf(part);
        std::map<std::string, const Shape*, std::less<>> byName;
        for (const Loose& loose : m_loose) {
            for (const TensorEntry& tensor : loose.member.tensors) {
                if (loose.prefix == prefix && loose.file.kind == FileKind::Layer) {
                    byName.emplace(std::to_string(loose.file.layer) + "." + tensor.name,
                                   &tensor.shape);
                }
            }
        }
        part.nameWithoutZero([&](const std::string& name, std::uint64_t elements) {
            const std::string_view tied = nameInLayer(name); // the number is that of a layer
            std::optional<Shape> found;
            for (const auto& [own, shape] : byName) {
                const bool same = tied.empty()
                                      ? own == name
                                      : std::string_view(own).substr(own.find('.') + 1) == tied;
                if (same && elementCount(*shape) == elements) {
                    found = found && *found != *shape ? std::nullopt : std::optional(*shape);
                }
            }
            return found;
        });
    }
}

void TagFolder::addWeights() {
    const auto elsewhere = m_files.universal ? listedParameters() : decltype(listedParameters()){};
    for (ModelPart& part : m_parts) {
        // Universal weights are complete, whatever the parts were.
        const std::string prefix = m_files.universal ? std::string() : prefixOf(part);
        m_list.addLogicals(part.join(), prefix);
        if (Member* model = part.model()) {
            if (!part.states().hasShapes) {
                addWithoutZero(part, prefix);
            }
            m_list.addModule(*model, part.states(), prefix, part.partitioned(), elsewhere);
        }
        m_list.addShared(part.states(), prefix);
    }
    for (Loose& loose : m_loose) {
        if (!m_files.universal) {
            addLooseWeights(loose);
        }
    }
    m_list.addMoments();
}

/// The names in param_shapes of all parts.
std::set<std::string, std::less<>> TagFolder::listedParameters() const {
    std::set<std::string, std::less<>> names;
    for (const ModelPart& part : m_parts) {
        for (const auto& group : part.states().groups) {
            for (const Parameter& parameter : group) {
                names.insert(parameter.name);
            }
        }
    }
    return names;
}

/// Adds weights of a layer or expert without a master: from training without ZeRO, buffers, frozen
/// weights.
void TagFolder::addLooseWeights(Loose& loose) {
    const bool layer = loose.file.kind == FileKind::Layer;
    for (std::size_t i = 0; i < loose.member.tensors.size(); ++i) {
        const TensorEntry& stored = loose.member.tensors[i];
        const std::string name =
            layer ? std::to_string(loose.file.layer) + "." + stored.name : stored.name;
        if (m_list.find(loose.prefix + name) != nullptr ||
            (layer && m_list.findTied(loose.prefix, stored))) {
            continue;
        }
        const bool buffer =
            names::isBufferName(name) || std::ranges::any_of(m_parts, [&](const ModelPart& part) {
                return part.states().buffers.contains(name);
            });
        m_list.add(loose.member, i, loose.prefix + name, buffer ? Role::Buffer : Role::Weight);
        loose.member.placed[i].reset();
    }
}

void TagFolder::addCopies() {
    for (ModelPart& part : m_parts) {
        if (Member* model = part.model()) {
            m_list.addCopies(*model, prefixOf(part), kModule, {},
                             part.partitioned() ? TensorList::Placeholders::LeaveOut
                                                : TensorList::Placeholders::Add);
        }
    }
    for (Loose& loose : m_loose) {
        const bool layer = loose.file.kind == FileKind::Layer;
        const std::string inserted = layer ? std::to_string(loose.file.layer) + "." : std::string();
        m_list.addCopies(loose.member, loose.prefix, {}, inserted, TensorList::Placeholders::Add);
    }
}

/// Adds all remaining tensors of the first rank's files, with their names there.
void TagFolder::addLeftovers() {
    for (ModelPart& part : m_parts) {
        const std::string prefix =
            &part == &m_parts.front() ? std::string() : "mp_rank_" + twoDigits(part.rank()) + ".";
        if (Member* model = part.model()) {
            for (std::size_t i = 0; i < model->tensors.size(); ++i) {
                const std::string& name = model->tensors[i].name;
                const bool fragment = name.starts_with("frozen_param_fragments.");
                if (!model->placed[i] && !model->used[i] && !name.starts_with(kModule) &&
                    !fragment) {
                    m_list.add(*model, i, prefix + name, model->tensors[i].role);
                }
            }
        }
        if (part.states().hasShapes || part.optimizer() == nullptr) {
            Member* optimizer = part.optimizer();
            for (std::size_t i = 0; optimizer != nullptr && i < optimizer->tensors.size(); ++i) {
                if (!part.isFlat(optimizer->tensors[i])) {
                    m_list.add(*optimizer, i, prefix + optimizer->tensors[i].name, Role::Optimizer);
                }
            }
        } else {
            addFlat(part);
        }
    }
    for (auto& [file, member] : m_expertOptimizers) {
        const std::string stem = file.name.substr(0, file.name.rfind('.')) + ".";
        for (std::size_t i = 0; i < member.tensors.size(); ++i) {
            if (!member.used[i]) {
                m_list.add(member, i, stem + member.tensors[i].name, Role::Optimizer);
            }
        }
    }
    if (m_universalState) {
        for (std::size_t i = 0; i < m_universalState->tensors.size(); ++i) {
            m_list.add(*m_universalState, i, "optimizer_state." + m_universalState->tensors[i].name,
                       Role::Optimizer);
        }
    }
}

/// Without the parameters' names and shapes the flat parts are shown unchanged.
void TagFolder::addFlat(ModelPart& part) {
    part.forEachOptimizer([&](Member& member) {
        const std::string stem = member.name.substr(0, member.name.rfind('.'));
        for (std::size_t i = 0; i < member.tensors.size(); ++i) {
            m_list.add(member, i, stem + "." + member.tensors[i].name, Role::Optimizer);
        }
    });
}

void TagFolder::noteStrays() {
    for (const FileName& file : m_files.others) {
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StaleShard, "The file is left over from another save and is not used")
                .inFile(file.name)
                .withHint("There is a newer file of the same rank"));
    }
    for (const std::string& name : m_files.temporary) {
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StrayFile, "The file has a temporary name; its save did not finish")
                .inFile(name));
    }
}

void TagFolder::checkTag() {
    const auto named = stepOfTag(m_request.path.filename().string());
    for (const ModelPart& part : m_parts) {
        const auto steps = part.states().steps;
        const auto first = m_parts.front().states().steps;
        if (steps && first && *steps != *first) {
            addDamage(m_data, fail(ErrorCode::StaleShard,
                                   "The model-parallel parts are from different saves")
                                  .inFile(part.modelName())
                                  .inField("global_steps")
                                  .butFound(sentence("%1 in part %2", *steps, part.rank()))
                                  .expecting(verbatim(std::to_string(*first))));
        }
        if (steps && named && *steps != *named && part.updates() == static_cast<double>(*named)) {
            addDamage(m_data,
                      fail(ErrorCode::StaleShard, "The model states are from a different save than "
                                                  "the optimizer states and the folder")
                          .inFile(part.modelName())
                          .inField("global_steps")
                          .butFound(verbatim(std::to_string(*steps)))
                          .expecting(verbatim(std::to_string(*named))));
        } else if (steps && named && *steps != *named && &part == &m_parts.front()) {
            addNotice(m_data, Severity::Warning,
                      fail(ErrorCode::StaleShard,
                           "The folder's name contains a different step than its files")
                          .inFile(m_parts.front().modelName())
                          .inField("global_steps")
                          .butFound(verbatim(std::to_string(*steps)))
                          .expecting(verbatim(std::to_string(*named))));
        }
    }
}

void TagFolder::setFacts() {
    if (m_parts.empty()) {
        return;
    }
    const ModelPart& part = m_parts.front();
    const auto dp = static_cast<std::int64_t>(part.worldSize());
    const std::int64_t mp =
        part.states().mpWorldSize.value_or(static_cast<std::int64_t>(m_parts.size()));
    m_data.worldSize = dp * std::min<std::int64_t>(mp, 1'000'000);
    m_data.step = part.states().steps;
}

/// The first rank's model states at the top level, its optimizer states below them.
ValueLoader TagFolder::valueLoader() {
    struct Source {
        Value root;
        std::vector<std::optional<TensorIndex>> placed;
    };
    std::vector<Source> roots;
    std::optional<Source> state;
    ValueRecords records{.unchecked = m_universalValues.empty() ? 0U : 1U};
    if (!m_parts.empty()) {
        for (Member* member : {m_parts.front().model(), m_parts.front().optimizer()}) {
            if (member != nullptr) {
                roots.push_back({member->root, member->placed});
                records += member->records;
            }
        }
    }
    if (m_universalState) {
        state = Source{m_universalState->root, m_universalState->placed};
        records += m_universalState->records;
    }
    return [roots = std::move(roots), state = std::move(state),
            extra = std::move(m_universalValues),
            records](const CancelToken& cancel) -> Result<LoadedValues> {
        std::vector<ValueItem> items;
        std::set<std::string> keys;
        for (const Source& source : roots) {
            CAIRN_CHECK(cancel.check());
            const Value moved = movedTensors(source.root, source.placed);
            for (const ValueItem& item : moved.items()) {
                if (keys.insert(keyText(item.key)).second) {
                    items.push_back(item);
                }
            }
        }
        if (state) {
            items.push_back({Value("optimizer_state"), movedTensors(state->root, state->placed)});
        }
        items.insert(items.end(), extra.begin(), extra.end());
        return LoadedValues(Value::dict(std::move(items)), records);
    };
}

} // namespace cairn::formats::deepspeed
