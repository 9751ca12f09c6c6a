// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// A range of a source that will be read soon.
struct SoonRead {
    const ByteSource* source = nullptr;
    ByteRange range;
};

/// Announces reads: where each of them would take a round trip to another machine, all are fetched
/// together, and for sources on this machine nothing happens. Only a hint: nothing fails, what is
/// beyond the end of a source or too much is left out, and the reads that follow are as correct
/// without it. Blocks. The sources live until it returns. False: another machine did not answer, or
/// it was cancelled; announcing more would only wait again.
bool prefetch(std::span<const SoonRead> reads, const CancelToken& cancel = {});

/// False: announcing reads of this source does nothing.
bool isFetched(const ByteSource& source);

/// The first and last `ends` bytes of a part of a source, or all of it, as far as it is there.
void addEnds(std::vector<SoonRead>& reads, const ByteSource& source, ByteRange part,
             std::uint64_t ends);

/// A source whose bytes are a range of another one.
class PartOfSource {
public:
    virtual ~PartOfSource() = default;
    virtual const ByteSource& whole() const = 0;
    virtual std::uint64_t beginInWhole() const = 0;
};

/// A source whose bytes are fetched from another machine.
class FetchedSource {
public:
    virtual ~FetchedSource() = default;
    /// The same for sources whose ranges can be fetched together.
    virtual const void* fetchedWith() const = 0;
    /// Fetches ranges of sources with the same fetchedWith(), each within its source. False as
    /// prefetch().
    virtual bool fetchTogether(std::span<const SoonRead> reads,
                               const CancelToken& cancel) const = 0;
};

} // namespace cairn
