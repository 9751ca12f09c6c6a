// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_unread.h"

#include "core/analysis/unpacked_weights.h"

#include <algorithm>

namespace cairn {

std::optional<PairDiff> diffWithoutReading(const Checkpoint& left, const Checkpoint& right,
                                           const TensorPair& pair) {
    const TensorEntry& l = left.tensor(pair.left);
    const TensorEntry& r = right.tensor(pair.right);
    PairDiff diff;
    diff.values.identical = false;
    diff.values.numeric = canMeasure(l.dtype) && !pair.stored;
    if (l.shape != r.shape) {
        diff.by = DiffBy::OtherShape;
        return diff;
    }
    if (!canCompare(l.dtype, r.dtype)) {
        diff.by = DiffBy::OtherDtype;
        return diff;
    }
    if (sameStorage(left, l, right, r)) {
        diff.by = DiffBy::SameFile;
        diff.values.identical = true;
        diff.values.count = l.elements();
        return diff;
    }
    return std::nullopt;
}

bool sameStorage(const Checkpoint& left, const TensorEntry& leftTensor, const Checkpoint& right,
                 const TensorEntry& rightTensor) {
    if (leftTensor.dtype != rightTensor.dtype || leftTensor.shape != rightTensor.shape ||
        leftTensor.pieces.size() != rightTensor.pieces.size()) {
        return false;
    }
    return std::ranges::equal(
        leftTensor.pieces, rightTensor.pieces, [&](const Piece& l, const Piece& r) {
            const CheckpointFile& lf = left.files()[l.file.position()];
            const CheckpointFile& rf = right.files()[r.file.position()];
            const bool sameFile = lf.source || rf.source
                                      ? lf.source == rf.source
                                      : lf.identity == rf.identity && lf.identity.inode != 0;
            return sameFile && !lf.missing && !rf.missing && l.box == r.box &&
                   l.bytes.offset == r.bytes.offset && l.bytes.length == r.bytes.length &&
                   l.strides == r.strides && l.flags == r.flags &&
                   left.codecName(l.codec) == right.codecName(r.codec) &&
                   left.codecName(l.codec) != kUnpackCodec; // its scales may be elsewhere
        });
}

} // namespace cairn
