// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/tensor_list.h"

#include "core/formats/deepspeed/name_pattern.h"
#include "core/formats/deepspeed/widen_codec.h"
#include "core/model/names/role_words.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

/// ZeRO 3 leaves a tensor without elements in place of a parameter.
bool isPlaceholder(const TensorEntry& tensor) {
    return tensor.shape.size() == 1 && tensor.shape[0] == 0;
}

bool isOnePlainPiece(const TensorEntry& tensor) {
    return tensor.pieces.size() == 1 && tensor.pieces[0].codec == kRawCodec &&
           tensor.pieces[0].strides.empty() && !tensor.pieces[0].flags.any();
}

bool sameBytes(const TensorEntry& a, const TensorEntry& b) {
    if (a.dtype != b.dtype || !(a.shape == b.shape) || a.pieces.size() != 1 ||
        b.pieces.size() != 1) {
        return false;
    }
    const Piece& left = a.pieces[0];
    const Piece& right = b.pieces[0];
    return left.file == right.file && left.bytes == right.bytes && left.codec == right.codec &&
           left.strides == right.strides && left.flags == right.flags;
}

} // namespace

bool TensorList::add(TensorEntry tensor) {
    const auto [place, isNew] =
        m_places.try_emplace(tensor.name, TensorIndex(m_data.tensors.size()));
    if (isNew) {
        m_data.tensors.push_back(std::move(tensor));
    }
    return isNew;
}

bool TensorList::add(Member& member, std::size_t position, std::string name, Role role) {
    TensorEntry tensor = member.tensors[position];
    tensor.name = std::move(name);
    tensor.role = role;
    if (tensor.aliasOf) {
        tensor.aliasOf = member.placed[tensor.aliasOf->position()];
    }
    const TensorIndex place(m_data.tensors.size());
    if (!add(std::move(tensor))) {
        return false;
    }
    member.placed[position] = place;
    return true;
}

const TensorEntry* TensorList::find(const std::string& name) const {
    const auto found = m_places.find(name);
    return found == m_places.end() ? nullptr : &m_data.tensors[found->second.position()];
}

std::optional<TensorIndex> TensorList::findTied(const std::string& prefix,
                                                const TensorEntry& stored) const {
    const auto [first, last] = m_tied.equal_range(prefix + stored.name);
    const auto found = std::find_if(first, last, [&](const auto& each) {
        return m_data.tensors[each.second.position()].shape == stored.shape;
    });
    return found == last ? std::nullopt : std::optional(found->second);
}

void TensorList::addLogicals(std::vector<Logical> logicals, const std::string& prefix) {
    for (Logical& logical : logicals) {
        if (logical.master) {
            const std::string_view tied = nameInLayer(logical.name);
            logical.master->name = prefix + logical.master->name;
            m_anyMaster = true;
            m_masters.push_back(logical.master->name);
            const auto known = m_places.find(logical.master->name);
            if (known != m_places.end()) { // pipeline stages share it: the first stage's is used
                const std::size_t number =
                    tied.empty() ? logical.name.find('.') : std::string::npos;
                if (number != std::string::npos) { // named after the first of these layers
                    m_tied.emplace(prefix + logical.name.substr(number + 1), known->second);
                }
                m_repeated.push_back({known->second, std::move(*logical.master)});
                continue;
            }
            if (!tied.empty()) {
                m_tied.emplace(prefix + std::string(tied), TensorIndex(m_data.tensors.size()));
            }
            add(std::move(*logical.master));
        }
        for (TensorEntry& state : logical.states) {
            state.name = prefix + state.name;
            m_moments.push_back(std::move(state));
        }
    }
}

void TensorList::addMoments() {
    for (TensorEntry& moment : m_moments) {
        add(std::move(moment));
    }
    m_moments.clear();
}

