// SPDX-License-Identifier: Apache-2.0
#include "core/plan/work_rates.h"

#include "core/model/columns.h"
#include "core/plan/copy_plan.h"

#include <algorithm>
#include <vector>

namespace cairn {
namespace {

/// Elements that are stored compressed.
bool isCompressed(const Piece& piece, const TensorEntry& tensor) {
    if (piece.codec == kRawCodec) {
        return false;
    }
    const auto bytes = dtypeBytes(tensor.dtype, elementCount(piece.box.extent).value_or(0));
    return piece.bytes.length < bytes.value_or(0);
}

/// The kind of work of reading a complete tensor.
WorkKind readingKind(const TensorEntry& tensor) {
    WorkKind kind = WorkKind::Copy;
    for (const Piece& piece : tensor.pieces) {
        if (isCompressed(piece, tensor)) {
            return WorkKind::Compute;
        }
        if (!piece.strides.empty() || takesColumns(piece.box, tensor.shape)) {
            kind = WorkKind::Gather;
        }
    }
    return kind;
}

} // namespace

std::string_view workKindName(WorkKind kind) {
    static constexpr std::array<std::string_view, kWorkKinds> kNames = {"copy", "cast", "gather",
                                                                        "compute", "pack"};
    return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view rateOriginName(RateOrigin origin) {
    static constexpr std::array<std::string_view, 3> kNames = {"assumed", "inferred", "measured"};
    return kNames.at(static_cast<std::size_t>(origin));
}

WorkKind workKindOf(const CopyPlan& plan) {
    const Checkpoint& source = *plan.source;
    std::vector<WorkKind> reading;
    reading.reserve(source.tensors().size());
    for (const TensorEntry& tensor : source.tensors()) {
        reading.push_back(readingKind(tensor));
    }
    std::array<std::uint64_t, kWorkKinds> bytes{};
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const TensorEntry& tensor = source.tensor(segment.source);
            WorkKind kind = reading[segment.source.position()];
            if (segment.dtype != tensor.dtype) {
                kind = std::max(kind, WorkKind::Cast);
            }
            if (takesColumns(segment.box, tensor.shape)) {
                kind = std::max(kind, WorkKind::Gather);
            }
            const bool isSum = plan.readsComputed() && !tensor.pieces.empty() &&
                               tensor.pieces.front().codec != kRawCodec;
            if (isSum || plan.recipes.contains(segment.source)) {
                kind = WorkKind::Compute;
            }
            bytes.at(static_cast<std::size_t>(kind)) += segment.length;
        }
    }
    return static_cast<WorkKind>(std::ranges::max_element(bytes) - bytes.begin());
}

ForecastRate forecastRate(WorkKind kind, const WorkRates& known) {
    if (known.of(kind) > 0) {
        return {known.of(kind), RateOrigin::Measured};
    }
    const auto wanted = static_cast<std::size_t>(kind);
    for (std::size_t i = wanted; i-- > 0;) {
        if (const double rate = known.bytesPerSecond.at(i); rate > 0) {
            return {std::min(rate, kForecastBytesPerSecond), RateOrigin::Inferred};
        }
    }
    for (std::size_t i = wanted + 1; i <= static_cast<std::size_t>(WorkKind::Gather); ++i) {
        if (const double rate = known.bytesPerSecond.at(i); rate > 0) {
            return {rate, RateOrigin::Inferred};
        }
    }
    return {};
}

} // namespace cairn
