// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_entries.h"

#include "core/base/endian.h"
#include "core/formats/common/numpy/npy_array.h"
#include "core/model/finding_rules.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace cairn::formats {
namespace {

using pickle::NodeId;

// These bounds keep hostile files from growing out of hand: what is built for references grows with
// the pickle.
constexpr std::uint64_t kMaxTensors = 4'000'000;
constexpr std::uint64_t kFreeNameBytes = std::uint64_t{1} << 22;

/// The element after the last one, counted from the first: 1 + the sum of (size - 1) * stride.
/// Nothing on overflow.
std::optional<std::uint64_t> spanOf(const Shape& shape, const Strides& strides) {
    std::uint64_t span = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto reach = checkedMul(static_cast<std::uint64_t>(shape[i] - 1),
                                      static_cast<std::uint64_t>(strides[i]));
        const auto sum = reach ? checkedAdd(span, *reach) : std::nullopt;
        if (!sum) {
            return std::nullopt;
        }
        span = *sum;
    }
    return span;
}

/// Dense C order, whatever the strides of dimensions of one element state.
bool isDense(const Shape& shape, const Strides& strides) {
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1 && strides[i] != step) {
            return false;
        }
        step *= shape[i];
    }
    return true;
}

} // namespace

std::uint64_t TorchEntries::Content::hash() const {
    std::uint64_t mixed = hashOf(storage) + hashOf(view) + hashOf(viewOffset) + node;
    for (const auto numbers : {shape.span(), strides.span()}) {
        for (const std::int64_t number : numbers) {
            mixed = hashOf(mixed) + static_cast<std::uint64_t>(number);
        }
    }
    return hashOf(mixed) + hashOf(offset);
}

bool TorchEntries::Content::sameAs(const Content& other) const {
    return node == other.node && storage == other.storage && view == other.view &&
           viewOffset == other.viewOffset && offset == other.offset && dtype == other.dtype &&
           shape == other.shape && strides == other.strides && flags == other.flags;
}

TorchEntries::Content TorchEntries::contentOf(NodeId id, const TorchTensor& tensor,
                                              TensorIndex index) {
    Content content;
    content.first = index;
    if (!tensor.storage) {
        content.node = id.value + 1;
        return content;
    }
    content.storage = tensor.storage->key;
    if (const auto& view = tensor.storage->view) {
        content.view = view->key;
        content.viewOffset = view->offset;
    }
    content.offset = tensor.offset;
    content.dtype = tensor.dtype;
    content.shape = tensor.shape;
    content.strides = tensor.strides;
    content.flags = tensor.flags;
    return content;
}

TorchEntries::TorchEntries(const pickle::PickleGraph& graph, TorchStorages& storages,
                           const TorchPath& path, TorchNotes& notes, TorchObjects& out)
    : m_graph(graph), m_storages(storages), m_path(path), m_notes(notes), m_out(out),
      m_tensorsLeft(kMaxTensors), m_nameBytesLeft(kFreeNameBytes + 8 * graph.buffer().size()),
      m_decodingLeft(32 * graph.buffer().size() + (std::uint64_t{1} << 26)) {}

std::optional<Result<TorchTensor>> TorchEntries::read(NodeId id) {
    constexpr std::uint64_t kCostOfDamage = std::uint64_t{64} << 10; // may also have been decoded
    if (m_decodingLeft == 0) {
        return fail(ErrorCode::LimitExceeded, "The text of tensors exceeds the limit");
    }
    auto tensor = readTorchTensor(m_graph, id);
    if (tensor) {
        const std::uint64_t cost = *tensor ? (*tensor)->decodedBytes : kCostOfDamage;
        m_decodingLeft -= std::min(m_decodingLeft, cost);
    }
    return tensor;
}

/// Whether one more tensor, or what is wrong with it, gets a line under the path's name.
bool TorchEntries::takeName() {
    if (m_tensorsLeft == 0) {
        m_notes.unshown(TorchNote::Tensors, "The checkpoint has more tensors than can be shown");
        return false;
    }
    if (m_path.text().size() > m_nameBytesLeft) {
        m_notes.unshown(TorchNote::Names, "The tensors' names exceed the text limit");
        return false;
    }
    --m_tensorsLeft;
    m_nameBytesLeft -= m_path.text().size();
    return true;
}

