// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/view.h"
#include "core/io/byte_source.h"
#include "core/model/tensor_reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace cairn {
namespace {

/// A dense array: what NumPy would have.
struct Array {
    std::vector<std::int64_t> shape;
    std::vector<std::int32_t> elements;

    std::int64_t at(const std::vector<std::int64_t>& place) const {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            offset = offset * shape[d] + place[d];
        }
        return elements[static_cast<std::size_t>(offset)];
    }
};

template <class Find> Array made(std::vector<std::int64_t> shape, const Find& find) {
    Array array{std::move(shape), {}};
    const auto count =
        std::accumulate(array.shape.begin(), array.shape.end(), std::int64_t{1}, std::multiplies());
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> place(array.shape.size());
        std::int64_t rest = i;
        for (std::size_t d = place.size(); d-- > 0;) {
            place[d] = rest % array.shape[d];
            rest /= array.shape[d];
        }
        array.elements.push_back(static_cast<std::int32_t>(find(place)));
    }
    return array;
}

/// A codec that adds nothing: its pieces are dense in the file, like those of a nested archive.
class SameCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "same"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& piece) const override {
        return LocatedPiece{file, piece.bytes, {}, piece.flags, {}, {}};
    }
};

/// [12, 10] int32, 0 to 119, in four pieces of different kinds: dense, transposed, encoded.
CheckpointPtr stored() {
    CheckpointData data;
    std::vector<std::int32_t> numbers(120);
    std::vector<std::int32_t> file;
    TensorEntry tensor;
    tensor.name = "t";
    tensor.dtype = Dtype::Int32;
    tensor.shape = {12, 10};
    tensor.role = Role::Weight;
    const std::vector<Box> boxes = {
        {{0, 0}, {5, 10}}, {{5, 0}, {7, 4}}, {{5, 4}, {3, 6}}, {{8, 4}, {4, 6}}};
    data.codecs.push_back(std::make_shared<SameCodec>());
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        const Box& box = boxes[b];
        Piece piece;
        piece.box = box;
        piece.bytes = {file.size() * 4,
                       static_cast<std::uint64_t>(box.extent[0] * box.extent[1] * 4)};
        const bool transposed = b == 1;
        for (std::int64_t i = 0; i < box.extent[transposed ? 1 : 0]; ++i) {
            for (std::int64_t j = 0; j < box.extent[transposed ? 0 : 1]; ++j) {
                const std::int64_t row = box.origin[0] + (transposed ? j : i);
                const std::int64_t column = box.origin[1] + (transposed ? i : j);
                file.push_back(static_cast<std::int32_t>(row * 10 + column));
            }
        }
        if (transposed) {
            piece.strides = {1, box.extent[0]};
        }
        piece.codec = b == 2 ? 1 : kRawCodec;
        tensor.pieces.push_back(piece);
    }
    CheckpointFile memory;
    memory.path = "memory";
    std::vector<std::byte> bytes(file.size() * 4);
    std::memcpy(bytes.data(), file.data(), bytes.size());
    memory.source = makeMemorySource(std::move(bytes), "memory");
    data.addFile(std::move(memory));
    data.tensors.push_back(std::move(tensor));
    return Checkpoint::make(std::move(data));
}

Array read(const TensorView& view, const CheckpointPtr& base) {
    CheckpointData data;
    data.files = base->data().files;
    data.codecs = base->data().codecs;
    auto entry = view.entry("made", data, base);
    if (!entry) {
        ADD_FAILURE() << describe(entry.error());
        return {};
    }
    data.tensors.push_back(std::move(*entry));
    const auto derived = Checkpoint::make(std::move(data));
    const auto bytes = readComplete(*derived, derived->tensors().front(), 1U << 20U);
    if (!bytes) {
        ADD_FAILURE() << describe(bytes.error());
        return {};
    }
    Array array;
    for (const std::int64_t extent : derived->tensors().front().shape.span()) {
        array.shape.push_back(extent);
    }
    array.elements.resize(bytes->size() / 4);
    std::memcpy(array.elements.data(), bytes->data(), bytes->size());
    return array;
}

using Random = std::mt19937;

std::int64_t below(Random& random, std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
}

