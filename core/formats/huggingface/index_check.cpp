// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/index_check.h"

#include "core/formats/common/members/folder_notices.h"

#include <utility>

namespace cairn::formats::huggingface {
namespace {

constexpr std::size_t kMaxListed = 20; ///< per kind of notice

class IndexCheck {
public:
    IndexCheck(CheckpointData& data, const WeightIndex& index, const std::string& indexName,
               std::vector<std::uint32_t> shardOf)
        : m_data(data), m_index(index), m_indexName(indexName), m_shardOf(std::move(shardOf)) {}

    void run() {
        preferNamedShards();
        std::uint64_t once = 0;
        std::uint64_t withAliases = 0; // torch's writers count tied tensors each time
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            const TensorEntry& tensor = m_data.tensors[i];
            withAliases += tensor.bytes();
            once += tensor.aliasOf ? 0 : tensor.bytes();
            comparePlace(tensor, m_shardOf[i]);
        }
        // Otherwise the tensors of a missing or damaged shard have been reported with it.
        if (m_data.completeness == Completeness::Complete) {
            reportAbsent();
        }
        if (m_data.completeness == Completeness::Complete && m_index.totalSize &&
            *m_index.totalSize != once && *m_index.totalSize != withAliases) {
            addNotice(m_data, Severity::Warning,
                      problem("The index declares a different size")
                          .inField("metadata.total_size")
                          .butFound(sentence("%1 bytes", *m_index.totalSize))
                          .expecting(verbatim(std::to_string(once))));
        }
    }

private:
    Error problem(Sentence message) const {
        return fail(ErrorCode::BadIndex, std::move(message)).inFile(m_indexName);
    }

    void preferNamedShards() {
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            const std::string& name = m_data.tensors[i].name;
            const auto [first, fresh] = m_positions.try_emplace(name, i);
            const auto place = m_index.places.find(name);
            if (!fresh && place != m_index.places.end() && place->second == m_shardOf[i]) {
                std::swap(m_data.tensors[first->second], m_data.tensors[i]);
                std::swap(m_shardOf[first->second], m_shardOf[i]);
            }
        }
    }

    void comparePlace(const TensorEntry& tensor, std::uint32_t shard) {
        const auto place = m_index.places.find(tensor.name);
        if (place == m_index.places.end()) {
            if (!tensor.aliasOf && m_unlisted++ < kMaxListed) {
                addNotice(m_data, Severity::Warning,
                          problem("The index does not list this tensor")
                              .inTensor(tensor.name)
                              .withHint("The file's content is used and shown"));
            }
        } else if (place->second != shard && m_misplaced++ < kMaxListed) {
            addNotice(m_data, Severity::Warning,
                      problem("The tensor is in a different shard than the index records")
                          .inTensor(tensor.name)
                          .butFound(verbatim(m_index.files.at(shard)))
                          .expecting(verbatim(m_index.files.at(place->second))));
        }
    }

    void reportAbsent() {
        std::size_t absent = 0;
        for (const auto& [tensor, place] : m_index.places) {
            if (!m_positions.contains(tensor) && absent++ < kMaxListed) {
                addNotice(m_data, Severity::Error,
                          problem("The tensor is not in the shard that the index names")
                              .inTensor(tensor)
                              .expecting(sentence("in %1", m_index.files.at(place))));
            }
        }
        if (absent != 0) {
            markIncomplete(m_data,
                           sentence("%1 tensors of the index are not in any shard", absent));
        }
    }

    CheckpointData& m_data;
    const WeightIndex& m_index;
    const std::string& m_indexName;
    std::vector<std::uint32_t> m_shardOf;
    std::unordered_map<std::string, std::size_t> m_positions; ///< of the first entry with each name
    std::size_t m_unlisted = 0;
    std::size_t m_misplaced = 0;
};

} // namespace

void compareWithIndex(CheckpointData& data, const WeightIndex& index, const std::string& indexName,
                      std::vector<std::uint32_t> shardOf) {
    IndexCheck(data, index, indexName, std::move(shardOf)).run();
}

} // namespace cairn::formats::huggingface