Value TorchEntries::addDamaged(Error error) {
    // What could not be read may be whole.
    const bool unread = isUnread(error.code) || error.code == ErrorCode::Io;
    (unread ? m_out.anyUnread : m_out.anyMissing) = true;
    if (!takeName()) {
        return {};
    }
    const std::string name = m_path.tensorName();
    m_out.notices.push_back({Severity::Error, std::move(error).inTensor(name)});
    return Value::object(unread ? "<unreadable tensor>" : "<damaged tensor>", {});
}

Value TorchEntries::add(NodeId id, const TorchTensor& tensor) {
    if (!takeName()) {
        return {};
    }
    TensorEntry entry;
    entry.name = m_path.tensorName();
    entry.dtype = tensor.dtype;
    entry.shape = tensor.shape;
    entry.role = tensor.element ? Role::Other            // text, dates, records: not of a model
                                : modelRole(entry.name); // what is around it decides, at the end
    const TensorIndex index(m_out.tensors.size());
    Content content = contentOf(id, tensor, index);
    const auto own = static_cast<std::uint32_t>(m_contents.size());
    const std::uint32_t known = m_sameBytes.add(
        content.hash(), own, [&](std::uint32_t at) { return m_contents[at].sameAs(content); });
    if (known != own) {
        const TensorIndex first = m_contents[known].first;
        entry.pieces = m_out.tensors[first.position()].pieces;
        entry.aliasOf =
            elementCount(entry.shape).value_or(0) == 0 ? std::nullopt : std::optional(first);
    } else {
        m_contents.push_back(std::move(content));
        if (elementCount(tensor.shape).value_or(0) > 0) {
            place(tensor, entry);
        }
        noteType(tensor, entry);
    }
    m_out.tensors.push_back(std::move(entry));
    return index;
}

/// Finds the bytes, or leaves the entry without pieces and states why.
void TorchEntries::place(const TorchTensor& tensor, TensorEntry& entry) {
    if (tensor.meta) {
        addDamaged(fail(ErrorCode::NotStored,
                        "The tensor is on the meta device; the file does not contain its data")
                       .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype),
                                          formatDims(tensor.shape)))
                       .withHint("Save the module after its parameters are loaded"));
        return;
    }
    const auto span = spanOf(tensor.shape, tensor.strides);
    const bool dense = isDense(tensor.shape, tensor.strides);
    const auto first = dtypeBytes(tensor.dtype, tensor.offset);
    const auto length = span ? dtypeBytes(tensor.dtype, *span) : std::nullopt;
    const auto end = first && length ? checkedAdd(*first, *length) : std::nullopt;
    if (!end) {
        addDamaged(fail(ErrorCode::TorchBadTensor, "The strides of a tensor overflow")
                       .butFound(sentence("shape %1, strides %2", formatDims(tensor.shape),
                                          formatDims(tensor.strides))));
        return;
    }
    if (dtypeInfo(tensor.dtype).bits % 8 != 0 && (!dense || tensor.offset != 0)) {
        addDamaged(fail(ErrorCode::Unsupported, "Views of packed elements are not supported")
                       .butFound(sentence("%1 with strides %2", dtypeName(tensor.dtype),
                                          formatDims(tensor.strides))));
        return;
    }
    if (tensor.dtype == Dtype::String) {
        return placeText(tensor, entry);
    }
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.flags = tensor.flags;
    if (!dense) {
        piece.strides = tensor.strides;
    }
    const auto size = tensor.storage ? m_storages.sizeOf(*tensor.storage)
                                     : Result<std::uint64_t>(tensor.content().size());
    if (!size) {
        addDamaged(size.error());
        return;
    }
    if (*end > *size) {
        addDamaged(
            fail(ErrorCode::TorchStorageTooSmall, "A tensor extends beyond the end of its storage")
                .butFound(sentence("a storage of %1 bytes", *size))
                .expecting(sentence("at least %1 bytes", *end)));
        return;
    }
    if (tensor.storage) {
        m_storages.place(*tensor.storage, {*first, *length}, tensor.dtype, piece);
    } else {
        placeInline(tensor, {*first, *length}, piece);
    }
    entry.pieces.push_back(std::move(piece));
}

