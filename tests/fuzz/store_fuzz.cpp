// SPDX-License-Identifier: Apache-2.0
#include "core/io/remote_name.h"
#include "core/store/message.h"

#include <cstdint>
#include <string_view>

/// Any bytes as a stream of frames, with the payload parsers of both ends; and as a name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    using namespace cairn::store;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto name = RemoteName::parse(text)) {
        const auto again = RemoteName::parse(name->text());
        if (!again || *again != *name || name->host.starts_with('-') ||
            name->user.starts_with('-')) {
            __builtin_trap();
        }
    }
    FrameParser parser;
    parser.add(text);
    for (;;) {
        const auto frame = parser.next();
        if (!frame || !*frame) {
            return 0;
        }
        const std::string& payload = (*frame)->payload;
        (void)decodeHello(payload);
        (void)decodeStat(payload);
        (void)decodeWords(payload);
        (void)decodeOpen(payload);
        (void)decodeGathered(payload);
        if (const auto gather = decodeGather(payload)) {
            for (const ReadRequest& each : *gather) {
                for (const ByteRange& range : each.ranges) {
                    if (!range.fitsInto(each.identity.size) || range.length > kMaxGathered) {
                        __builtin_trap();
                    }
                }
            }
        }
        WireReader error(payload);
        (void)describe(getError(error));
        if (const auto ahead = decodeAhead(payload);
            ahead &&
            (ahead->identity.size > INT64_MAX || // sums of offsets would overflow
             !ByteRange{ahead->offset, ahead->bytes.size()}.fitsInto(ahead->identity.size))) {
            __builtin_trap();
        }
        if (const auto read = decodeRead(payload)) {
            for (const ByteRange& range : read->ranges) {
                if (!range.fitsInto(read->identity.size)) {
                    __builtin_trap();
                }
            }
        }
        if (const auto listing = decodeListing(payload)) {
            for (const ListedEntry& each : listing->entries) {
                if (!isEntryName(each.entry.name)) {
                    __builtin_trap();
                }
            }
        }
    }
}