/// One random operation on both.
void step(Random& random, TensorView& view, Array& array) {
    const auto rank = static_cast<std::int64_t>(array.shape.size());
    const auto dim = static_cast<std::size_t>(below(random, rank));
    const auto d = static_cast<std::ptrdiff_t>(dim);
    const std::int64_t extent = array.shape[dim];
    std::vector<std::int64_t> shape = array.shape;
    switch (below(random, 5)) {
    case 0: { // split
        std::vector<std::int64_t> divisors;
        for (std::int64_t i = 1; i <= extent; ++i) {
            if (extent % i == 0) {
                divisors.push_back(i);
            }
        }
        if (divisors.empty() || rank > 4) {
            return;
        }
        const std::int64_t a = divisors[static_cast<std::size_t>(
            below(random, static_cast<std::int64_t>(divisors.size())))];
        view = view.split(dim, {a, extent / a}).value();
        shape[dim] = a;
        shape.insert(shape.begin() + d + 1, extent / a);
        array.shape = shape;
        return;
    }
    case 1: // merge
        if (dim + 1 < array.shape.size()) {
            view = view.merge(dim, 2).value();
            shape[dim] *= shape[dim + 1];
            shape.erase(shape.begin() + d + 1);
            array.shape = shape;
        }
        return;
    case 2: { // slice
        const std::int64_t first = below(random, std::max<std::int64_t>(extent / 3, 1));
        const std::int64_t count =
            extent - first - below(random, std::max<std::int64_t>(extent / 3, 1));
        if (extent == 0 || count < 1) {
            return;
        }
        view = view.slice(dim, first, count).value();
        shape[dim] = count;
        array = made(shape, [&, old = array](std::vector<std::int64_t> place) {
            place[dim] += first;
            return old.at(place);
        });
        return;
    }
    case 3: { // swap
        const auto other = static_cast<std::size_t>(below(random, rank));
        view = view.swap(dim, other).value();
        std::swap(shape[dim], shape[other]);
        array = made(shape, [&, old = array](std::vector<std::int64_t> place) {
            std::swap(place[dim], place[other]);
            return old.at(place);
        });
        return;
    }
    default: { // one behind the other, the second reversed in order
        if (array.elements.size() > 2000) {
            return;
        }
        const std::int64_t cut = below(random, extent) + 1;
        if (cut == extent) {
            return;
        }
        const std::vector<TensorView> views = {view.slice(dim, cut, extent - cut).value(),
                                               view.slice(dim, 0, cut).value()};
        view = TensorView::concat(views, dim).value();
        array = made(shape, [&, old = array](std::vector<std::int64_t> place) {
            place[dim] = (place[dim] + cut) % extent;
            return old.at(place);
        });
        return;
    }
    }
}

TEST(TensorView, EqualsTheSameOperationsOnAnArray) {
    const CheckpointPtr base = stored();
    for (unsigned seed = 0; seed < 400; ++seed) {
        Random random(seed);
        TensorView view = TensorView::of(*base, TensorIndex(0));
        Array array = made({12, 10}, [](const auto& place) { return place[0] * 10 + place[1]; });
        for (int i = 0; i < 6; ++i) {
            step(random, view, array);
        }
        const Array got = read(view, base);
        ASSERT_EQ(got.shape, array.shape) << "seed " << seed;
        ASSERT_EQ(got.elements, array.elements) << "seed " << seed;
    }
}

TEST(TensorView, RefusesWhatDoesNotFit) {
    const CheckpointPtr base = stored();
    const TensorView view = TensorView::of(*base, TensorIndex(0));
    EXPECT_TRUE(view.isWhole());
    EXPECT_FALSE(view.split(0, {5, 2}));
    EXPECT_FALSE(view.split(2, {1}));
    EXPECT_FALSE(view.slice(0, 6, 7));
    EXPECT_FALSE(view.slice(0, -1, 2));
    EXPECT_FALSE(view.select(1, 10));
    EXPECT_FALSE(view.merge(0, 3));
    EXPECT_FALSE(view.swap(0, 2));
    const std::vector<TensorView> views = {view, view.slice(1, 0, 3).value()};
    EXPECT_FALSE(TensorView::concat(views, 0));
    EXPECT_TRUE(TensorView::concat(views, 1));
}

} // namespace
} // namespace cairn
