// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_elements.h"

#include "core/analysis/dequantized.h"
#include "core/analysis/tensor_pass.h"
#include "core/compute/decode.h"
#include "core/compute/element_comparison.h"

#include <algorithm>
#include <cstring>

namespace cairn {
namespace {

bool eitherIsBlock(const TensorEntry& left, const TensorEntry& right) {
    return dtypeInfo(left.dtype).isBlock() || dtypeInfo(right.dtype).isBlock();
}

Result<void> checkPair(const TensorEntry& left, const TensorEntry& right) {
    if (left.shape != right.shape) {
        return fail(ErrorCode::InvalidArgument,
                    "Tensors of different shapes cannot be compared by element")
            .inTensor(left.name)
            .butFound(sentence("%1 and %2", formatDims(left.shape), formatDims(right.shape)));
    }
    const bool packed = dtypeInfo(left.dtype).bits % 8 != 0 || dtypeInfo(right.dtype).bits % 8 != 0;
    if (packed || !canCompare(left.dtype, right.dtype)) {
        return fail(ErrorCode::InvalidArgument,
                    "Elements of these dtypes cannot be compared individually")
            .inTensor(left.name)
            .butFound(sentence("%1 and %2", dtypeName(left.dtype), dtypeName(right.dtype)));
    }
    return {};
}

std::vector<double> numbersOf(Dtype dtype, std::span<const std::byte> bytes, std::size_t count) {
    std::vector<double> out(count);
    decodeElements(dtype, bytes, out);
    return out;
}

} // namespace

Result<SliceDiff> diffSlice(const StoredTensor& left, const StoredTensor& right, const Box& box) {
    const TensorEntry& leftTensor = left.entry;
    const TensorEntry& rightTensor = right.entry;
    if (eitherIsBlock(leftTensor, rightTensor)) {
        const TensorNumbers l(left.checkpoint, leftTensor);
        const TensorNumbers r(right.checkpoint, rightTensor);
        return diffSlice({l.checkpoint(), l.tensor()}, {r.checkpoint(), r.tensor()}, box);
    }
    CAIRN_CHECK(checkPair(leftTensor, rightTensor));
    if (!fitsInto(box, leftTensor.shape)) {
        return fail(ErrorCode::InvalidArgument, "The slice is outside the tensor")
            .inTensor(leftTensor.name);
    }
    const std::uint64_t elements = elementCount(box.extent).value_or(kMaxSliceElements + 1);
    if (elements > kMaxSliceElements) {
        return fail(ErrorCode::LimitExceeded, "The slice is too large to be shown")
            .inTensor(leftTensor.name)
            .butFound(sentence("%1 elements", elements))
            .expecting(sentence("at most %1", kMaxSliceElements));
    }
    CAIRN_TRY(const TensorReader leftReader, TensorReader::open(left.checkpoint, leftTensor));
    CAIRN_TRY(const TensorReader rightReader, TensorReader::open(right.checkpoint, rightTensor));
    const auto count = static_cast<std::size_t>(elements);
    SliceDiff slice;
    slice.box = box;
    slice.left.resize(count * leftReader.elementBytes());
    slice.right.resize(count * rightReader.elementBytes());
    TensorReader::Scratch scratch;
    CAIRN_CHECK(leftReader.readBox(box, slice.left, scratch));
    CAIRN_CHECK(rightReader.readBox(box, slice.right, scratch));
    CAIRN_CHECK(checkUnchanged(leftReader));
    CAIRN_CHECK(checkUnchanged(rightReader));
    slice.leftValues = numbersOf(leftTensor.dtype, slice.left, count);
    slice.rightValues = numbersOf(rightTensor.dtype, slice.right, count);
    slice.changed.resize(count);
    changedElements(leftTensor.dtype, slice.left, rightTensor.dtype, slice.right, slice.changed);
    return slice;
}

Result<std::vector<std::uint64_t>> changedPositions(const StoredTensor& left,
                                                    const StoredTensor& right, std::uint64_t from,
                                                    std::size_t limit, const CancelToken& cancel) {
    const TensorEntry& leftTensor = left.entry;
    const TensorEntry& rightTensor = right.entry;
    if (eitherIsBlock(leftTensor, rightTensor)) {
        const TensorNumbers l(left.checkpoint, leftTensor);
        const TensorNumbers r(right.checkpoint, rightTensor);
        return changedPositions({l.checkpoint(), l.tensor()}, {r.checkpoint(), r.tensor()}, from,
                                limit, cancel);
    }
    CAIRN_CHECK(checkPair(leftTensor, rightTensor));
    CAIRN_TRY(const TensorReader leftReader, TensorReader::open(left.checkpoint, leftTensor));
    CAIRN_TRY(const TensorReader rightReader, TensorReader::open(right.checkpoint, rightTensor));
    CAIRN_CHECK(checkExpansion(leftTensor, leftReader));
    CAIRN_CHECK(checkExpansion(rightTensor, rightReader));
    const std::uint64_t total = leftTensor.elements();
    const Box whole = Box::whole(leftTensor.shape);
    const std::uint64_t leftSize = leftReader.elementBytes();
    const std::uint64_t rightSize = rightReader.elementBytes();
    std::vector<std::byte> lefts(static_cast<std::size_t>(kBlockElements * leftSize));
    std::vector<std::byte> rights(static_cast<std::size_t>(kBlockElements * rightSize));
    std::vector<std::uint8_t> changed(kBlockElements);
    TensorReader::Scratch scratch;
    std::vector<std::uint64_t> positions;
    for (std::uint64_t at = from; at < total && positions.size() < limit; at += kBlockElements) {
        CAIRN_CHECK(cancel.check());
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kBlockElements, total - at));
        const auto l = std::span(lefts).first(count * leftSize);
        const auto r = std::span(rights).first(count * rightSize);
        CAIRN_CHECK(leftReader.readBytes(whole, at * leftSize, l, scratch));
        CAIRN_CHECK(rightReader.readBytes(whole, at * rightSize, r, scratch));
        const bool sameBytes =
            leftTensor.dtype == rightTensor.dtype && std::memcmp(l.data(), r.data(), l.size()) == 0;
        if (sameBytes) {
            continue;
        }
        changedElements(leftTensor.dtype, l, rightTensor.dtype, r, std::span(changed).first(count));
        for (std::size_t i = 0; i < count && positions.size() < limit; ++i) {
            if (changed[i] != 0) {
                positions.push_back(at + i);
            }
        }
    }
    CAIRN_CHECK(checkUnchanged(leftReader));
    CAIRN_CHECK(checkUnchanged(rightReader));
    return positions;
}

} // namespace cairn
