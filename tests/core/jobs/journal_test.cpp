// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/journal.h"
#include "tests/core/jobs/job_fixture.h"

#include <bit>

/// Files that a part has verified, in its journal, and as earlier programs wrote them.
namespace cairn {
namespace {

using namespace jobtest;

constexpr const char* kDigest = "0123456789abcdef";

ContentDigest digestOf(std::string_view text, DigestKind kind) {
    ContentHash hash(kind);
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish();
}

VerifiedFiles verifiedWith(DigestKind kind) {
    VerifiedFiles verified;
    verified.files.push_back({3,
                              digestOf("file", DigestKind::Sha256).value,
                              {digestOf("a", kind), digestOf("", kind), digestOf("b", kind)}});
    verified.files.push_back({4, digestOf("index", DigestKind::Sha256).value, {}});
    verified.cast.elements = 7;
    verified.provenBytes = 4096;
    return verified;
}

JournalContent writtenAndRead(const TemporaryFolder& folder, const VerifiedFiles& verified) {
    RealFileOps real;
    const auto parent = real.openFolder(folder.path());
    EXPECT_TRUE(parent);
    {
        auto journal = Journal::open(real, *parent, folder.path(), "j", kDigest);
        EXPECT_TRUE(journal && journal->add(verified));
    }
    auto content = Journal::read(folder.path() / "j", kDigest);
    EXPECT_TRUE(content);
    return std::move(*content);
}

TEST(Journal, KeepsDigestsOfBothKinds) {
    for (const DigestKind kind : {DigestKind::Xxh3, DigestKind::Sha256}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        VerifiedFiles verified = verifiedWith(kind);
        verified.files[1].sums = {7, 4'294'967'295};
        const JournalContent content = writtenAndRead(folder, verified);
        ASSERT_EQ(content.verified.size(), 1U);
        ASSERT_EQ(content.verified[0].files.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(content.verified[0].files[i].file, verified.files[i].file);
            EXPECT_EQ(content.verified[0].files[i].digest, verified.files[i].digest);
            EXPECT_TRUE(content.verified[0].files[i].tensors == verified.files[i].tensors);
            EXPECT_EQ(content.verified[0].files[i].sums, verified.files[i].sums);
        }
        EXPECT_EQ(content.verified[0].cast.elements, 7U);
        EXPECT_EQ(content.verified[0].provenBytes, 4096U);
    }
}

/// Its lines had no fourth field, and SHA-256 only.
TEST(Journal, ReadsThatOfAnEarlierProgram) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    (void)writtenAndRead(folder, verifiedWith(DigestKind::Sha256));
    std::string text = test::readText(folder.path() / "j");
    for (std::size_t at = 0; (at = text.find(",\"sha256\"")) != std::string::npos;) {
        text.erase(at, std::string_view(",\"sha256\"").size());
    }
    ASSERT_EQ(text.find("sha256"), std::string::npos);
    folder.write("j", text);
    const auto content = Journal::read(folder.path() / "j", kDigest);
    ASSERT_TRUE(content);
    ASSERT_EQ(content->verified.size(), 1U);
    EXPECT_TRUE(content->verified[0].files[0].tensors ==
                verifiedWith(DigestKind::Sha256).files[0].tensors);
}

/// Neither is guessed at: the line and what follows are not used.
TEST(Journal, UsesNoDigestsOfAKindThatItDoesNotKnow) {
    for (const auto& [from, to] :
         {std::pair{"\"xxh3_128\"", "\"xxh9_999\""}, std::pair{"\"xxh3_128\"", "\"sha256\""}}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        (void)writtenAndRead(folder, verifiedWith(DigestKind::Xxh3));
        std::string text = test::readText(folder.path() / "j");
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, std::string_view(from).size(), to);
        folder.write("j", text);
        const auto content = Journal::read(folder.path() / "j", kDigest);
        ASSERT_TRUE(content);
        EXPECT_TRUE(content->verified.empty());
    }
}

} // namespace
} // namespace cairn
