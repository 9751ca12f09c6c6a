// SPDX-License-Identifier: Apache-2.0
#include "core/formats/keras/weights_file.h"

#include "core/base/endian.h"
#include "core/formats/common/members/absent_chunks.h"
#include "core/formats/keras/attributes.h"
#include "core/formats/keras/chunk_codec.h"
#include "core/formats/keras/object_roles.h"
#include "core/io/folder.h"
#include "core/model/finding_rules.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>

namespace cairn::formats::keras {
namespace {

using hdf5::Dataset;
using hdf5::Layout;

/// Elements in memory: small datasets stored in the header.
class MemoryStrings : public PieceCodec {
public:
    explicit MemoryStrings(std::vector<ByteSourcePtr> sources) : m_sources(std::move(sources)) {}
    std::string_view name() const override { return "hdf5 strings"; }
    Result<LocatedPiece> locate(const ByteSourcePtr&, const TensorEntry&,
                                const Piece& piece) const override {
        const ByteSourcePtr& source = m_sources.at(static_cast<std::size_t>(piece.bytes.offset));
        LocatedPiece located;
        located.source = source;
        located.bytes = {0, source->size()};
        return located;
    }

private:
    std::vector<ByteSourcePtr> m_sources;
};

class WeightsReader {
public:
    WeightsReader(CheckpointData& data, FileIndex file, const ByteSourcePtr& source,
                  const hdf5::Index& index)
        : m_data(data), m_file(file), m_source(source), m_index(index),
          m_first(data.tensors.size()), m_hadStep(data.step.has_value()), m_fills(data) {
        for (const hdf5::Attribute& attribute : index.attributes) {
            if (attribute.name == "dtype" && !attribute.texts.empty()) {
                m_marked[attribute.path] = attribute.texts.front();
            }
        }
    }

    void addAll() {
        for (const Dataset& dataset : m_index.datasets) {
            if (auto added = add(dataset); !added) {
                note(std::move(added).error(), dataset.path);
            }
        }
        findOptimizers(std::span(m_data.tensors).subspan(m_first));
        placeStrings();
        for (const hdf5::Link& link : m_index.links) {
            addLink(link);
        }
        for (const hdf5::Problem& problem : m_index.problems) {
            note(
                problem.version
                    ? fail(ErrorCode::Unsupported,
                           "The object has a format version that this HDF5 library does not read")
                          .butFound(fixedText(problem.what))
                          .withHint("Save it again without libver=\"latest\", or run h5repack FILE "
                                    "NEW of the HDF5 that wrote it")
                    : fail(ErrorCode::Hdf5Unreadable, fixedText(problem.what)),
                problem.path);
        }
    }

private:
    void note(Error error, const std::string& path) {
        const Severity severity =
            error.code == ErrorCode::Hdf5LinkNotFollowed ? Severity::Warning : Severity::Error;
        m_data.notices.push_back(
            {severity,
             std::move(error).inFile(m_data.files[m_file.position()].path).inTensor(path)});
        const bool unread =
            severity == Severity::Error && isUnread(m_data.notices.back().error.code);
        if (!unread || m_data.completeness == Completeness::Complete) {
            m_data.completeness = unread ? Completeness::Unknown : Completeness::Incomplete;
        }
        if (m_data.why.empty()) {
            m_data.why.emplace_back("Parts of the file cannot be read, or are stored elsewhere");
        }
    }

    /// A soft link to a dataset is another name of it. Other links are named.
    void addLink(const hdf5::Link& link) {
        if (link.kind != "soft") {
            note(fail(ErrorCode::Hdf5LinkNotFollowed, "An external link is shown but not followed")
                     .butFound(verbatim(link.target))
                     .withHint("Open the file that it names"),
                 link.path);
            return;
        }
        const std::size_t slash = link.path.rfind('/');
        const std::string target = link.target.starts_with('/') ? link.target.substr(1)
                                   : slash == std::string::npos
                                       ? link.target
                                       : link.path.substr(0, slash + 1) + link.target;
        const auto& tensors = m_data.tensors;
        const auto own = tensors.begin() + static_cast<std::ptrdiff_t>(m_first);
        const auto found = std::find_if(
            own, tensors.end(), [&](const TensorEntry& tensor) { return tensor.name == target; });
        if (found != tensors.end()) {
            TensorEntry other = *found;
            other.name = link.path;
            other.aliasOf = found->aliasOf.value_or(
                TensorIndex(static_cast<std::size_t>(found - tensors.begin())));
            m_data.tensors.push_back(std::move(other));
            return;
        }
        const bool group = std::ranges::any_of(m_index.datasets, [&](const Dataset& dataset) {
            return dataset.path.starts_with(target + "/");
        });
        Error error = fail(ErrorCode::Hdf5LinkNotFollowed,
                           group ? Sentence("A soft link to a group is shown but not followed")
                                 : Sentence("A soft link names an object that cannot be found"))
                          .butFound(verbatim(link.target));
        if (!group) {
            return note(std::move(error), link.path);
        }
        m_data.notices.push_back({Severity::Info, std::move(error).inTensor(link.path)});
    }

