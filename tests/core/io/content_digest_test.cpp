// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/content_digest.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn {
namespace {

std::string digestOf(DigestKind kind, std::span<const std::byte> bytes, std::size_t step) {
    ContentHash hash(kind);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        hash.add(bytes.subspan(at, std::min(step, bytes.size() - at)));
    }
    return hexText(hash.finish().bytes());
}

/// As `xxh128sum` and `sha256sum` print them.
TEST(ContentDigest, IsWhatTheToolsPrint) {
    std::vector<std::byte> counting(100000);
    for (std::size_t i = 0; i < counting.size(); ++i) {
        counting[i] = static_cast<std::byte>(i % 251);
    }
    for (const std::size_t step : {1U, 7U, 4096U, 100000U}) {
        EXPECT_EQ(digestOf(DigestKind::Xxh3, {}, step), "99aa06d3014798d86001c324468d497f");
        EXPECT_EQ(digestOf(DigestKind::Xxh3, asBytes("abc"), step),
                  "06b05ab6733a618578af5f94892f3950");
        EXPECT_EQ(digestOf(DigestKind::Xxh3, counting, step), "54182c58bbb1337c42c23aeead96750d");
        EXPECT_EQ(digestOf(DigestKind::Sha256, asBytes("abc"), step),
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

TEST(ContentDigest, BeginsAgainAfterTheDigest) {
    for (const DigestKind kind : {DigestKind::Xxh3, DigestKind::Sha256}) {
        ContentHash hash(kind);
        hash.add(asBytes("before"));
        (void)hash.finish();
        hash.add(asBytes("abc"));
        const ContentDigest digest = hash.finish();
        EXPECT_EQ(hexText(digest.bytes()), digestOf(kind, asBytes("abc"), 3));
        EXPECT_EQ(digest.bytes().size(), digestSize(kind));
        EXPECT_EQ(digest.kind, kind);
    }
}

} // namespace
} // namespace cairn
