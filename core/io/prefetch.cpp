// SPDX-License-Identifier: Apache-2.0
#include "core/io/prefetch.h"

#include <map>

namespace cairn {
namespace {

/// The same range in the source that has the bytes.
SoonRead inOrigin(SoonRead read) {
    while (const auto* part = dynamic_cast<const PartOfSource*>(read.source)) {
        read.range.offset += part->beginInWhole();
        read.source = &part->whole();
    }
    return read;
}

} // namespace

bool prefetch(std::span<const SoonRead> reads, const CancelToken& cancel) {
    std::map<const void*, std::vector<SoonRead>> together;
    for (const SoonRead& each : reads) {
        if (each.range.length == 0 || !each.range.fitsInto(each.source->size())) {
            continue;
        }
        const SoonRead read = inOrigin(each);
        if (const auto* fetched = dynamic_cast<const FetchedSource*>(read.source)) {
            together[fetched->fetchedWith()].push_back(read);
        }
    }
    bool done = true; // machines fail each on their own
    for (const auto& [with, group] : together) {
        const auto& first = dynamic_cast<const FetchedSource&>(*group.front().source);
        done = first.fetchTogether(group, cancel) && done;
    }
    return done;
}

bool isFetched(const ByteSource& source) {
    return dynamic_cast<const FetchedSource*>(inOrigin({&source, {}}).source) != nullptr;
}

void addEnds(std::vector<SoonRead>& reads, const ByteSource& source, ByteRange part,
             std::uint64_t ends) {
    if (!part.fitsInto(source.size()) || !isFetched(source)) {
        return;
    }
    if (part.length <= 2 * ends) {
        reads.push_back({&source, part});
        return;
    }
    reads.push_back({&source, {part.offset, ends}});
    reads.push_back({&source, {part.end() - ends, ends}});
}

} // namespace cairn
