// SPDX-License-Identifier: Apache-2.0
#include "core/codec/framing/block_log.h"
#include "core/codec/framing/tfrecord.h"
#include "core/codec/protobuf/source_stream.h"
#include "core/codec/protobuf/wire.h"
#include "tests/core/history_binary/fixture.h"

#include <random>

namespace cairn::history_test {
namespace {

std::string noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(random());
    }
    return bytes;
}

/// RFC 3720, appendix B.4.
TEST(Crc32c, FitsTheStandardsVectors) {
    std::string rising(32, '\0');
    for (std::size_t i = 0; i < rising.size(); ++i) {
        rising[i] = static_cast<char>(i);
    }
    EXPECT_EQ(crc32c(0, asBytes(std::string(32, '\0'))), 0x8A9136AAU);
    EXPECT_EQ(crc32c(0, asBytes(std::string(32, '\xFF'))), 0x62A8AB43U);
    EXPECT_EQ(crc32c(0, asBytes(rising)), 0x46DD794EU);
    EXPECT_EQ(crc32c(0, asBytes("123456789")), 0xE3069283U);
    EXPECT_EQ(crc32cByTable(0, asBytes("123456789")), 0xE3069283U);
}

TEST(Crc32c, InstructionAndTableAgreeOnAnyCut) {
    const std::string bytes = noise(300, 7);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto whole = asBytes(bytes).first(length);
        EXPECT_EQ(crc32c(0, whole), crc32cByTable(0, whole)) << length;
        const auto cut = length / 3;
        EXPECT_EQ(crc32c(crc32c(0, whole.first(cut)), whole.subspan(cut)), crc32c(0, whole));
    }
}

TEST(BlockLog, RecordsOfEverySizeComeBack) {
    std::string log = kLogHead;
    std::vector<std::string> records;
    for (const std::size_t size :
         {0U, 1U, 7U, 100U, 32746U, 32747U, 32754U, 32761U, 40000U, 100000U, 3U}) {
        records.push_back(noise(size, static_cast<unsigned>(size)));
        appendRecord(log, records.back());
    }
    BlockLogReader reader(memory(log), kLogHead.size(), 1U << 20U);
    for (const std::string& expected : records) {
        const auto record = reader.next();
        ASSERT_TRUE(record);
        ASSERT_TRUE(*record);
        EXPECT_EQ(asText(**record), expected);
    }
    EXPECT_FALSE(reader.next()->has_value());
    EXPECT_EQ(reader.damage().badPieces + reader.damage().orphans, 0U);
    EXPECT_FALSE(reader.damage().truncatedAt);
}

TEST(BlockLog, PassesOverARecordThatIsTooLong) {
    std::string log = kLogHead;
    appendRecord(log, noise(100'000, 1));
    const std::size_t second = log.size();
    appendRecord(log, "short");
    appendRecord(log, noise(20'000, 2));
    BlockLogReader reader(memory(log), kLogHead.size(), 1000);
    EXPECT_EQ(asText(**reader.next()), "short");
    EXPECT_FALSE(reader.next()->has_value());
    EXPECT_EQ(reader.damage().oversized, 2U);
    EXPECT_LT(reader.damage().oversizedOffset, second);
}

TEST(BlockLog, PiecesWithoutTheirBeginningAreTold) {
    std::string log = kLogHead + blockPiece(3, "middle") + blockPiece(4, "last") +
                      blockPiece(2, "first") + blockPiece(1, "whole");
    BlockLogReader reader(memory(log), kLogHead.size(), 1000);
    EXPECT_EQ(asText(**reader.next()), "whole");
    EXPECT_FALSE(reader.next()->has_value());
    EXPECT_EQ(reader.damage().orphans, 2U); // one without a beginning, one without an end
    EXPECT_EQ(reader.damage().orphanOffset, kLogHead.size());
}

/// A source that counts the bytes read from it.
class CountingSource final : public ByteSource {
public:
    explicit CountingSource(ByteSourcePtr inner) : m_inner(std::move(inner)) {}
    std::uint64_t size() const override { return m_inner->size(); }
    const std::string& name() const override { return m_inner->name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        m_read += out.size();
        return m_inner->readAt(offset, out);
    }
    std::uint64_t bytesRead() const { return m_read; }

private:
    ByteSourcePtr m_inner;
    mutable std::uint64_t m_read = 0;
};

TEST(Protobuf, StepsOverALongFieldWithoutReadingIt) {
    const std::string message =
        varintField(1, 5) + bytesField(4, noise(5'000'000, 3)) + varintField(2, 6);
    const CountingSource source(memory(message));
    protobuf::SourceStream stream(source, {0, message.size()});
    protobuf::Input input(&stream);
    input.PushLimit(static_cast<int>(message.size()));
    std::vector<std::uint32_t> fields;
    EXPECT_TRUE(protobuf::walkFields(input, [&](std::uint32_t field) {
        fields.push_back(field >> 3U);
        return protobuf::skipField(input, field);
    }));
    EXPECT_EQ(fields, (std::vector<std::uint32_t>{1, 4, 2}));
    EXPECT_LT(source.bytesRead(), 200'000U);
}

bool walks(const std::string& message) {
    protobuf::Input input(reinterpret_cast<const std::uint8_t*>(message.data()),
                          static_cast<int>(message.size()));
    return protobuf::walkFields(
        input, [&](std::uint32_t field) { return protobuf::skipField(input, field); });
}

TEST(Protobuf, DamageIsSeen) {
    EXPECT_TRUE(walks(""));
    EXPECT_TRUE(walks(bytesField(1, "abc")));
    EXPECT_FALSE(walks(bytesField(1, "abc").substr(0, 4)));               // cut off
    EXPECT_FALSE(walks(varint(1U << 3U | 2U) + varint(1ULL << 40U)));     // a length beyond the end
    EXPECT_FALSE(walks(varint(1U << 3U | 2U) + std::string(11, '\xFF'))); // an endless varint
    EXPECT_FALSE(walks(varint(1U << 3U | 3U)));                           // a group
    EXPECT_FALSE(walks(std::string("\0\0", 2)));                          // field number 0
    EXPECT_FALSE(walks(varint(1U << 3U | 7U)));                           // no such wire type
}

TEST(Protobuf, AnInnerMessageCannotReachOverItsOuterOne) {
    // The outer message has 4 bytes, the inner one claims to have 100.
    const std::string message = bytesField(1, varint(1U << 3U | 2U) + varint(100) + "ab") +
                                bytesField(2, std::string(200, 'x'));
    protobuf::Input input(reinterpret_cast<const std::uint8_t*>(message.data()),
                          static_cast<int>(message.size()));
    EXPECT_FALSE(protobuf::walkFields(input, [&](std::uint32_t) {
        return protobuf::walkMessage(input, [&](std::uint32_t) {
            return protobuf::walkMessage(
                input, [&](std::uint32_t inner) { return protobuf::skipField(input, inner); });
        });
    }));
}

} // namespace
} // namespace cairn::history_test
