// SPDX-License-Identifier: Apache-2.0
// Whether plain values, and tensors that are values, are what was saved.
#include "core/io/hash.h"
#include "core/model/checked_elements.h"
#include "core/model/saved_values.h"
#include "core/model/single_number.h"
#include "tests/core/model/synthetic.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

using test::TemporaryFolder;

/// A file with the int64 numbers 7 and 9 after `lead` bytes, as tensors "step" and "epoch".
class Numbers {
public:
    explicit Numbers(std::size_t lead = 0) {
        const auto numbers = synthetic::bytesOf(std::vector<std::int64_t>{7, 9});
        m_bytes.assign(lead, std::byte{1});
        m_bytes.insert(m_bytes.end(), numbers.begin(), numbers.end());
        CheckpointFile file;
        file.path = "file";
        data.addFile(std::move(file));
        for (const auto* name : {"step", "epoch"}) {
            TensorEntry tensor;
            tensor.name = name;
            tensor.dtype = Dtype::Int64;
            tensor.role = Role::TrainingState;
            Piece piece;
            piece.box = Box::whole(tensor.shape);
            piece.file = FileIndex(std::size_t{0});
            piece.bytes = {lead + 8 * data.tensors.size(), 8};
            tensor.pieces.push_back(std::move(piece));
            data.tensors.push_back(std::move(tensor));
        }
    }

    /// Of the bytes as they are now.
    void addChecksum(ByteRange range, bool holdsValues = false) {
        const auto bytes = std::span<const std::byte>(m_bytes).subspan(
            static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.length));
        StoredChecksum stored{FileIndex(std::size_t{0}), range, crc32(0, bytes), "record"};
        stored.holdsValues = holdsValues;
        data.checksums.push_back(std::move(stored));
    }
    void flip(std::size_t at) { m_bytes[at] ^= std::byte{1}; }

    CheckpointPtr make() {
        m_folder.write("file", std::string_view(reinterpret_cast<const char*>(m_bytes.data()),
                                                m_bytes.size()));
        data.files[0].folder = *Folder::open(m_folder.path());
        data.files[0].identity = (*data.files[0].folder->openFile("file"))->identity();
        data.loadValues = [this](const CancelToken&) -> Result<LoadedValues> {
            std::vector<ValueItem> items{{Value("step"), Value(TensorIndex(std::size_t{0}))},
                                         {Value("epoch"), Value(TensorIndex(std::size_t{1}))}};
            if (plain.kind() != ValueKind::Null) {
                items.push_back({Value("plain"), plain});
            }
            return LoadedValues(Value::dict(std::move(items)), records);
        };
        return Checkpoint::make(data);
    }

    CheckpointData data;
    Value plain;
    ValueRecords records;

private:
    TemporaryFolder m_folder;
    std::vector<std::byte> m_bytes;
};

std::string idsOf(const Decided<bool>& decided) {
    std::string ids = decided.value ? (*decided.value ? "saved" : "not saved") : "undecided";
    for (const Evidence& each : decided.because) {
        ids += " " + std::string(each.id);
    }
    return ids;
}

TEST(SavedValues, ANumberWithoutAChecksumIsNotChecked) {
    Numbers numbers;
    const CheckpointPtr checkpoint = numbers.make();
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_TRUE(saved.complete());
    EXPECT_EQ(saved.records.unchecked, 2U);
    const Decided<bool> decided = decideSaved(saved, "run");
    EXPECT_EQ(idsOf(decided), "saved values-not-checked");
    EXPECT_FALSE(decided.isAtLeast(Strength::Proven));
}

TEST(SavedValues, NumbersThatMatchTheirChecksumsAreProven) {
    Numbers numbers(5);
    numbers.addChecksum({5, 8});
    numbers.addChecksum({0, 21}); // contains the other one, and its header
    const CheckpointPtr checkpoint = numbers.make();
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {5, 8})->bytes.length, 8U);
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {13, 8})->bytes.length, 21U);
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {14, 8}), nullptr);
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_EQ(saved.records.compared, 2U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-compared");
}

TEST(SavedValues, OneUncheckedItemKeepsTheWholeFromBeingProven) {
    Numbers numbers;
    numbers.addChecksum({0, 8});
    const SavedValues saved = savedValues(*numbers.make()).value();
    EXPECT_EQ(saved.records.compared, 1U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-not-checked");
}

TEST(SavedValues, ANumberThatDiffersFromItsChecksumIsNeitherShownNorUsed) {
    Numbers numbers(3);
    numbers.addChecksum({3, 8});
    numbers.addChecksum({11, 8});
    numbers.flip(3);
    const CheckpointPtr checkpoint = numbers.make();
    EXPECT_EQ(singleNumber(*checkpoint, checkpoint->tensors()[0]), std::nullopt);
    EXPECT_EQ(singleNumber(*checkpoint, checkpoint->tensors()[1]), 9);
    const SavedValues saved = savedValues(*checkpoint).value();
    ASSERT_EQ(saved.unusable.size(), 1U);
    EXPECT_EQ(saved.unusable[0].path, "step");
    EXPECT_EQ(saved.unusable[0].error.code, ErrorCode::BadChecksum);
    EXPECT_EQ(saved.unusable[0].error.where.file, "file");
    EXPECT_EQ(saved.unusable[0].error.where.tensor, "step");
    EXPECT_EQ(saved.tensors, std::vector{TensorIndex(std::size_t{0})});
    EXPECT_EQ(saved.usable.find("step"), nullptr);
    EXPECT_NE(saved.usable.find("epoch"), nullptr);
    const Decided<bool> decided = decideSaved(saved, "run");
    EXPECT_EQ(idsOf(decided), "not saved values-damaged");
    EXPECT_EQ(decided.because[0].where.field, "step");
}

TEST(SavedValues, LargeRecordsAreComparedOnRequest) {
    Numbers numbers(std::size_t{2} << 20U);
    numbers.addChecksum({0, (std::uint64_t{2} << 20U) + 16}, true);
    numbers.flip(17); // far from the numbers
    numbers.plain = Value("text");
    numbers.records.later = 1;
    const CheckpointPtr checkpoint = numbers.make();
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_EQ(saved.records.later, 3U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-checked-later");
    const LoadedValues loaded = loadedValues(*checkpoint, {}, LargeRecords::Compared).value();
    const SavedValues compared = savedValues(loaded.value);
    ASSERT_EQ(compared.unusable.size(), 1U);
    EXPECT_EQ(compared.unusable[0].error.where.field, "record");
}

TEST(SavedValues, ALoaderThatComparesNothingIsNotChecked) {
    Numbers numbers;
    numbers.addChecksum({0, 16});
    numbers.plain = Value(std::int64_t{1});
    numbers.records = LoadedValues(Value(1.5)).records;
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "saved values-not-checked");
    numbers.plain = Value(); // only tensors are left, which were compared
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "saved values-compared");
    EXPECT_EQ(idsOf(decideSaved(SavedValues(), "run")), "undecided");
}

TEST(SavedValues, ShownButMismatchedIsNotSaved) {
    SavedValues saved;
    saved.records.compared = 4;
    saved.records.mismatched = 1;
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "not saved values-damaged");
}

} // namespace
} // namespace cairn
