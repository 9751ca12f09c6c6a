// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace cairn {

/// Collects tensors of checkpoints that were derived from one (families/names/recipe.h), over whose
/// files all of them are. A value; not thread-safe.
class DerivedTensors {
public:
    /// The checkpoint must outlive the collection.
    explicit DerivedTensors(const Checkpoint& base)
        : m_data(base.data()), m_known(base.data().codecs.size()) {
        m_data.tensors.clear();
    }

    /// All tensors of `derived` under the names that `name` gives them; the position of the first.
    std::size_t add(const Checkpoint& derived,
                    const std::function<std::string(const std::string&)>& name) {
        const std::size_t first = m_data.tensors.size();
        const std::size_t codecs = m_data.codecs.size();
        const auto& own = derived.data().codecs;
        m_data.codecs.insert(
            m_data.codecs.end(),
            own.begin() + static_cast<std::ptrdiff_t>(std::min(m_known, own.size())), own.end());
        for (const TensorEntry& tensor : derived.tensors()) {
            TensorEntry made = tensor;
            made.name = name(tensor.name);
            for (Piece& piece : made.pieces) {
                if (piece.codec >= m_known) {
                    piece.codec = static_cast<CodecId>(piece.codec - m_known + codecs);
                }
            }
            if (made.aliasOf) {
                made.aliasOf = TensorIndex(first + made.aliasOf->position());
            }
            m_data.tensors.push_back(std::move(made));
        }
        return first;
    }

    /// One tensor, as it is.
    TensorIndex add(TensorEntry tensor) {
        m_data.tensors.push_back(std::move(tensor));
        return TensorIndex(m_data.tensors.size() - 1);
    }

    [[nodiscard]] CheckpointData& data() { return m_data; }

private:
    CheckpointData m_data;
    std::size_t m_known; ///< codecs that all of them have at the same place
};

} // namespace cairn
