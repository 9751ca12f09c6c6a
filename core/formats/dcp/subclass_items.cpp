// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/subclass_items.h"

#include "core/base/visible_text.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/formats/dcp/item_archive.h"
#include "core/formats/dcp/item_source.h"
#include "core/formats/dcp/item_tensors.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::formats::dcp {
namespace {

/// Overhead of an archive of one plain tensor: about 750 bytes in torch 1.13, 1.5 to 1.6 KB in
/// 2.13.
constexpr std::uint64_t kLeastAround = 600;
constexpr std::uint64_t kMostAround = 2048;
/// After this many plain tensors in items of unexpected length (views of larger storages) the rest
/// is assumed to be plain, too.
constexpr std::size_t kMostPlain = 256;
constexpr std::uint64_t kMostPickle = std::uint64_t{1} << 20U;
constexpr std::size_t kMostNotices = 20;

class Expansion {
public:
    Expansion(CheckpointData& data, const CancelToken& cancel) : m_data(data), m_cancel(cancel) {}

    ExpandedTensors run() {
        std::vector<std::size_t> custom;
        std::vector<std::size_t> plain;
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            if (const Piece* piece = readablePiece(m_data.tensors[i])) {
                (isCustomClass(m_data.tensors[i], *piece) ? custom : plain).push_back(i);
            }
        }
        inspectItems(custom, kMostPlain);
        if (m_parts.empty() && m_refused.empty()) {
            return {};
        }
        inspectItems(plain, plain.size());
        return rebuild();
    }

private:
    /// The first chunk, if it can be read.
    const Piece* readablePiece(const TensorEntry& tensor) const {
        if (tensor.pieces.empty() || tensor.pieces.front().codec != kTorchSaveCodec) {
            return nullptr;
        }
        const Piece& piece = tensor.pieces.front();
        const CheckpointFile& file = m_data.files[piece.file.position()];
        return file.missing || !piece.bytes.fitsInto(file.identity.size) ? nullptr : &piece;
    }

    static bool isCustomClass(const TensorEntry& tensor, const Piece& piece) {
        const auto count = elementCount(piece.box.extent);
        const auto plain = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
        const std::uint64_t length = piece.bytes.length;
        return plain && (length < *plain + kLeastAround || length > *plain + kMostAround);
    }

    /// Inspects in file order; stops after `mostPlain` plain tensors.
    void inspectItems(std::vector<std::size_t> positions, std::size_t mostPlain) {
        const auto place = [&](std::size_t i) {
            const Piece& piece = m_data.tensors[i].pieces.front();
            return std::pair(piece.file, piece.bytes.offset);
        };
        std::ranges::sort(positions, {}, place);
        std::size_t plain = 0;
        for (const std::size_t i : positions) {
            if (m_cancel.cancelled() || (m_parts.empty() && plain >= mostPlain)) {
                return;
            }
            plain += inspect(i) ? 0 : 1;
        }
    }

    /// True if the tensor has a class.
    bool inspect(std::size_t position) {
        const TensorEntry& tensor = m_data.tensors[position];
        const Piece& piece = tensor.pieces.front();
        auto shard = m_opener.open(m_data.files[piece.file.position()]);
        if (!shard || isPlain(*shard, piece)) {
            return false;
        }
        BytesItem item{tensor.name, piece.file, piece.bytes, piece.codec, true, false};
        auto content = readItemContent(*shard, item, m_cancel);
        // Errors are reported when the elements are read.
        if (!content || content->tensors.empty() || content->value.asTensor() != nullptr) {
            return false;
        }
        if (tensor.pieces.size() > 1) {
            m_refused.emplace(position, content->value);
        } else {
            m_parts.emplace(position, std::move(*content));
        }
        return true;
    }

    static bool isPlain(const ByteSourcePtr& shard, const Piece& piece) {
        const auto item = makeItemSource(makeSliceSource(shard, piece.bytes));
        if (!item || !looksLikeArchive(**item)) {
            return true;
        }
        const auto archive = openItemArchive(*item, kMostPickle);
        return !archive || readTorchTensor(archive->graph, archive->graph.root()).has_value();
    }

    ExpandedTensors rebuild() {
        ExpandedTensors result;
        std::vector<TensorEntry> old = std::exchange(m_data.tensors, {});
        m_data.tensors.reserve(old.size() + m_parts.size());
        for (std::size_t i = 0; i < old.size(); ++i) {
            result.places.emplace_back(m_data.tensors.size());
            TensorEntry& tensor = old[i];
            if (const auto parts = m_parts.find(i); parts != m_parts.end()) {
                addParts(tensor, parts->second, result);
            } else if (const auto refused = m_refused.find(i); refused != m_refused.end()) {
                refuse(tensor, refused->second);
                result.objects.emplace(i, Value());
            } else {
                if (tensor.aliasOf) {
                    tensor.aliasOf = result.places.at(tensor.aliasOf->position());
                }
                m_data.tensors.push_back(std::move(tensor));
            }
        }
        return result;
    }

    void addParts(const TensorEntry& whole, ItemContent& content, ExpandedTensors& result) {
        const std::size_t first = m_data.tensors.size();
        result.objects.emplace(result.places.size() - 1,
                               shiftTensors(content.value, static_cast<std::uint32_t>(first)));
        const Piece& piece = whole.pieces.front();
        const BytesItem item{whole.name, piece.file, piece.bytes, piece.codec, true, false};
        auto parts = takeTensors(m_data, item, content);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            TensorEntry& part = parts[k];
            part.role = whole.role;
            if (part.aliasOf) {
                part.aliasOf = TensorIndex(first + part.aliasOf->position());
            } else if (whole.aliasOf) { // both names have the same item, so the same parts
                const TensorIndex other = result.places.at(whole.aliasOf->position());
                part.aliasOf = TensorIndex(other.position() + k);
            }
            m_data.tensors.push_back(std::move(part));
        }
    }

    void refuse(const TensorEntry& tensor, const Value& object) {
        m_data.completeness = Completeness::Incomplete;
        if (m_noted == 0) {
            m_data.why.emplace_back("chunks of tensors of custom classes cannot be merged");
        }
        if (m_noted++ < kMostNotices) {
            m_data.notices.push_back(
                {Severity::Error,
                 fail(ErrorCode::CoverageHole,
                      "The tensor is of a custom class and is stored in several chunks")
                     .inTensor(tensor.name)
                     .inFile(m_data.files[tensor.pieces.front().file.position()].path)
                     .at(tensor.pieces.front().bytes.offset)
                     .butFound(verbatim(
                         visibleText(object.asNode() == nullptr ? "" : object.asNode()->className)))
                     .expecting("plain chunks")
                     .withHint("Load it with the library of that class, and save the tensor on "
                               "one rank or dequantised")});
        }
    }

    CheckpointData& m_data;
    const CancelToken& m_cancel;
    ShardOpener m_opener;
    std::map<std::size_t, ItemContent> m_parts; ///< by the tensor's position
    std::map<std::size_t, Value> m_refused;
    std::size_t m_noted = 0;
};

} // namespace

Value ExpandedTensors::valueOf(std::size_t position) const {
    const auto object = objects.find(position);
    if (object != objects.end()) {
        return object->second;
    }
    return Value(places.empty() ? TensorIndex(position) : places.at(position));
}

ExpandedTensors expandSubclasses(CheckpointData& data, const CancelToken& cancel) {
    return Expansion(data, cancel).run();
}

} // namespace cairn::formats::dcp
