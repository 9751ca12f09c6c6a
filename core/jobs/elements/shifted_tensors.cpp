// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/shifted_tensors.h"

#include "core/compute/cast.h"
#include "core/model/cast_pair.h"
#include "core/model/memory_tensor.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kLargestShifted = std::uint64_t{64} << 20U;

std::vector<float> floatsOf(Dtype dtype, std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() * 8 / dtypeInfo(dtype).bits);
    if (dtype == Dtype::Float32) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
        castElements(dtype, bytes, Dtype::Float32, std::as_writable_bytes(std::span(values)));
    }
    return values;
}

class AddOneCodec final : public PieceCodec {
public:
    AddOneCodec(CheckpointPtr base, TensorIndex tensor)
        : m_base(std::move(base)), m_tensor(tensor) {}

    std::string_view name() const override { return "plus one"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& /*piece*/) const override {
        const TensorEntry& stored = m_base->tensor(m_tensor);
        CAIRN_TRY(const auto bytes, readComplete(*m_base, stored, kLargestShifted));
        std::vector<float> values = floatsOf(stored.dtype, bytes);
        for (float& value : values) {
            value += 1.0F;
        }
        if (stored.dtype == Dtype::Float16) {
            std::vector<std::byte> rounded(bytes.size());
            castElements(Dtype::Float32, std::as_bytes(std::span(values)), Dtype::Float16, rounded);
            values = floatsOf(Dtype::Float16, rounded);
        }
        const auto made = std::as_bytes(std::span(values));
        LocatedPiece located;
        located.source = makeMemorySource({made.begin(), made.end()}, file->name());
        located.bytes = {0, made.size()};
        return located;
    }

private:
    CheckpointPtr m_base;
    TensorIndex m_tensor;
};

} // namespace

void addOne(CheckpointData& data, const CheckpointPtr& base, TensorIndex tensor) {
    TensorEntry& entry = data.tensors.at(tensor.position());
    if (entry.pieces.empty() || !canCast(entry.dtype, Dtype::Float32)) {
        return; // damaged, which is reported elsewhere; or no numbers to add to
    }
    Piece piece;
    piece.box = Box::whole(entry.shape);
    piece.file = entry.pieces[0].file;
    piece.bytes = entry.pieces[0].bytes;
    piece.codec = data.addCodec(std::make_shared<AddOneCodec>(base, tensor));
    entry.dtype = Dtype::Float32;
    entry.pieces = PieceList{std::move(piece)};
}

void addVector(CheckpointData& data, std::string name, const std::vector<float>& values,
               const std::string& from) {
    const auto bytes = std::as_bytes(std::span(values));
    const std::string place = name + " (from " + from + ")";
    TensorEntry entry = memoryTensor(data, std::move(name), Dtype::Float32,
                                     Shape{static_cast<std::int64_t>(values.size())},
                                     {bytes.begin(), bytes.end()}, place);
    entry.role = Role::Weight;
    data.tensors.push_back(std::move(entry));
}

} // namespace cairn
