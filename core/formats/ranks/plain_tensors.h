// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/replica_check.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::ranks {

/// A plain tensor in one rank's file.
struct PlainTensor {
    std::uint32_t rank = 0;
    TensorEntry entry;   ///< aliasOf is not set
    std::string aliasOf; ///< name; empty: not an alias
};

/// The plain tensors of a set's ranks: one tensor if the bytes are the same on all ranks, else one
/// for each rank with the rank in its name. If no two ranks have different weights with the same
/// name, each weight is that of the ranks that have it: the files are shards of one model. Not
/// thread-safe.
class PlainTensors {
public:
    /// `data` contains the ranks' files and must outlive this object. `single`: there is only one
    /// rank.
    PlainTensors(const CheckpointData& data, bool single) : m_check(data), m_single(single) {}

    /// Call it in rank order. True: the first tensor with this name.
    bool add(const std::string& name, PlainTensor own);

    /// The tensors to show for a name; call it once. `ranks`: number of readable ranks.
    std::vector<PlainTensor> take(const std::string& name, std::size_t ranks);

    /// Reports tensors that take() did not join; marks the checkpoint as incomplete if they belong
    /// to the model or its optimizer.
    void report(CheckpointData& data, const std::string& prefix) const;

private:
    enum class Apart : std::uint8_t { No, Layout, Bytes, NotCompared };
    struct Named {
        std::vector<PlainTensor> owns;
        Apart apart = Apart::No;
        std::uint32_t other = 0; ///< rank whose tensor differed
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
    std::set<std::uint32_t> m_holders; ///< ranks with model weights
    bool m_weightsDiffer = false;      ///< ranks have different weights with the same name
    std::map<std::string, Named, std::less<>> m_named;
    std::vector<NotJoined> m_notJoined;
    std::vector<std::string> m_ofSome;        ///< names that some ranks lack
    std::vector<std::string> m_weightsOfSome; ///< names of weights that some ranks lack
};

/// State that naturally differs between ranks: random generators, data loaders, samplers,
/// schedulers. `role` is the tensor's role in its file.
bool isOfEachRank(std::string_view name, Role role);

} // namespace cairn::formats::ranks