/// Text is decoded into memory, which readNumpyParts() limits.
void TorchEntries::placeText(const TorchTensor& tensor, TensorEntry& entry) {
    Piece stored;
    stored.box = Box::whole(tensor.shape);
    stored.strides = tensor.strides;
    auto content = m_storages.contentOf(tensor.content());
    if (!content) {
        addDamaged(std::move(content).error());
        return;
    }
    const auto located = makeNpyTextCodec(*tensor.element, nullptr)
                             ->locate(makeMemorySource(std::move(*content), "text"), entry, stored);
    auto text = located ? readRange(*located->source, located->bytes)
                        : Result<std::vector<std::byte>>(located.error());
    if (!text) {
        addDamaged(std::move(text).error());
        return;
    }
    Piece piece;
    piece.box = stored.box;
    piece.file = kDecodedFile;
    piece.bytes = {m_out.decoded.size(), text->size()};
    m_out.decoded.insert(m_out.decoded.end(), text->begin(), text->end());
    entry.pieces.push_back(std::move(piece));
}

/// Dates, records and the like, whose bytes have no meaning without their type.
void TorchEntries::noteType(const TorchTensor& tensor, const TensorEntry& entry) {
    constexpr std::size_t kMost = 50;
    if (tensor.element && tensor.dtype == Dtype::Opaque && ++m_rawTypes <= kMost) {
        m_out.notices.push_back(
            {Severity::Info,
             fail(ErrorCode::NpyUnknownDtype, "Elements of this type are shown as raw bytes")
                 .inTensor(entry.name)
                 .butFound(verbatim(tensor.descr))});
    }
}

void TorchEntries::placeInline(const TorchTensor& tensor, ByteRange bytes, Piece& piece) {
    const auto content = tensor.content().subspan(static_cast<std::size_t>(bytes.offset),
                                                  static_cast<std::size_t>(bytes.length));
    if (tensor.decoded.empty() && m_storages.placeInline(content, piece)) {
        return;
    }
    piece.file = kDecodedFile;
    piece.bytes = {m_out.decoded.size(), content.size()};
    m_out.decoded.insert(m_out.decoded.end(), content.begin(), content.end());
}

void TorchEntries::checkPart(TensorIndex local, const Shape& whole) {
    const TensorEntry& entry = m_out.tensors[local.position()];
    if (entry.shape == whole) {
        return;
    }
    m_out.anyPart = true;
    m_out.notices.push_back(
        {Severity::Error, fail(ErrorCode::CoverageHole,
                               sentence("The file contains one rank's part of %1", entry.name))
                              .inTensor(entry.name)
                              .butFound(sentence("shape %1", formatDims(entry.shape)))
                              .expecting(sentence("shape %1", formatDims(whole)))
                              .withHint("Open the folder that contains the files of all ranks")});
}

void TorchEntries::setRoles(std::size_t from, Role role) {
    for (std::size_t i = from; i < m_out.tensors.size(); ++i) {
        m_out.tensors[i].role = role;
    }
}

void TorchEntries::makeNamesUnique() {
    constexpr std::size_t kMaxListed = 3;
    auto& tensors = m_out.tensors;
    PositionTable names(tensors.size());
    std::unordered_map<std::string, std::size_t> uses;
    std::size_t renamed = 0;
    std::string listed;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto isFree = [&](const std::string& name) {
            const auto own = static_cast<std::uint32_t>(i);
            return names.add(hashOf(name), own, [&](std::uint32_t earlier) {
                return tensors[earlier].name == name;
            }) == own;
        };
        if (isFree(tensors[i].name)) {
            continue;
        }
        const std::string stem = tensors[i].name + "@";
        std::size_t& count = uses.try_emplace(tensors[i].name, 1).first->second;
        do {
            tensors[i].name = stem + std::to_string(++count);
        } while (!isFree(tensors[i].name));
        if (++renamed <= kMaxListed) {
            listed += (listed.empty() ? "" : ", ") + tensors[i].name;
        }
    }
    if (renamed > 0) {
        m_out.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::DuplicateTensor,
                  "Several entries have the same name when their keys are joined with dots")
                 .butFound(sentence(
                     "%1%2", listed,
                     renamed > kMaxListed ? sentence(" and %1 more", renamed - kMaxListed) : ""))
                 .withHint("The later ones are shown with the suffixes @2, @3 …")});
    }
}

} // namespace cairn::formats
