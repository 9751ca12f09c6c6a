// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/replica_check.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::ranks {

/// A plain tensor, as one rank has it.
struct PlainTensor {
    std::uint32_t rank = 0;
    TensorEntry entry;   ///< aliasOf is not set
    std::string aliasOf; ///< name; empty: of nothing
};

/// The plain tensors of a set's ranks: one tensor where all ranks hold the same bytes, else each
/// under its rank's name. One thread.
class PlainTensors {
public:
    /// `data` holds the ranks' files and must outlive this. `single`: there is one rank only.
    PlainTensors(const CheckpointData& data, bool single) : m_check(data), m_single(single) {}

    /// Rank by rank. True: the first of this name.
    bool add(const std::string& name, PlainTensor own);

    /// What is shown of a name, under the name of its entry; once. `ranks`: how many could be read.
    std::vector<PlainTensor> take(const std::string& name, std::size_t ranks);

    /// Reports what take() did not join; the checkpoint is incomplete where that is a part of the
    /// model or of its optimizer.
    void report(CheckpointData& data, const std::string& prefix) const;

private:
    enum class Apart : std::uint8_t { No, Layout, Bytes, NotCompared };
    struct Named {
        std::vector<PlainTensor> owns;
        Apart apart = Apart::No;
        std::uint32_t other = 0; ///< the rank that showed it
    };
    struct NotJoined {
        std::string name;
        Apart apart = Apart::No;
        std::uint32_t first = 0;
        std::uint32_t other = 0;
        Role role = Role::Other;
        bool scalar = false;
    };

    ReplicaCheck m_check;
    bool m_single = false;
    std::set<std::uint32_t> m_holders; ///< ranks with weights of the model
    std::map<std::string, Named, std::less<>> m_named;
    std::vector<NotJoined> m_notJoined;
    std::vector<std::string> m_ofSome;        ///< names that not every rank has
    std::vector<std::string> m_weightsOfSome; ///< the same of weights
};

/// State that is every rank's own by nature, so that its ranks may differ: random generators, data
/// loaders, samplers, schedulers. `role` is the tensor's in its own file.
bool isOfEachRank(std::string_view name, Role role);

} // namespace cairn::formats::ranks
