// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/flat_range.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/tag_folder.h"
#include "core/model/names/role_words.h"

#include <algorithm>
#include <utility>

// Universal checkpoints: `zero/<parameter>/<state>.pt`, one complete tensor per file. Source:
// deepspeed/checkpoint/ds_to_universal.py, universal_checkpoint.py.

namespace cairn::formats::deepspeed {
namespace {

/// The file's tensor: under "param", or the root itself.
const TensorEntry* tensorOf(const Member& member) {
    const Value* inner = member.root.find("param");
    return member.tensor(inner != nullptr ? inner : &member.root);
}

const Parameter* parameterNamed(const std::deque<ModelPart>& parts, std::string_view name) {
    for (const ModelPart& part : parts) {
        for (const auto& group : part.states().groups) {
            const auto found = std::ranges::find(group, name, &Parameter::name);
            if (found != group.end()) {
                return &*found;
            }
        }
    }
    return nullptr;
}

} // namespace

Result<void> TagFolder::openUniversal() {
    auto zero = m_request.folder->openFolder("zero");
    auto entries = entriesOf(zero);
    if (!entries) {
        return takeFailure(std::move(entries).error());
    }
    std::map<std::string, std::set<std::string>> states; // for each parameter with a folder
    for (const FolderEntry& entry : *entries) {
        if (entry.kind != EntryKind::Folder) {
            continue;
        }
        auto parameter = (*zero)->openFolder(entry.name);
        auto files = entriesOf(parameter);
        if (!files) {
            CAIRN_CHECK(takeFailure(std::move(files).error()));
            continue;
        }
        bool any = false;
        for (const FolderEntry& file : *files) {
            if (file.kind != EntryKind::Folder && file.name.ends_with(".pt")) {
                any = true;
                states[entry.name].insert(file.name);
                CAIRN_CHECK(openUniversalFile(entry.name, file.name));
            }
        }
        if (!any) {
            addDamage(m_data, fail(ErrorCode::BeingWritten,
                                   "A parameter's folder does not contain a complete tensor")
                                  .inFile("zero/" + entry.name)
                                  .withHint("The conversion did not finish; run it again"));
        }
    }
    checkUniversal(states);
    const bool state = std::ranges::any_of(
        *entries, [](const FolderEntry& e) { return e.name == "optimizer_state.pt"; });
    if (!state) {
        addMissingFile(m_data, m_request.folder, "zero/optimizer_state.pt", Role::Optimizer,
                       "the file, which every conversion writes");
    } else {
        auto member = openMember(m_request, "zero/optimizer_state.pt", m_data, Role::Optimizer);
        if (!member) {
            return takeFailure(std::move(member).error());
        }
        m_universalState = std::move(*member);
    }
    return {};
}

/// Checks that each parameter of the model states has its master, and the states that most
/// parameters have.
void TagFolder::checkUniversal(const std::map<std::string, std::set<std::string>>& states) {
    constexpr std::string_view kMaster = "fp32.pt";
    constexpr std::size_t kMostMissing = 40;
    const auto parameters = listedParameters();
    std::map<std::string, std::size_t> counts;
    for (const auto& [parameter, files] : states) {
        for (const std::string& file : files) {
            counts[file] += parameters.contains(parameter) ? 1 : 0;
        }
    }
    std::set<std::string> expected{std::string(kMaster)};
    if (counts.contains("exp_avg.pt") || counts.contains("exp_avg_sq.pt")) {
        expected.insert({"exp_avg.pt", "exp_avg_sq.pt"}); // every conversion writes both
    }
    for (const auto& [file, count] : counts) {
        if (count > 0 && 2 * count >= parameters.size()) {
            expected.insert(file);
        }
    }
    std::size_t missing = 0;
    for (const std::string& parameter : parameters) {
        const auto own = states.find(parameter);
        for (const std::string& file : expected) {
            const bool there = own != states.end() && own->second.contains(file);
            if (!there && missing++ < kMostMissing) {
                addMissingFile(m_data, m_request.folder, "zero/" + parameter + "/" + file,
                               file == kMaster ? Role::Weight : Role::Optimizer,
                               "param_shapes lists the parameter");
            }
        }
    }
}

Result<void> TagFolder::openUniversalFile(const std::string& parameter, const std::string& file) {
    const std::string state = file.substr(0, file.size() - 3);
    const bool master = state == "fp32";
    auto opened = openMember(m_request, "zero/" + parameter + "/" + file, m_data,
                             master ? Role::Weight : Role::Optimizer);
    if (!opened) {
        return takeFailure(std::move(opened).error());
    }
    const std::string name = parameter + "." + state;
    Member& member = *opened;
    const TensorEntry* stored = tensorOf(member);
    if (stored == nullptr) { // a step stored as a plain number
        m_universalValues.push_back({Value(name), movedTensors(member.root, member.placed)});
        return {};
    }
    // The weight has the parameter's name, as in other saves; its file's name becomes an alias.
    // Buffers come from the model states, where they have their dtype.
    const bool buffer = std::ranges::any_of(
        m_parts, [&](const ModelPart& part) { return part.states().buffers.contains(parameter); });
    const bool weight = master && !buffer;
    const std::string shown = weight ? parameter : name;
    const Role role = weight && names::isBufferName(parameter) ? Role::Buffer
                      : weight                                 ? Role::Weight
                      : buffer                                 ? Role::Other
                                                               : Role::Optimizer;
    const Parameter* known =
        stored->shape.size() == 1 ? parameterNamed(m_parts, parameter) : nullptr;
    const bool flat =
        known != nullptr && known->shape.size() != 1 && stored->elements() >= known->elements;
    if (!flat) {
        m_list.add(member, member.positionOf(stored), shown, role);
        if (weight) {
            m_list.addAlias(shown, name, Role::Other);
        }
        return {};
    }
    TensorEntry shaped{shown, stored->dtype, known->shape, role, {},
                       {}}; // from ZeRO 3: one-dimensional
    if (auto cut = FlatCutter(m_data).cut(*stored, {0, known->elements}, shaped, 0); !cut) {
        return takeFailure(std::move(cut).error());
    }
    m_list.add(std::move(shaped));
    if (weight) {
        m_list.addAlias(shown, name, Role::Other);
    }
    return {};
}

} // namespace cairn::formats::deepspeed
