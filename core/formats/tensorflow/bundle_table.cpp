// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/bundle_table.h"

#include "core/codec/sstable/sstable.h"

#include <algorithm>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::uint64_t kKnownVersion = 1; // kTensorBundleVersion
constexpr std::size_t kMaxTableNotices = 100;

Result<void> checkHeader(const BundleHeader& header, const ByteSource& source) {
    if (header.minConsumer > kKnownVersion) {
        return fail(ErrorCode::Unsupported, "The checkpoint requires a newer version of its format")
            .inFile(source.name())
            .inField("min_consumer")
            .butFound(verbatim(std::to_string(header.minConsumer)))
            .expecting(sentence("at most %1", kKnownVersion));
    }
    if (header.shards == 0 || header.shards > kMaxShards) {
        return fail(ErrorCode::BadIndex, "Invalid checkpoint header")
            .inFile(source.name())
            .inField("num_shards")
            .butFound(verbatim(std::to_string(header.shards)));
    }
    return {};
}

class TableReader {
public:
    explicit TableReader(const ByteSource& source) : m_source(source) {}

    Result<BundleTable> read(const CancelToken& cancel) {
        const auto visit = [this](const sstable::Entry& entry) { return add(entry); };
        const auto damaged = [this](Error error) { note(std::move(error)); };
        CAIRN_CHECK(sstable::walk(m_source, visit, damaged, cancel));
        if (!m_hasHeader) {
            if (!m_table.notices.empty()) { // the first block, with the header, is lost
                return std::move(m_table.notices.front().error);
            }
            return notABundle();
        }
        return std::move(m_table);
    }

private:
    [[nodiscard]] Error notABundle() const {
        return fail(ErrorCode::NotACheckpoint, "Not the index of a TensorFlow checkpoint")
            .inFile(m_source.name())
            .expecting("a bundle header under the empty key");
    }

    void note(Error error) {
        if (m_table.notices.size() < kMaxTableNotices) {
            m_table.notices.push_back({Severity::Error, std::move(error)});
        }
    }

    Result<void> add(const sstable::Entry& entry) {
        if (!m_hasHeader) {
            const auto header = entry.key.empty() ? parseHeader(entry.value) : std::nullopt;
            if (!header) {
                return m_table.notices.empty() ? notABundle() : m_table.notices.front().error;
            }
            m_table.header = *header;
            m_hasHeader = true;
            return checkHeader(*header, m_source);
        }
        auto parsed = parseEntry(entry.value);
        if (!parsed) {
            note(fail(ErrorCode::BadIndex, "An entry of the index is damaged")
                     .inFile(m_source.name())
                     .inTensor(isSliceKey(entry.key) ? std::string() : std::string(entry.key)));
            return {};
        }
        if (!isSliceKey(entry.key)) {
            m_table.entries.push_back({std::string(entry.key), std::move(*parsed)});
            return {};
        }
        auto key = parseSliceKey(entry.key);
        if (!key) {
            note(
                fail(ErrorCode::BadIndex, "The key of a slice is damaged").inFile(m_source.name()));
            return {};
        }
        m_table.slices.push_back({std::move(*key), std::move(*parsed)});
        return {};
    }

    const ByteSource& m_source;
    BundleTable m_table;
    bool m_hasHeader = false;
};

} // namespace

Result<BundleTable> readBundleTable(const ByteSource& source, const CancelToken& cancel) {
    return TableReader(source).read(cancel);
}

} // namespace cairn::formats::tensorflow
