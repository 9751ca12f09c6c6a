// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/typed_index.h"
#include "core/model/dims.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

/// Position in Checkpoint's list of piece codecs; kRawCodec: the file holds the elements as they
/// are. As wide as a file's position: every piece may have a codec of its own, and a joined
/// checkpoint has those of all its members.
using CodecId = std::uint32_t;
inline constexpr CodecId kRawCodec = 0;

/// How stored elements are converted to logical ones, besides their location.
struct ElementFlags {
    bool swapBytes = false; ///< stored big-endian; per component of the dtype
    bool negate = false;    ///< torch's neg bit
    bool conjugate = false; ///< torch's conj bit
    friend bool operator==(const ElementFlags&, const ElementFlags&) = default;
    [[nodiscard]] bool any() const { return swapBytes || negate || conjugate; }
};

/// (box of the tensor) <-> (file, byte range, strides, codec): the placement map is made of these.
/// The attributes let a member use the padding of the one before it: an index of a million tensors
/// has a million of these.
struct Piece {
    /// Which elements of the tensor, in global coordinates.
    [[no_unique_address]] Box box;
    FileIndex file; ///< into Checkpoint::files()
    /// Raw codec: first element to one past the last; else the stored item that the codec
    /// understands.
    ByteRange bytes;
    /// Raw codec, in elements, for the box's dimensions; empty = dense C order.
    [[no_unique_address]] Strides strides;
    CodecId codec = kRawCodec;
    ElementFlags flags;
};

/// The pieces of a tensor: a vector that holds a single one, the usual case, without a heap.
/// Adding invalidates references, as in a vector.
class PieceList {
public:
    using value_type = Piece;

    PieceList() = default;
    PieceList(std::initializer_list<Piece> pieces)
        : PieceList(std::vector<Piece>(pieces.begin(), pieces.end())) {}
    PieceList(std::vector<Piece> pieces) { // NOLINT(google-explicit-constructor): same contents
        if (pieces.size() == 1) {
            push_back(std::move(pieces.front()));
        } else if (!pieces.empty()) {
            m_many = std::make_unique<std::vector<Piece>>(std::move(pieces));
        }
    }
    PieceList(const PieceList& other)
        : m_one(other.m_one), m_hasOne(other.m_hasOne),
          m_many(other.m_many ? std::make_unique<std::vector<Piece>>(*other.m_many) : nullptr) {}
    PieceList(PieceList&& other) noexcept
        : m_one(std::move(other.m_one)), m_hasOne(std::exchange(other.m_hasOne, false)),
          m_many(std::move(other.m_many)) {}
    PieceList& operator=(const PieceList& other) {
        if (this != &other) {
            *this = PieceList(other);
        }
        return *this;
    }
    PieceList& operator=(PieceList&& other) noexcept {
        m_one = std::move(other.m_one);
        m_hasOne = std::exchange(other.m_hasOne, false);
        m_many = std::move(other.m_many);
        return *this;
    }
    ~PieceList() = default;

    [[nodiscard]] std::size_t size() const { return m_many ? m_many->size() : m_hasOne ? 1 : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const Piece* begin() const { return m_many ? m_many->data() : &m_one; }
    [[nodiscard]] const Piece* end() const { return begin() + size(); }
    [[nodiscard]] Piece* begin() { return m_many ? m_many->data() : &m_one; }
    [[nodiscard]] Piece* end() { return begin() + size(); }
    [[nodiscard]] const Piece& operator[](std::size_t i) const { return begin()[i]; }
    [[nodiscard]] Piece& operator[](std::size_t i) { return begin()[i]; }
    [[nodiscard]] const Piece& front() const { return *begin(); }
    [[nodiscard]] Piece& front() { return *begin(); }
    [[nodiscard]] const Piece& back() const { return *(end() - 1); }
    [[nodiscard]] Piece& back() { return *(end() - 1); }

    Piece& emplace_back(Piece piece = {}) {
        if (m_many || m_hasOne) {
            return many().emplace_back(std::move(piece));
        }
        m_hasOne = true;
        return m_one = std::move(piece);
    }
    void push_back(Piece piece) { emplace_back(std::move(piece)); }
    void reserve(std::size_t count) {
        if (count > 1) {
            many().reserve(count);
        }
    }
    void clear() { *this = PieceList(); }
    /// Keeps the first `count`. REQUIRES: count <= size().
    void truncate(std::size_t count) {
        if (m_many) {
            m_many->erase(m_many->begin() + static_cast<std::ptrdiff_t>(count), m_many->end());
        } else if (count == 0) {
            clear();
        }
    }
    /// Asks once for each, in order.
    template <class Predicate> void eraseIf(Predicate isUnwanted) {
        const Piece* kept = std::remove_if(begin(), end(), isUnwanted);
        truncate(static_cast<std::size_t>(kept - begin()));
    }
    void pop_back() { truncate(size() - 1); }

private:
    std::vector<Piece>& many() {
        if (!m_many) {
            m_many = std::make_unique<std::vector<Piece>>();
            if (std::exchange(m_hasOne, false)) {
                m_many->push_back(std::exchange(m_one, {}));
            }
        }
        return *m_many;
    }

    [[no_unique_address]] Piece m_one; ///< in use if m_hasOne
    bool m_hasOne = false;
    std::unique_ptr<std::vector<Piece>> m_many; ///< if set, holds all of them
};

} // namespace cairn