    /// h5py has no bfloat16: Keras stores two opaque bytes and records the dtype in an attribute.
    std::optional<Dtype> dtypeOf(const Dataset& dataset) const {
        const auto marked = m_marked.find(dataset.path);
        if (dataset.type.starts_with("opaque")) {
            const auto named =
                marked == m_marked.end() ? std::nullopt : dtypeFromName(marked->second);
            return named && dtypeBytes(*named, 1) == dataset.elementBytes ? named : std::nullopt;
        }
        return dtypeFromName(dataset.type);
    }

    /// Elements of unsupported types are carried as bytes.
    static Dataset ofBytes(Dataset dataset) {
        const auto bytes = static_cast<std::int64_t>(dataset.elementBytes);
        dataset.shape.push_back(bytes);
        if (dataset.layout == Layout::Chunked) {
            dataset.chunk.push_back(bytes);
        }
        for (hdf5::Chunk& chunk : dataset.chunks) {
            chunk.origin.push_back(0);
        }
        dataset.elementBytes = 1;
        dataset.bigEndian = false;
        return dataset;
    }

    Result<void> add(const Dataset& stored) {
        auto dtype = dtypeOf(stored);
        const bool known = dtype && dtypeBytes(*dtype, 1) == stored.elementBytes;
        const bool plain = !known && stored.type != "string" && stored.elementBytes > 0;
        if (plain && stored.layout != Layout::Heap) {
            dtype = Dtype::Opaque;
            m_data.notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::Unsupported, "These elements are shown as raw bytes")
                     .inTensor(stored.path)
                     .butFound(stored.type.empty() ? Sentence("an unknown HDF5 type")
                                                   : verbatim(stored.type))});
        }
        const Dataset dataset = plain ? ofBytes(stored) : stored;
        TensorEntry entry;
        entry.name = dataset.path;
        entry.shape = Dims(dataset.shape);
        entry.role = roleOf(dataset.path);
        entry.dtype = dtype.value_or(Dtype::String);
        if (entry.shape.size() > kMaxRank || !elementCount(entry.shape)) {
            return fail(ErrorCode::LimitExceeded, "The shape is too large");
        }
        Piece whole;
        whole.box = Box::whole(entry.shape);
        whole.file = m_file;
        whole.flags.swapBytes = dataset.bigEndian;
        CAIRN_CHECK(place(dataset, entry, std::move(whole)));
        m_data.tensors.push_back(std::move(entry));
        return {};
    }

    Result<void> place(const Dataset& dataset, TensorEntry& entry, Piece whole) {
        const bool empty = *elementCount(entry.shape) == 0;
        switch (dataset.layout) {
        case Layout::Strings:
            m_strings.emplace_back(m_data.tensors.size(), canonical(dataset));
            entry.pieces.push_back(std::move(whole));
            return {};
        case Layout::Contiguous:
            if (dataset.bytes && !empty) {
                readStep(dataset, whole.flags.swapBytes);
                whole.bytes = *dataset.bytes;
                alias(entry, whole.bytes);
                entry.pieces.push_back(std::move(whole));
            } else if (!empty) {
                addFill(dataset, entry, std::move(whole.box));
            }
            return {};
        case Layout::Compact: {
            CheckpointFile file;
            file.path = m_data.files[m_file.position()].path + " (in the header)";
            file.identity.size = dataset.data.size();
            file.source = makeMemorySource(dataset.data, file.path);
            whole.bytes = {0, dataset.data.size()};
            whole.file = m_data.addFile(std::move(file));
            if (!empty) {
                entry.pieces.push_back(std::move(whole));
            }
            return {};
        }
        case Layout::Chunked:
            return empty ? Result<void>() : placeChunks(dataset, entry);
        case Layout::Virtual:
        case Layout::External:
            return fail(ErrorCode::Hdf5LinkNotFollowed,
                        "The elements are in an external file, which is not read");
        case Layout::Heap:
            return fail(ErrorCode::Unsupported,
                        "References and variable-length sequences are not supported");
        }
        return {};
    }

    /// Unwritten elements have the dataset's fill value; if it is undefined they are a hole.
    void addFill(const Dataset& dataset, TensorEntry& entry, Box box) {
        // Dimensions inside an element of the file's type: those of an array type, or its bytes.
        std::size_t rank = entry.shape.size();
        std::uint64_t bytes = dataset.elementBytes;
        while (bytes < dataset.fill.size() && rank > 0) {
            bytes *= static_cast<std::uint64_t>(entry.shape[--rank]);
        }
        if (dataset.fill.empty() || bytes != dataset.fill.size()) {
            return;
        }
        Piece piece = m_fills.piece(std::move(box), dataset.fill, rank);
        piece.flags.swapBytes = dataset.bigEndian;
        entry.pieces.push_back(std::move(piece));
    }

    Result<void> placeChunks(const Dataset& dataset, TensorEntry& entry) {
        const hdf5::Filter* unknown = hdf5::unknownFilter(dataset.filters);
        if (unknown != nullptr && !dataset.chunks.empty()) {
            note(hdf5::unknownFilterError(*unknown), dataset.path);
        }
        const CodecId codec = m_data.addCodec(makeChunkCodec(dataset));
        AbsentChunks absent(entry.shape, dataset.chunk);
        std::vector<std::int64_t> index(dataset.chunk.size());
        for (const hdf5::Chunk& chunk : dataset.chunks) { // in C order, as in the index
            Piece piece;
            piece.box.origin = Dims(chunk.origin);
            piece.box.extent = Dims(dataset.chunk);
            for (std::size_t d = 0; d < dataset.shape.size(); ++d) {
                piece.box.extent[d] =
                    std::min(dataset.chunk[d], dataset.shape[d] - chunk.origin[d]);
                index[d] = chunk.origin[d] / dataset.chunk[d];
            }
            absent.skipStored(index);
            piece.file = m_file;
            piece.bytes = chunk.bytes;
            piece.codec = codec;
            piece.flags.swapBytes = dataset.bigEndian;
            entry.pieces.push_back(std::move(piece));
        }
        if (dataset.chunks.size() < absent.chunks()) {
            for (Box& box : absent.boxes()) {
                addFill(dataset, entry, std::move(box));
            }
        }
        return {};
    }

    /// A dataset with two names.
    void alias(TensorEntry& entry, ByteRange bytes) {
        const auto [first, isNew] =
            m_places.try_emplace(bytes.offset, TensorIndex(m_data.tensors.size()));
        if (!isNew && m_data.tensors[first->second.position()].shape == entry.shape) {
            entry.aliasOf = first->second;
        }
    }

    void readStep(const Dataset& dataset, bool swapped) {
        const bool fits = (dataset.type == "int64" && dataset.elementBytes == 8) ||
                          (dataset.type == "int32" && dataset.elementBytes == 4);
        const int rank = stepRank(dataset.path);
        const bool better = m_stepRank == 0 ? rank == 1 || !m_hadStep : rank < m_stepRank;
        if (rank == 0 || !better || !fits || !dataset.shape.empty() || swapped) {
            return;
        }
        std::array<std::byte, 8> bytes{};
        const auto part = std::span(bytes).first(static_cast<std::size_t>(dataset.elementBytes));
        if (m_source->readAt(dataset.bytes->offset, part)) {
            std::uint64_t step = 0;
            std::memcpy(&step, bytes.data(), sizeof step);
            m_data.step = static_cast<std::int64_t>(step);
            m_stepRank = rank;
        }
    }

    static std::vector<std::byte> canonical(const Dataset& dataset) {
        std::vector<std::byte> bytes;
        for (const std::string& text : dataset.texts) {
            appendStringElement(bytes, asBytes(text));
        }
        return bytes;
    }

    void placeStrings() {
        std::vector<ByteSourcePtr> sources;
        for (auto& [tensor, bytes] : m_strings) {
            Piece& piece = m_data.tensors[tensor].pieces.front();
            piece.bytes = {sources.size(), 0};
            sources.push_back(makeMemorySource(std::move(bytes), m_data.tensors[tensor].name));
        }
        if (!sources.empty()) {
            const CodecId codec =
                m_data.addCodec(std::make_shared<const MemoryStrings>(std::move(sources)));
            for (const auto& [tensor, bytes] : m_strings) {
                m_data.tensors[tensor].pieces.front().codec = codec;
            }
        }
    }

    CheckpointData& m_data;
    FileIndex m_file;
    const ByteSourcePtr& m_source;
    const hdf5::Index& m_index;
    std::size_t m_first;                         ///< tensor of this file
    bool m_hadStep;                              ///< set by another file of the checkpoint
    int m_stepRank = 0;                          ///< of the path that set the step here
    std::map<std::string, std::string> m_marked; ///< attribute "dtype", by object
    std::map<std::uint64_t, TensorIndex> m_places;
    FillValues m_fills;
    std::vector<std::pair<std::size_t, std::vector<std::byte>>> m_strings;
};

} // namespace

void addIndexed(CheckpointData& data, FileIndex file, const ByteSourcePtr& source,
                hdf5::Index index, std::vector<ValueItem>& values) {
    std::ranges::stable_sort(index.datasets, naturalLess, &Dataset::path);
    WeightsReader(data, file, source, index).addAll();
    addAttributes(index, data.files[file.position()].path, values);
}

Result<void> addWeightsFile(CheckpointData& data, FileIndex index, const ByteSourcePtr& source,
                            ByteRange range, std::vector<ValueItem>& values,
                            const CancelToken& cancel) {
    CAIRN_TRY(hdf5::Index content, hdf5::readIndex(source, range, cancel));
    addIndexed(data, index, source, std::move(content), values);
    return {};
}

Value valuesWithTensors(const CheckpointData& data, std::vector<ValueItem> values) {
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        values.push_back({Value(std::string_view(data.tensors[i].name)), Value(TensorIndex(i))});
    }
    return Value::dict(std::move(values));
}

} // namespace cairn::formats::keras
