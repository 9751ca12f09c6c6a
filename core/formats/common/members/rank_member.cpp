// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/rank_member.h"

#include <iterator>
#include <unordered_map>
#include <utility>

namespace cairn::formats {
namespace {

class Mover {
public:
    explicit Mover(const std::vector<std::optional<TensorIndex>>& placed) : m_placed(placed) {}

    Value move(const Value& value) { // depth is limited by Value::kMaxDepth
        if (const TensorIndex* tensor = value.asTensor()) {
            const bool known = tensor->position() < m_placed.size();
            const auto place = known ? m_placed[tensor->position()] : std::nullopt;
            return place ? Value(*place) : Value();
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            return value;
        }
        if (const auto known = m_known.find(node); known != m_known.end()) {
            return known->second;
        }
        ValueNode moved{node->kind, node->className, {}};
        moved.items.reserve(node->items.size());
        for (const ValueItem& item : node->items) {
            Value inner = move(item.value);
            const bool gone = item.value.asTensor() != nullptr && inner.kind() == ValueKind::Null;
            if (!gone || node->kind != ValueKind::Dict) { // positions in lists must not change
                moved.items.push_back({item.key, std::move(inner)});
            }
        }
        Value result = Value::container(std::move(moved));
        m_known.emplace(node, result);
        return result;
    }

private:
    const std::vector<std::optional<TensorIndex>>& m_placed;
    std::unordered_map<const void*, Value> m_known;
};

} // namespace

const TensorEntry* Member::tensor(const Value* value) const {
    if (value != nullptr && value->kind() == ValueKind::Object) { // a parameter with attributes
        value = value->find("data");
    }
    const TensorIndex* index = value == nullptr ? nullptr : value->asTensor();
    return index == nullptr || index->position() >= tensors.size() ? nullptr
                                                                   : &tensors[index->position()];
}

Result<Member> openMember(const OpenRequest& request, const std::string& name, CheckpointData& data,
                          std::optional<Role> role) {
    CAIRN_CHECK(request.cancel.check());
    auto nested = request.openNested(name);
    if (!nested) {
        Error error = std::move(nested).error();
        error.where.file = error.where.file.empty() ? name : error.where.file;
        return error;
    }
    Member member;
    member.name = name;
    member.checkpoint = std::move(*nested);
    CAIRN_TRY(LoadedValues loaded, member.checkpoint->valuesWithRecords(request.cancel));
    member.root = std::move(loaded.value);
    member.records = loaded.records;
    const std::uint32_t first = append(data, *member.checkpoint, {}, {}, std::nullopt);
    const auto begin = data.tensors.begin() + static_cast<std::ptrdiff_t>(first);
    member.tensors.assign(std::make_move_iterator(begin),
                          std::make_move_iterator(data.tensors.end()));
    data.tensors.erase(begin, data.tensors.end());
    for (TensorEntry& tensor : member.tensors) {
        if (tensor.aliasOf) {
            tensor.aliasOf = TensorIndex(tensor.aliasOf->position() - first);
        }
    }
    member.placed.resize(member.tensors.size());
    member.used.resize(member.tensors.size());
    data.files.back().role = role.value_or(data.files.back().role);
    return member;
}

Value movedTensors(const Value& value, const std::vector<std::optional<TensorIndex>>& placed) {
    return Mover(placed).move(value);
}

} // namespace cairn::formats
