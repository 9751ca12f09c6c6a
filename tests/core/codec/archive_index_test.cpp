// SPDX-License-Identifier: Apache-2.0
// What an archive keeps of its source's sentences.
#include "core/codec/archive/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

namespace cairn::archive {
namespace {

Index indexWith(Sentence reason, Error notice) {
    Index index;
    index.format = "dcp";
    index.source =
        SourceState{"incomplete", {std::move(reason)}, {{Severity::Error, std::move(notice)}}};
    return index;
}

TEST(ArchiveIndex, SentencesKeepTheirArguments) {
    const Sentence reason = sentence("%1 missing", counting(2, "file is", "files are"));
    const auto bytes = encodeIndex(indexWith(
        reason, fail(ErrorCode::NotFound, sentence("The file %1 is missing", std::string("a.bin")))
                    .inFile("a.bin")
                    .expecting("a file")
                    .butFound(sentence("%1 of %2", amount("1.5 GB"), amount("2 GB")))));
    const auto read = decodeIndex(bytes);
    ASSERT_TRUE(read) << describe(read.error());
    const SourceState& source = *read->source;
    ASSERT_EQ(source.why.size(), 1U);
    EXPECT_EQ(source.why[0].text(), "2 files are missing");
    EXPECT_EQ(source.why[0].pattern(), "%1 missing");
    EXPECT_EQ(source.why[0].arguments()[0].sentence.pattern(), "%n files are");
    ASSERT_EQ(source.notices.size(), 1U);
    const Error& error = source.notices[0].error;
    EXPECT_EQ(error.message.pattern(), "The file %1 is missing");
    EXPECT_EQ(error.message.text(), "The file a.bin is missing");
    EXPECT_EQ(error.found.arguments()[1].kind, SentenceArgument::Kind::Amount);
    EXPECT_EQ(error.expected.pattern(), "a file");
    EXPECT_TRUE(error.hint.empty());
}

/// An archive of an earlier version has the text alone.
TEST(ArchiveIndex, TextsWithoutAFormStayAsTheyAre) {
    const auto read = decodeIndex(encodeIndex(indexWith(
        fixedText("2 files are missing"), fail(ErrorCode::NotFound, fixedText("%1 is missing")))));
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->source->why[0].text(), "2 files are missing");
    EXPECT_EQ(read->source->notices[0].error.message.text(), "%1 is missing");
}

TEST(ArchiveIndex, DamagedFormsGiveTheirText) {
    const Sentence reason = sentence("The file %1 is missing", std::string("a.bin"));
    const auto good = encodeIndex(indexWith(reason, fail(ErrorCode::NotFound, "Missing")));
    const std::string form = "S" + std::string(reason.pattern());
    const auto wanted = std::as_bytes(std::span(form));
    const auto at =
        std::search(good.begin(), good.end(), wanted.begin(), wanted.end()) - good.begin();
    ASSERT_LT(static_cast<std::size_t>(at), good.size());
    for (std::size_t i = 0; i < form.size(); ++i) {
        for (const char value : {'\0', '%', '\t', '9', '\xff'}) {
            auto damaged = good;
            damaged[static_cast<std::size_t>(at) + i] = static_cast<std::byte>(value);
            const auto read = decodeIndex(damaged);
            ASSERT_TRUE(read) << describe(read.error());
            EXPECT_EQ(read->source->why[0].text(), reason.text());
        }
    }
}

} // namespace
} // namespace cairn::archive
