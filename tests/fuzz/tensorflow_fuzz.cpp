// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/sstable/sstable.h"
#include "core/formats/tensorflow/bundle_table.h"
#include "core/formats/tensorflow/scalar_values.h"
#include "core/formats/tensorflow/state_file.h"
#include "core/formats/tensorflow/string_codec.h"
#include "core/formats/tensorflow/tensor_proto.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::formats::tensorflow;

void append(std::vector<std::byte>& out, std::string_view text) {
    const auto bytes = asBytes(text);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void appendVarint(std::vector<std::byte>& out, std::uint64_t value) {
    for (; value > 127; value >>= 7U) {
        out.push_back(static_cast<std::byte>((value & 127U) | 128U));
    }
    out.push_back(static_cast<std::byte>(value));
}

/// Adds the trailer of a block with the correct checksum, so that the content is parsed.
void seal(std::vector<std::byte>& out, std::size_t from, std::byte type) {
    out.push_back(type);
    const std::uint32_t crc = maskedCrc32c(crc32c(0, std::span(out).subspan(from)));
    out.resize(out.size() + 4);
    storeLittle(out, out.size() - 4, crc);
}

/// A table of one data block with this content.
std::vector<std::byte> tableOf(std::span<const std::byte> content, std::byte type) {
    std::vector<std::byte> table(content.begin(), content.end());
    seal(table, 0, type);
    const std::size_t index = table.size();
    std::vector<std::byte> handle;
    appendVarint(handle, 0);
    appendVarint(handle, content.size());
    appendVarint(table, 0);
    appendVarint(table, 1);
    appendVarint(table, handle.size());
    append(table, "k");
    table.insert(table.end(), handle.begin(), handle.end());
    append(table, std::string_view("\0\0\0\0\1\0\0\0", 8));
    const std::size_t length = table.size() - index;
    seal(table, index, std::byte{0});
    std::vector<std::byte> footer;
    appendVarint(footer, 0);
    appendVarint(footer, 0);
    appendVarint(footer, index);
    appendVarint(footer, length);
    footer.resize(40);
    append(footer, std::string_view("\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8));
    table.insert(table.end(), footer.begin(), footer.end());
    return table;
}

void readTable(std::vector<std::byte> bytes) {
    const auto source = makeMemorySource(std::move(bytes), "fuzz.index");
    const auto table = readBundleTable(*source, {});
    if (!table) {
        return;
    }
    for (const auto& slice : table->slices) {
        if (slice.key.slice.size() > kMaxRank) {
            __builtin_trap();
        }
    }
}

void readMessages(std::span<const std::byte> bytes) {
    (void)parseHeader(bytes);
    if (const auto entry = parseEntry(bytes)) {
        for (const Slice& slice : entry->slices) {
            const auto box = boxOf(slice, entry->shape);
            if (box && !fitsInto(*box, entry->shape)) {
                __builtin_trap();
            }
        }
    }
    (void)parseSliceKey(asText(bytes));
    (void)parseObjectGraph(bytes);
    (void)parseStateFile(asText(bytes));
}

void readProto(std::span<const std::byte> bytes) {
    if (bytes.size() < 2) {
        return;
    }
    const auto dtype = dtypeOf(std::to_integer<std::uint32_t>(bytes[0]) % 33);
    const auto count = std::to_integer<std::uint64_t>(bytes[1]);
    if (dtype) {
        (void)readProtoElements(bytes.subspan(2), *dtype, count);
    }
}

/// A string tensor that claims to fill the complete file.
void readStringTensor(std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return;
    }
    const auto count = std::to_integer<std::int64_t>(bytes[0]);
    const auto content = bytes.subspan(1);
    TensorEntry tensor;
    tensor.dtype = Dtype::String;
    tensor.shape = Shape{count};
    const Piece piece{Box::whole(tensor.shape), FileIndex(0), {0, content.size()}, {}, 1, {}};
    const auto source = makeMemorySource({content.begin(), content.end()}, "fuzz.data");
    const auto located = StringCodec(false).locate(source, tensor, piece);
    if (located && located->bytes.length <= (1U << 20U)) {
        (void)readRange(*located->source, located->bytes);
    }
}

} // namespace

/// The first byte chooses what the rest is: a table, the content of a block (plain or compressed)
/// with a correct checksum, a message, the value of an old file, a string tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::span bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    switch (data[0] % 6) {
    case 0:
        readTable({bytes.begin(), bytes.end()});
        break;
    case 1:
        readTable(tableOf(bytes, std::byte{0}));
        break;
    case 2:
        readTable(tableOf(bytes, std::byte{1}));
        break;
    case 3:
        readMessages(bytes);
        break;
    case 4:
        readProto(bytes);
        break;
    default:
        readStringTensor(bytes);
        break;
    }
    return 0;
}