void TensorList::addOwn(Member& model, std::size_t position, std::string name, bool buffer) {
    const TensorEntry& stored = model.tensors[position];
    const Role role = buffer || names::isBufferName(name) ? Role::Buffer : Role::Weight;
    if (buffer && isNarrowFloat(stored.dtype) && isOnePlainPiece(stored)) {
        TensorEntry wide = stored;
        wide.name = std::move(name);
        wide.role = role;
        wide.aliasOf.reset();
        wide.pieces[0].codec = m_data.addCodec(makeWidenCodec(stored.dtype));
        wide.dtype = Dtype::Float32;
        add(std::move(wide));
        return;
    }
    add(model, position, std::move(name), role);
    model.placed[position].reset(); // the values refer to the copy under "module."
}

void TensorList::addModule(Member& model, const ModelStates& states, const std::string& prefix,
                           bool partitioned, const std::set<std::string, std::less<>>& elsewhere) {
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorEntry& stored = model.tensors[i];
        if (!stored.name.starts_with(kModule) || (partitioned && isPlaceholder(stored))) {
            continue;
        }
        const std::string own = stored.name.substr(kModule.size());
        const bool shared =
            std::ranges::any_of(states.shared, [&](const auto& pair) { return pair.first == own; });
        if (shared || elsewhere.contains(own) || m_places.contains(prefix + own)) {
            continue;
        }
        const bool buffer = states.buffers.contains(own);
        const TensorEntry* first =
            stored.aliasOf ? &model.tensors[stored.aliasOf->position()] : nullptr;
        const auto target = first != nullptr && first->name.starts_with(kModule)
                                ? m_places.find(prefix + first->name.substr(kModule.size()))
                                : m_places.end();
        if (target != m_places.end() && !buffer) { // tied, even if shared_params does not list it
            TensorEntry alias = m_data.tensors[target->second.position()];
            alias.aliasOf = target->second;
            alias.name = prefix + own;
            add(std::move(alias));
            continue;
        }
        addOwn(model, i, prefix + own, buffer);
    }
}

void TensorList::addAlias(const std::string& target, std::string name, Role role) {
    const auto found = m_places.find(target);
    if (found == m_places.end()) {
        return;
    }
    TensorEntry alias = m_data.tensors[found->second.position()];
    alias.aliasOf = found->second;
    alias.name = std::move(name);
    alias.role = role;
    add(std::move(alias));
}

void TensorList::addShared(const ModelStates& states, const std::string& prefix) {
    for (const auto& [name, stored] : states.shared) {
        const auto target = m_places.find(prefix + stored);
        if (target == m_places.end()) {
            continue;
        }
        TensorEntry alias = m_data.tensors[target->second.position()];
        alias.aliasOf = target->second;
        alias.name = prefix + name;
        add(std::move(alias));
    }
}

void TensorList::addCopies(Member& member, const std::string& prefix, std::string_view container,
                           const std::string& inserted, Placeholders placeholders) {
    const bool partitioned = placeholders == Placeholders::LeaveOut;
    std::vector<std::size_t> aliases;
    for (std::size_t i = 0; i < member.tensors.size(); ++i) {
        const TensorEntry& stored = member.tensors[i];
        if (!stored.name.starts_with(container) || (partitioned && isPlaceholder(stored))) {
            continue;
        }
        const std::string own = inserted + stored.name.substr(container.size());
        if (!add(member, i, prefix + "module." + own, Role::Other)) {
            continue;
        }
        const auto named = m_places.find(prefix + own);
        const auto same = named != m_places.end() ? std::optional(named->second)
                          : inserted.empty()      ? std::nullopt
                                                  : findTied(prefix, stored);
        if (same && sameBytes(m_data.tensors[same->position()], stored)) {
            m_data.tensors.back().aliasOf = *same;
            aliases.push_back(i);
        } else if (same) {
            m_copied.emplace_back(*same, TensorIndex(m_data.tensors.size() - 1));
        }
    }
    // Values contain at most a tensor's first name: an alias may be written with it.
    for (const std::size_t i : aliases) {
        member.placed[i].reset();
    }
}

} // namespace cairn::formats::deepspeed
