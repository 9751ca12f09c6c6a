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

/// Writes data.pkl: values and tensors as torch pickles them (torch/serialization.py,
/// torch/_utils.py). One object per pickle. Shared by the layouts of .pt files and of the items of
/// distributed checkpoints.
class ValuePickler {
public:
    /// How objects are written: as dicts of their attributes, with the class under "$class"; or
    /// those of argparse.Namespace as objects, which torch.load takes only if it is told to.
    enum class Objects : std::uint8_t { AsDicts, Namespaces };
    explicit ValuePickler(std::span<const LayoutTensor> tensors,
                          Objects objects = Objects::AsDicts);

    /// Null: an OrderedDict of all tensors. Shared values are written once. References to tensors
    /// that are not part of the output are removed from dicts and become None elsewhere.
    Result<std::vector<std::byte>> write(const Value* values);

    /// Writes only the value, of any kind; tensors that it does not refer to are omitted.
    Result<std::vector<std::byte>> writeAlone(const Value& value);

private:
    Result<void> tensor(std::size_t position);
    Result<void> value(const Value& value);
    Result<void> container(const Value& value);
    enum class Items : std::uint8_t { Keyed, Bare };
    Result<void> items(const Value& value, Items kind);
    Result<void> dict(const Value& value);
    Result<void> unmentioned();
    void openDict(const Value& value);
    void storage(std::size_t position, bool untyped);
    void dims(const Dims& dims);
    void orderedDict();
    [[nodiscard]] bool omitted(const Value& value) const;
    /// A tensor with a class (a DTensor, or one with attributes) is an Object that contains the
    /// tensor of the same name.
    [[nodiscard]] std::optional<std::size_t> ownTensor(const Value& object) const;

    std::span<const LayoutTensor> m_tensors;
    std::unordered_map<std::uint32_t, std::size_t>
        m_positions; ///< source index -> first position in m_tensors
    Objects m_objects;
    std::vector<bool> m_written;
    std::unordered_map<const void*, std::uint32_t> m_shared; ///< container -> memo slot
    std::string m_path; ///< of the current value, keys joined with dots
    pickle::PickleWriter m_pickle;
};

} // namespace cairn::formats
