// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/model/output_layout.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// The tree that the layouts of JAX's formats write. Pure.
namespace cairn::formats::jax {

/// The class under which readers show Python's complex numbers.
inline constexpr std::string_view kComplexClass = "builtins.complex";

/// The hint where plain values are in the way.
inline Sentence tensorsAlone() {
    return "`consolidate --only '*'` writes the tensors without the plain values";
}

/// request.values without the tensors that are not written; those that it does not mention are
/// added by their names. Names become nested dicts with text keys, cut at the dots, as the readers
/// join them; where a name continues the name of another tensor, the rest is one key. Fails:
/// Unsupported (the values are not a dict, and do not mention all tensors; a text that is not
/// UTF-8), NameNotRepresentable (a name or key that is not), DuplicateTensor (a dict with two keys
/// of one text, such as 1 and "1"), LimitExceeded (depth).
Result<Value> outputTree(const LayoutRequest& request);

/// Where each tensor of a request is, by its index in the source.
class RequestTensors {
public:
    explicit RequestTensors(const LayoutRequest& request);

    /// The tensor at this place in the tree, once. Fails: Unsupported, if the tree mentions it a
    /// second time, or the place is not its name, so that the output would have other names.
    Result<const LayoutTensor*> take(TensorIndex tensor, const std::string& place);

private:
    const LayoutRequest& m_request;
    std::unordered_map<std::uint32_t, std::size_t> m_positions;
    std::vector<bool> m_taken;
};

/// The elements of a tensor in an array of NumPy.
struct ArrayType {
    std::string_view name;   ///< "bfloat16"
    std::uint64_t width = 1; ///< bytes of an element
    std::uint64_t bytes = 0;
};
/// Fails: DtypeNotRepresentable, LimitExceeded.
Result<ArrayType> arrayType(const LayoutTensor& tensor);

/// For values that a format cannot store. `place`: dotted path.
Error notStorable(const Value& value, const std::string& place, std::string_view format);

/// The parts of a complex number, or empty.
std::optional<std::pair<double, double>> complexParts(const Value& value);

/// "params", "dense" → "params.dense".
std::string placeBelow(const std::string& place, std::string_view key);

} // namespace cairn::formats::jax
