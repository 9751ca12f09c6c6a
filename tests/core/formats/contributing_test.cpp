// SPDX-License-Identifier: Apache-2.0
// The example of CONTRIBUTING.md, as it stands there; first, so that its own includes suffice.
#include "contributing_example.inc"
//
#include "tests/core/formats/format_fixture.h"

#include <array>

namespace cairn::formats::matrix {
namespace {

using test::TemporaryFolder;

constexpr std::array<float, 6> kElements = {1.5F, -2.0F, 0.0F, 4.25F, 5.0F, -0.5F};

/// Two rows of three columns, up to `length` bytes.
std::string matrixFile(std::size_t length = std::string::npos) {
    std::string file = "MAT1";
    file.append("\x02\0\0\0\x03\0\0\0", 8);
    file += asText(std::as_bytes(std::span(kElements)));
    return file.substr(0, length);
}

TEST(Contributing, TheExampleReadsItsFormat) {
    const TemporaryFolder folder;
    const auto opened = test::openAs(kFormat, folder.write("a.mat1", matrixFile()));
    ASSERT_TRUE(opened) << describe(opened.error());
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.format(), kFormat.id);
    EXPECT_EQ(checkpoint.completeness(), Completeness::Complete);
    EXPECT_TRUE(checkpoint.notices().empty()) << test::noticesText(checkpoint);
    ASSERT_EQ(checkpoint.tensors().size(), 1U);
    const TensorEntry& tensor = checkpoint.tensors().front();
    EXPECT_EQ(tensor.name, "matrix");
    EXPECT_EQ(tensor.dtype, Dtype::Float32);
    EXPECT_EQ(tensor.shape, (Shape{2, 3}));
    const auto bytes = readComplete(checkpoint, tensor, 1U << 10U);
    ASSERT_TRUE(bytes) << describe(bytes.error());
    EXPECT_EQ(asText(*bytes), asText(std::as_bytes(std::span(kElements))));
}

TEST(Contributing, TheExampleIsCertainOfItsFilesOnly) {
    const std::string file = matrixFile();
    Candidate candidate;
    candidate.head = asBytes(file);
    EXPECT_EQ(kFormat.probe(candidate), Match::Yes);
    candidate.head = asBytes("MAT2");
    EXPECT_EQ(kFormat.probe(candidate), Match::No);
}

TEST(Contributing, TheExampleRefusesEveryTruncation) {
    const TemporaryFolder folder;
    for (std::size_t length = 0; length < matrixFile().size(); ++length) {
        const auto opened = test::openAs(kFormat, folder.write("a.mat1", matrixFile(length)));
        ASSERT_FALSE(opened) << length;
        EXPECT_EQ(opened.error().code, ErrorCode::Truncated) << length;
    }
    const auto opened = test::openAs(kFormat, folder.write("a.mat1", matrixFile(35)));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where.file, "a.mat1");
    EXPECT_EQ(opened.error().message.text(), "The file's size does not match its shape");
    EXPECT_EQ(opened.error().found.text(), "23 bytes after the header");
    EXPECT_EQ(opened.error().expected.text(), "2 × 3 floats");
}

} // namespace
} // namespace cairn::formats::matrix
