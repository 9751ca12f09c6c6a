// SPDX-License-Identifier: Apache-2.0
//
// A distributed checkpoint is an index and items: a torch.save archive for each chunk of a tensor
// and for each plain value. Free choices here:
// - items of values come first in each file and are spread over the ranks one by one, as are
// tensors
//   that are not cut (0-d tensors, vectors along dimension 1);
// - a file holds its rank's chunks in the order of the tensors, so that a reader that goes through
// the
//   model goes through the files;
// - empty chunks are not written. torch writes them and never reads them.
#include "core/formats/dcp/layout.h"

#include "core/formats/common/torch/torch_archive.h"
#include "core/formats/common/torch/torch_pickler.h"
#include "core/formats/dcp/cuts.h"
#include "core/formats/dcp/flatten.h"
#include "core/formats/dcp/index_file.h"
#include "core/formats/dcp/index_writer.h"
#include "core/formats/dcp/shard_writer.h"
#include "core/formats/dcp/values.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kMaxValueBytes = std::uint64_t{1}
                                         << 30U; ///< total size of the pickles of all values

class Layout {
public:
    Layout(const LayoutRequest& request, std::uint32_t ranks)
        : m_request(request), m_ranks(ranks),
          m_shards(ranks, request.maxShardBytes, request.tensors.size()),
          m_chunks(request.tensors.size()) {}

    Result<OutputLayout> run() {
        CAIRN_TRY(Leaves leaves, flatten(m_request));
        m_names = std::move(leaves.made);
        m_leaves = std::move(leaves.all);
        for (std::size_t i = 0; m_request.values != nullptr && i < m_request.tensors.size(); ++i) {
            m_positions.emplace(m_request.tensors[i].source.value, i);
        }
        m_values.resize(m_leaves.size());
        m_apart.resize(m_request.tensors.size(), false);
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            if (m_leaves[i].tensor) {
                m_apart[*m_leaves[i].tensor] = true;
            } else {
                CAIRN_TRY(m_values[i], addValue(m_leaves[i]));
            }
        }
        for (std::size_t i = 0; i < m_request.tensors.size(); ++i) {
            CAIRN_CHECK(addTensor(i));
        }
        return finish();
    }

private:
    Result<StoredItem> addValue(const Leaf& leaf) {
        std::vector<LayoutTensor> inside;
        std::unordered_map<const void*, bool> seen;
        collect(leaf.value, inside, seen);
        ValuePickler pickler(inside);
        CAIRN_TRY(std::vector<std::byte> pickle, pickler.writeAlone(leaf.value));
        m_valueBytes += pickle.size();
        if (m_valueBytes > kMaxValueBytes) {
            return fail(ErrorCode::LimitExceeded, "The plain values are too large")
                .inField(std::string(leaf.name))
                .expecting(sentence("at most %1 bytes", kMaxValueBytes))
                .withHint("Write only the tensors");
        }
        // Large enough that readers which search only large items for tensors find these.
        const std::uint64_t atLeast = inside.empty() ? 0 : kLargeItem + 1;
        CAIRN_TRY(OutputFile archive, layOutTorchArchive(inside, std::move(pickle), atLeast));
        const auto rank = static_cast<std::uint32_t>(m_turn++ % m_ranks);
        return m_shards.add(rank, std::move(archive));
    }

    /// Collects the tensors that a value refers to, each once, with the names that a reader will
    /// give them.
    void collect(const Value& value, std::vector<LayoutTensor>& inside,
                 std::unordered_map<const void*, bool>& seen) const {
        if (const TensorIndex* reference = value.asTensor()) {
            const auto known = m_positions.find(reference->value);
            const auto same = [&](const LayoutTensor& other) { return other.source == *reference; };
            if (known != m_positions.end() && std::ranges::none_of(inside, same)) {
                inside.push_back(m_request.tensors[known->second]);
                inside.back().aliasOf.reset();
            }
        }
        if (value.isContainer() && seen.emplace(value.identity(), true).second) {
            for (const ValueItem& item : value.items()) {
                collect(item.value, inside, seen);
            }
        }
    }

    /// Position of the tensor whose chunks this one shares, or its own.
    [[nodiscard]] std::size_t holderOf(std::size_t i) const {
        const LayoutTensor& tensor = m_request.tensors[i];
        if (!tensor.aliasOf || !m_apart[*tensor.aliasOf]) {
            return i;
        }
        const LayoutTensor& holder = m_request.tensors[*tensor.aliasOf];
        return holder.dtype == tensor.dtype && holder.shape == tensor.shape ? *tensor.aliasOf : i;
    }

    Result<void> addTensor(std::size_t i) {
        if (!m_apart[i] || holderOf(i) != i) {
            return {};
        }
        const LayoutTensor& tensor = m_request.tensors[i];
        const std::vector<Cut> cuts = cutTensor(tensor.shape, m_request.axes, m_turn);
        m_turn += cuts.size() < m_ranks ? 1U : 0U;
        m_chunks[i].reserve(cuts.size());
        for (const Cut& cut : cuts) {
            CAIRN_TRY(const StoredItem item, m_shards.add(cut.rank, tensor, cut.box));
            m_chunks[i].push_back(item);
        }
        return {};
    }

    Result<OutputLayout> finish() {
        std::vector<IndexEntry> entries;
        entries.reserve(m_leaves.size());
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            const Leaf& leaf = m_leaves[i];
            if (!leaf.tensor) {
                entries.push_back({&leaf, nullptr, std::span(&m_values[i], 1)});
                continue;
            }
            const std::size_t tensor = *leaf.tensor;
            entries.push_back({&leaf, &m_request.tensors[tensor], m_chunks[holderOf(tensor)]});
        }
        OutputFile index;
        index.name = kIndexName;
        std::vector<std::byte> bytes = writeIndex(entries, m_shards.files());
        index.size = bytes.size();
        index.addLiteral(0, std::move(bytes));
        OutputLayout layout;
        layout.folder = true;
        layout.files = std::move(m_shards).take();
        layout.files.push_back(std::move(index));
        return layout;
    }

    const LayoutRequest& m_request;
    std::uint32_t m_ranks;
    ShardWriter m_shards;
    std::vector<Leaf> m_leaves;
    std::deque<std::string> m_names;               ///< names of leaves
    std::vector<StoredItem> m_values;              ///< by leaf
    std::vector<std::vector<StoredItem>> m_chunks; ///< by tensor in the request
    std::vector<bool> m_apart; ///< by tensor: a separate entry, not inside a value
    std::unordered_map<std::uint32_t, std::size_t> m_positions;
    std::uint64_t m_turn = 0;
    std::uint64_t m_valueBytes = 0;
};

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    CAIRN_TRY(const std::uint32_t ranks, rankCount(request.axes));
    return Layout(request, ranks).run();
}

} // namespace cairn::formats::dcp
