// SPDX-License-Identifier: Apache-2.0
#include "core/model/role_content.h"

#include "core/model/names/role_words.h"

#include <algorithm>
#include <string_view>

namespace cairn {
namespace {

bool hasIntegers(Dtype dtype) {
    const DtypeKind kind = dtypeInfo(dtype).kind;
    return kind == DtypeKind::Bool || kind == DtypeKind::Unsigned || kind == DtypeKind::Signed;
}

bool isNumber(std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "state.0.exp_avg": optimizers number their state by parameter. "0.mu.dense.kernel": optax by
/// transformation.
bool isNumberedState(std::string_view part, std::string_view next, std::string_view leaf) {
    const bool torch = part == "state" && isNumber(next) && next != leaf;
    const bool optax = isNumber(part) && (next == "mu" || next == "nu" || next == "trace");
    return optax || (torch && !names::isParameterName(leaf));
}

void inspectTensor(RoleContent& content, const TensorEntry& tensor) {
    const std::string_view name = tensor.name;
    const std::string_view leaf = name.substr(name.find_last_of(names::kPartEnds) + 1);
    std::string_view before;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find_first_of(names::kPartEnds, begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        content.optimizer =
            content.optimizer || names::isMomentName(part) || isNumberedState(before, part, leaf);
        before = part;
        begin = end + 1;
    }
    content.parameters = content.parameters || names::isParameterName(leaf);
    content.whole = content.whole && hasIntegers(tensor.dtype);
    content.arrays = content.arrays || (!tensor.shape.empty() && !hasIntegers(tensor.dtype));
    content.words =
        content.words ||
        (!tensor.shape.empty() && (tensor.dtype == Dtype::Uint8 || tensor.dtype == Dtype::Uint32));
}

} // namespace

bool RoleContent::unlike(Role role) const {
    const bool single = role == Role::Scheduler || role == Role::TrainingState;
    return (single && arrays) || (role == Role::Rng && !whole);
}

RoleContent roleContent(const std::vector<std::size_t>& positions,
                        std::span<const TensorEntry> tensors) {
    RoleContent content;
    for (const std::size_t i : positions) {
        inspectTensor(content, tensors[i]);
    }
    return content;
}

} // namespace cairn
