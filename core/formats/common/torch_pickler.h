// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/pickle/pickle_writer.h"
#include "core/model/output_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::formats {

/// Writes data.pkl: values and tensors in torch's pickle vocabulary (torch/serialization.py,
/// torch/_utils.py). One object for one pickle. Shared by the layouts of .pt files and of the items
/// of distributed checkpoints.
class ValuePickler {
public:
    explicit ValuePickler(std::span<const LayoutTensor> tensors);

    /// Null: an OrderedDict of all tensors. Values that are shared are written once. Tensor
    /// references that were not chosen for the output are left out of dicts and are None elsewhere.
    Result<std::vector<std::byte>> write(const Value* values);

    /// The value alone, whatever it is; tensors that it does not mention are left out.
    Result<std::vector<std::byte>> writeAlone(const Value& value);

private:
    Result<void> tensor(std::size_t position);
    Result<void> value(const Value& value);
    Result<void> container(const Value& value);
    Result<void> items(const Value& value, bool keyed);
    Result<void> dict(const Value& value);
    Result<void> unmentioned();
    void openDict(const Value& value);
    void storage(std::size_t position, bool untyped);
    void dims(const Dims& dims);
    void orderedDict();
    [[nodiscard]] bool omitted(const Value& value) const;
    /// A tensor of a class of its own (a DTensor, one with attributes) is an Object that holds the
    /// tensor of its own name.
    [[nodiscard]] std::optional<std::size_t> ownTensor(const Value& object) const;

    std::span<const LayoutTensor> m_tensors;
    std::unordered_map<std::uint32_t, std::size_t>
        m_positions; ///< source index -> first position in m_tensors
    std::vector<bool> m_written;
    std::unordered_map<const void*, std::uint32_t> m_shared; ///< container -> memo slot
    std::string m_path; ///< of the value that is being written, keys joined with dots
    pickle::PickleWriter m_pickle;
};

} // namespace cairn::formats
