// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/model/tensor_reader.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

/// The requirements for every format, tested on the samples of all formats.
namespace cairn::conformance {

using test::readText;
using test::TemporaryFolder;

/// One golden checkpoint and its format.
struct Sample {
    std::string format;
    std::filesystem::path path;
    std::string label; ///< "dcp/plain", for messages
    bool whole = true; ///< false: damaged on purpose
};
void PrintTo(const Sample& sample, std::ostream* out);

/// tests/data/<format>/*, the checkpoints of the sample experiment, and the files in Hugging Face
/// folders.
const std::vector<Sample>& samples();

std::string sha256(std::span<const std::byte> bytes);
std::string shapeText(const Shape& shape); ///< "2,3"

/// dtype, shape and sha256 of the elements.
Result<std::string> describeTensor(const Checkpoint& checkpoint, const TensorEntry& tensor);

/// Plain values as one line, tensors by name; cut at a million characters.
std::string describeValue(const Checkpoint& checkpoint, const Value& value);

/// All tensors and values of a checkpoint, one per line: equal text means equal content.
Result<std::string> contentOf(const Checkpoint& checkpoint);

std::string noticesText(const Checkpoint& checkpoint);

/// Base of the suite's tests; instantiated once for all samples, in contents_test.cpp.
class Conformance : public testing::TestWithParam<Sample> {
protected:
    /// The opened sample; null, and a test failure, if it cannot be opened.
    static CheckpointPtr open() {
        auto checkpoint = openCheckpoint(GetParam().path);
        EXPECT_TRUE(checkpoint) << describe(checkpoint.error());
        return checkpoint ? *checkpoint : nullptr;
    }
};

/// The samples that are not damaged on purpose.
class WholeConformance : public Conformance {};

} // namespace cairn::conformance
