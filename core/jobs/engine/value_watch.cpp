// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/value_watch.h"

#include "core/model/finding_rules.h"

#include <algorithm>

namespace cairn {

ValueWatch::ValueWatch(const CopyPlan& plan, std::span<const FileParts> files)
    : m_plan(plan), m_files(files), m_counts(files.size()) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        m_counts[i].resize(files[i].file().tensors.size());
    }
}

bool ValueWatch::isWatched(const TensorSegment& segment) const {
    return m_plan.source->tensor(segment.source).role == Role::Weight &&
           dtypeInfo(segment.dtype).kind == DtypeKind::Float && canMeasure(segment.dtype);
}

void ValueWatch::add(std::size_t file, std::uint64_t offset, std::span<const std::byte> bytes) {
    const FileParts& known = m_files[file];
    const auto parts = known.parts();
    const std::uint64_t end = offset + bytes.size();
    for (std::size_t i = known.partAt(offset); i < parts.size() && parts[i].offset < end; ++i) {
        const Part& part = parts[i];
        if (!part.tensor || !isWatched(known.file().tensors[part.index])) {
            continue;
        }
        const std::uint64_t size = dtypeInfo(known.file().tensors[part.index].dtype).bits / 8;
        std::uint64_t from = std::max(part.offset, offset) - part.offset; // in the segment
        const std::uint64_t to = std::min(part.end(), end) - part.offset;
        const auto at = [&](std::uint64_t first, std::uint64_t last) {
            return bytes.subspan(static_cast<std::size_t>(part.offset + first - offset),
                                 static_cast<std::size_t>(last - first));
        };
        if (const std::uint64_t rest = (part.skip + from) % size;
            rest != 0) { // of an element begun before
            const std::uint64_t last = std::min(from - rest + size, to);
            addSplit(file, part.index, part.offset + from - rest, static_cast<std::size_t>(rest),
                     at(from, last));
            from = last;
        }
        const std::uint64_t complete = from + (to - from) / size * size;
        addElements(file, part.index, at(from, complete));
        if (complete < to) {
            addSplit(file, part.index, part.offset + complete, 0, at(complete, to));
        }
    }
}

void ValueWatch::addElements(std::size_t file, std::size_t segment,
                             std::span<const std::byte> bytes) {
    const Dtype dtype = m_files[file].file().tensors[segment].dtype;
    const std::size_t step = kBlockElements * (dtypeInfo(dtype).bits / 8);
    Counts found;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const ElementStatistics block =
            blockStatistics(dtype, bytes.subspan(at, std::min(step, bytes.size() - at)));
        found.count += block.count;
        found.nan += block.nan;
        found.inf += block.inf;
        found.zeros += block.zeros;
    }
    const std::scoped_lock lock(m_mutex);
    Counts& counts = m_counts[file][segment];
    counts.count += found.count;
    counts.nan += found.nan;
    counts.inf += found.inf;
    counts.zeros += found.zeros;
}

void ValueWatch::addSplit(std::size_t file, std::size_t segment, std::uint64_t element,
                          std::size_t at, std::span<const std::byte> bytes) {
    const std::size_t size = dtypeInfo(m_files[file].file().tensors[segment].dtype).bits / 8;
    std::array<std::byte, 16> complete{};
    {
        const std::scoped_lock lock(m_mutex);
        Split& split = m_splits[{file, element}];
        std::ranges::copy(bytes, split.bytes.begin() + static_cast<std::ptrdiff_t>(at));
        split.known += bytes.size();
        if (split.known < size) {
            return;
        }
        complete = split.bytes;
        m_splits.erase({file, element});
    }
    addElements(file, segment, std::span<const std::byte>(complete).first(size));
}

Result<void> ValueWatch::finish(const std::vector<bool>& selected) const {
    std::uint64_t zeros = 0;
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        const OutputFile& file = m_files[i].file();
        for (std::size_t t = 0; selected[i] && t < file.tensors.size(); ++t) {
            const Counts& counts = m_counts[i][t];
            const bool isMask = counts.zeros + counts.inf == counts.count;
            if (counts.nan > 0 || (counts.inf > 0 && !isMask)) {
                const bool nan = counts.nan > 0;
                return fail(ErrorCode::NonFinite, nan ? Sentence("The weights contain NaN")
                                                      : "The weights contain infinities")
                    .inFile(file.name)
                    .inTensor(std::string(file.tensors[t].name))
                    .butFound(
                        sentence("%1 of %2 elements", nan ? counts.nan : counts.inf, counts.count))
                    .withHint("Use an earlier checkpoint; --force writes it anyway");
            }
            (counts.zeros == counts.count ? zeros : others) += counts.count;
        }
    }
    if (zeros >= kFewestZerosToReport && others == 0 && std::ranges::count(selected, false) == 0) {
        return fail(ErrorCode::VerifyMismatch, "All weights of the model are zero")
            .butFound(sentence("%1 zeros", zeros))
            .withHint("Use an earlier checkpoint; --force writes it anyway");
    }
    return {};
}

} // namespace cairn
