// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/unpacked_weights.h"

#include "core/base/endian.h"
#include "core/compute/cast.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

/// A weight is computed in tiles of its matrix of codes: some rows, or, if the weight is the
/// transposed matrix, some columns. A tile begins and ends between packed words. All operations are
/// on float32 and rounded to the recipe's dtype after each of them, as a library does that computes
/// in that dtype.
namespace cairn {
namespace {

constexpr std::int64_t kTile = std::int64_t{1} << 18U; ///< elements
constexpr std::int64_t kWord = 32;                     ///< elements of a packed word, at most
constexpr std::array<unsigned, 8> kAwqOrder = {0, 4, 1, 5, 2, 6, 3, 7}; ///< place of an element

struct Tile {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(rows * columns); }
};

/// Reads parts of a tensor as those of a matrix with the same elements in C order.
class PartReader {
public:
    static Result<PartReader> open(const Checkpoint& checkpoint, TensorIndex index,
                                   std::int64_t columns) {
        const TensorEntry& tensor = checkpoint.tensor(index);
        CAIRN_TRY(TensorReader reader, TensorReader::open(checkpoint, tensor));
        return PartReader(std::move(reader), tensor, columns);
    }
    [[nodiscard]] Dtype dtype() const { return m_dtype; }
    [[nodiscard]] const TensorReader& reader() const { return m_reader; }

    Result<std::vector<std::byte>> read(const Tile& tile, TensorReader::Scratch& scratch) const {
        const auto size = static_cast<std::int64_t>(m_reader.elementBytes());
        std::vector<std::byte> bytes(tile.elements() * static_cast<std::size_t>(size));
        if (m_shape.size() == 2 && m_shape[1] == m_columns) {
            CAIRN_CHECK(m_reader.readBox(Box{{tile.row, tile.column}, {tile.rows, tile.columns}},
                                         bytes, scratch));
            return bytes;
        }
        const bool whole = tile.column == 0 && tile.columns == m_columns;
        const std::int64_t runs = whole ? 1 : tile.rows;
        const std::size_t run =
            bytes.size() / static_cast<std::size_t>(std::max<std::int64_t>(runs, 1));
        for (std::int64_t i = 0; i < runs && run > 0; ++i) {
            const std::int64_t first = (tile.row + i) * m_columns + tile.column;
            CAIRN_CHECK(m_reader.readBytes(
                Box::whole(m_shape), static_cast<std::uint64_t>(first * size),
                std::span(bytes).subspan(static_cast<std::size_t>(i) * run, run), scratch));
        }
        return bytes;
    }

private:
    PartReader(TensorReader reader, const TensorEntry& tensor, std::int64_t columns)
        : m_reader(std::move(reader)), m_shape(tensor.shape), m_dtype(tensor.dtype),
          m_columns(columns) {}

    TensorReader m_reader;
    Shape m_shape;
    Dtype m_dtype;
    std::int64_t m_columns;
};

/// Elements as float32: floats exactly, integers up to 2^24.
std::vector<float> numbersOf(Dtype dtype, std::span<const std::byte> bytes) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const std::size_t size = std::max<std::size_t>(info.bits / 8, 1);
    std::vector<float> numbers(bytes.size() / size);
    if (info.kind == DtypeKind::Float) {
        widenElements(dtype, bytes, numbers);
        return numbers;
    }
    const bool isSigned = info.kind == DtypeKind::Signed;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto at = bytes.subspan(i * size, size);
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < size; ++b) {
            bits |= std::to_integer<std::uint64_t>(at[b]) << (8 * b);
        }
        const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
        numbers[i] = isSigned ? static_cast<float>(static_cast<std::int64_t>(bits << unused) >>
                                                   static_cast<int>(unused))
                              : static_cast<float>(bits);
    }
    return numbers;
}

std::int64_t alignedDown(std::int64_t value, std::int64_t unit) {
    return value / unit * unit;
}

/// Reads tiles of a CodeMatrix as numbers.
class CodeReader {
public:
    static Result<CodeReader> open(const Checkpoint& checkpoint, const CodeMatrix& matrix) {
        const std::int64_t stored = isAlongRow(matrix.packing)
                                        ? (matrix.columns + unitOf(matrix) - 1) / unitOf(matrix)
                                        : matrix.columns;
        CAIRN_TRY(PartReader reader, PartReader::open(checkpoint, matrix.tensor, stored));
        return CodeReader(std::move(reader), matrix);
    }

    Result<std::vector<float>> read(const Tile& tile, TensorReader::Scratch& scratch) const {
        if (m_matrix.packing == CodePacking::Elements) {
            CAIRN_TRY(const std::vector<std::byte> bytes, m_reader.read(tile, scratch));
            return numbersOf(m_reader.dtype(), bytes);
        }
        if (m_matrix.packing == CodePacking::StackedRows) {
            return readStacked(tile, scratch);
        }
        const std::int64_t unit = unitOf(m_matrix);
        const bool alongRow = isAlongRow(m_matrix.packing);
        Tile words = tile;
        std::int64_t& first = alongRow ? words.column : words.row;
        std::int64_t& count = alongRow ? words.columns : words.rows;
        const std::int64_t begin = first;
        const std::int64_t end = first + count;
        first = begin / unit;
        count = (end + unit - 1) / unit - first;
        CAIRN_TRY(const std::vector<std::byte> bytes, m_reader.read(words, scratch));
        std::vector<float> numbers(tile.elements());
        float* number = numbers.data();
        for (std::int64_t i = 0; i < tile.rows; ++i) {
            const std::int64_t packed = alongRow ? tile.column : tile.row + i;
            const std::int64_t row = alongRow ? i : packed / unit - words.row;
            auto word = static_cast<std::size_t>(row * words.columns); // each tile begins in one
            std::int64_t place = packed % unit;
            for (std::int64_t j = 0; j < tile.columns; ++j) {
                *number++ = numberAt(bytes, word, static_cast<unsigned>(place));
                const bool ends = !alongRow || ++place == unit;
                word += ends ? 1 : 0;
                place = alongRow && ends ? 0 : place;
            }
        }
        return numbers;
    }
    [[nodiscard]] const PartReader& stored() const { return m_reader; }

private:
    CodeReader(PartReader reader, CodeMatrix matrix)
        : m_reader(std::move(reader)), m_matrix(std::move(matrix)) {
        for (unsigned shift = 0; m_matrix.wraps && shift < kWord; shift += m_matrix.bits) {
            m_carrying += static_cast<std::uint32_t>(m_matrix.added) << shift;
        }
    }

    static bool isAlongRow(CodePacking packing) {
        return packing != CodePacking::RowWords && packing != CodePacking::Elements &&
               packing != CodePacking::StackedRows;
    }
    /// Each run of rows whose codes are the same bits of consecutive rows of bytes.
    Result<std::vector<float>> readStacked(const Tile& tile, TensorReader::Scratch& scratch) const {
        const auto parts = static_cast<std::int64_t>(8 / m_matrix.bits);
        const std::int64_t stored = m_matrix.rows / parts;
        const std::uint32_t most = (1U << m_matrix.bits) - 1;
        std::vector<float> numbers;
        numbers.reserve(tile.elements());
        Tile run = tile;
        for (std::int64_t row = tile.row; row < tile.row + tile.rows; row += run.rows) {
            run.row = row % stored;
            run.rows = std::min(tile.row + tile.rows - row, stored - run.row);
            const auto shift = static_cast<unsigned>(parts - 1 - row / stored) * m_matrix.bits;
            CAIRN_TRY(const std::vector<std::byte> bytes, m_reader.read(run, scratch));
            for (const std::byte byte : bytes) {
                numbers.push_back(
                    static_cast<float>(std::to_integer<std::uint32_t>(byte) >> shift & most));
            }
        }
        return numbers;
    }
    /// Elements of a word or byte.
    static std::int64_t unitOf(const CodeMatrix& matrix) {
        switch (matrix.packing) {
        case CodePacking::Elements:
        case CodePacking::StackedRows:
            return 1;
        case CodePacking::LowFirst:
        case CodePacking::HighFirst:
            return 2;
        default:
            return kWord / static_cast<std::int64_t>(matrix.bits);
        }
    }
    [[nodiscard]] float numberAt(std::span<const std::byte> bytes, std::size_t word,
                                 unsigned place) const {
        std::uint32_t code = 0;
        const std::uint32_t most = (1U << m_matrix.bits) - 1;
        switch (m_matrix.packing) {
        case CodePacking::LowFirst:
            code = std::to_integer<std::uint32_t>(bytes[word]) >> (4 * place);
            break;
        case CodePacking::HighFirst:
            code = std::to_integer<std::uint32_t>(bytes[word]) >> (4 * (1 - place));
            break;
        case CodePacking::AwqWords:
            code = loadLittle<std::uint32_t>(bytes, word * 4) >> (4 * kAwqOrder.at(place));
            break;
        default:
            code = (loadLittle<std::uint32_t>(bytes, word * 4) + m_carrying) >>
                   (m_matrix.bits * place);
        }
        code &= most;
        if (!m_matrix.numbers.empty()) {
            return m_matrix.numbers[code];
        }
        const std::int32_t added = m_matrix.wraps ? 0 : m_matrix.added;
        return static_cast<float>(static_cast<std::int64_t>(code) + added);
    }

    PartReader m_reader;
    CodeMatrix m_matrix;
    std::uint32_t m_carrying = 0; ///< to a word: CodeMatrix::added in each of its codes
};

void roundTo(Dtype dtype, std::span<float> numbers, std::vector<std::byte>& scratch) {
    if (dtype == Dtype::Float32) {
        return;
    }
    scratch.resize(numbers.size() * 2);
    castElements(Dtype::Float32, std::as_bytes(numbers), dtype, scratch);
    widenElements(dtype, scratch, numbers);
}

/// Computes the elements of one weight. Immutable after open; any thread.
class Unpacker {
public:
    static Result<std::shared_ptr<const Unpacker>> open(CheckpointPtr checkpoint,
                                                        const WeightRecipe& recipe) {
        auto made = std::make_shared<Unpacker>(Unpacker(std::move(checkpoint), recipe));
        CAIRN_CHECK(made->openParts());
        return std::shared_ptr<const Unpacker>(std::move(made));
    }

    [[nodiscard]] std::uint64_t bytes() const {
        return elementCount(m_recipe.shape).value_or(0) * elementBytes();
    }
    [[nodiscard]] std::size_t elementBytes() const { return dtypeInfo(m_recipe.dtype).bits / 8; }

    /// Elements [first, …) of the weight in C order.
    Result<void> read(std::uint64_t first, std::span<std::byte> out) const {
        TensorReader::Scratch scratch;
        while (!out.empty()) {
            CAIRN_TRY(const std::size_t done, m_recipe.transposed
                                                  ? readTransposed(first, out, scratch)
                                                  : readRows(first, out, scratch));
            first += done / elementBytes();
            out = out.subspan(done);
        }
        return {};
    }

    Result<void> checkUnchanged() const {
        std::vector<const TensorReader*> readers = {&m_codes->stored().reader(),
                                                    &m_scales->reader()};
        if (m_zeros) {
            readers.push_back(&m_zeros->stored().reader());
        }
        if (m_shifts) {
            readers.push_back(&m_shifts->reader());
        }
        for (const TensorReader* reader : readers) {
            for (const LocatedPiece& piece : reader->pieces()) {
                CAIRN_CHECK(piece.source->checkUnchanged());
            }
        }
        return {};
    }

private:
    Unpacker(CheckpointPtr checkpoint, WeightRecipe recipe)
        : m_checkpoint(std::move(checkpoint)), m_recipe(std::move(recipe)) {}

    Result<void> openParts() {
        CAIRN_TRY(m_codes, CodeReader::open(*m_checkpoint, m_recipe.codes));
        CAIRN_TRY(m_scales,
                  PartReader::open(*m_checkpoint, m_recipe.scales, m_recipe.scaleColumns));
        if (m_recipe.zeros) {
            CAIRN_TRY(m_zeros, CodeReader::open(*m_checkpoint, *m_recipe.zeros));
        }
        if (m_recipe.shifts) {
            CAIRN_TRY(m_shifts,
                      PartReader::open(*m_checkpoint, *m_recipe.shifts, m_recipe.scaleColumns));
        }
        if (m_recipe.global) {
            CAIRN_TRY(m_global, all(*m_recipe.global));
        }
        if (m_recipe.nested) {
            CAIRN_TRY(m_nestedTable, all(m_recipe.nested->table));
            CAIRN_TRY(m_nestedScales, all(m_recipe.nested->scales));
        }
        if (m_recipe.groups) {
            CAIRN_TRY(const std::vector<float> groups, all(*m_recipe.groups));
            for (const float group : groups) {
                if (!(group >= 0) || group >= static_cast<float>(m_recipe.scaleRows)) {
                    return fail(ErrorCode::Unsupported,
                                "A group of a quantised weight is not one of its scales")
                        .inTensor(m_checkpoint->tensor(*m_recipe.groups).name);
                }
                m_groups.push_back(static_cast<std::int64_t>(group));
            }
        }
        return {};
    }
    Result<std::vector<float>> all(TensorIndex index) const {
        constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
        const TensorEntry& tensor = m_checkpoint->tensor(index);
        CAIRN_TRY(const std::vector<std::byte> bytes, readComplete(*m_checkpoint, tensor, kMost));
        return numbersOf(tensor.dtype, bytes);
    }

    /// Rows of scales, zero points or shifts that a tile needs: all of them if `groups` names them.
    [[nodiscard]] Tile scalesOf(const Tile& tile) const {
        Tile needed;
        needed.row = m_groups.empty() ? tile.row / m_recipe.rowBlock : 0;
        needed.rows = m_groups.empty()
                          ? (tile.row + tile.rows - 1) / m_recipe.rowBlock + 1 - needed.row
                          : m_recipe.scaleRows;
        needed.column = tile.column / m_recipe.columnBlock;
        needed.columns =
            (tile.column + tile.columns - 1) / m_recipe.columnBlock + 1 - needed.column;
        return needed;
    }

    Result<std::vector<float>> scales(const Tile& needed, TensorReader::Scratch& scratch) const {
        CAIRN_TRY(const std::vector<std::byte> bytes, m_scales->read(needed, scratch));
        std::vector<float> numbers = numbersOf(m_scales->dtype(), bytes);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (m_recipe.exponents) {
                numbers[i] = std::ldexp(1.0F, static_cast<int>(numbers[i]) - 127);
            }
            if (m_recipe.nested) { // in one row
                const auto block = static_cast<std::size_t>(
                    (needed.column + static_cast<std::int64_t>(i)) / m_recipe.nested->block);
                const float product =
                    m_nestedTable[static_cast<std::size_t>(numbers[i])] * m_nestedScales[block];
                numbers[i] = product + m_recipe.nested->offset;
            }
            if (m_recipe.global) {
                numbers[i] = m_recipe.dividesGlobal ? numbers[i] / m_global.front()
                                                    : numbers[i] * m_global.front();
            }
        }
        return numbers;
    }

    template <class Operation>
    void each(const Tile& tile, const Tile& needed, std::span<const float> grid,
              std::span<float> numbers, const Operation& operation) const {
        for (std::int64_t i = 0; i < tile.rows; ++i) {
            const std::int64_t row = tile.row + i;
            const std::int64_t gridRow = m_groups.empty() ? row / m_recipe.rowBlock - needed.row
                                                          : m_groups[static_cast<std::size_t>(row)];
            const auto line = grid.subspan(static_cast<std::size_t>(gridRow * needed.columns),
                                           static_cast<std::size_t>(needed.columns));
            const auto target = numbers.subspan(static_cast<std::size_t>(i * tile.columns),
                                                static_cast<std::size_t>(tile.columns));
            if (m_recipe.columnBlock == 1) {
                std::ranges::transform(target, line, target.begin(), operation);
                continue;
            }
            for (std::int64_t j = 0; j < tile.columns;) {
                const std::int64_t cell = (tile.column + j) / m_recipe.columnBlock;
                const std::int64_t end =
                    std::min((cell + 1) * m_recipe.columnBlock - tile.column, tile.columns);
                const float other = line[static_cast<std::size_t>(cell - needed.column)];
                for (; j < end; ++j) {
                    float& number = target[static_cast<std::size_t>(j)];
                    number = operation(number, other);
                }
            }
        }
    }

    Result<std::vector<float>> compute(const Tile& tile, TensorReader::Scratch& scratch) const {
        CAIRN_TRY(std::vector<float> numbers, m_codes->read(tile, scratch));
        const Tile needed = scalesOf(tile);
        const Dtype dtype = m_recipe.arithmetic;
        std::vector<std::byte> rounding;
        if (m_zeros) {
            CAIRN_TRY(const std::vector<float> zeros, m_zeros->read(needed, scratch));
            each(tile, needed, zeros, numbers, [](float a, float b) { return a - b; });
            roundTo(dtype, numbers, rounding);
        }
        CAIRN_TRY(const std::vector<float> factors, scales(needed, scratch));
        each(tile, needed, factors, numbers, [](float a, float b) { return a * b; });
        roundTo(dtype, numbers, rounding);
        if (m_recipe.factor) {
            for (float& number : numbers) {
                number *= *m_recipe.factor;
            }
            roundTo(dtype, numbers, rounding);
        }
        if (m_shifts) {
            CAIRN_TRY(const std::vector<std::byte> bytes, m_shifts->read(needed, scratch));
            const std::vector<float> shifts = numbersOf(m_shifts->dtype(), bytes);
            each(tile, needed, shifts, numbers, [](float a, float b) { return a + b; });
            roundTo(dtype, numbers, rounding);
        }
        return numbers;
    }

    /// Gives computed numbers, without the first `skipped`, in the weight's dtype, as many as there
    /// are or fit; returns their bytes.
    std::size_t give(std::span<const float> numbers, std::int64_t skipped,
                     std::span<std::byte> out) const {
        const auto left = numbers.subspan(static_cast<std::size_t>(skipped));
        const auto taken = left.first(std::min(left.size(), out.size() / elementBytes()));
        const auto target = out.first(taken.size() * elementBytes());
        if (m_recipe.dtype == Dtype::Float32) {
            std::memcpy(target.data(), taken.data(), target.size());
        } else {
            castElements(Dtype::Float32, std::as_bytes(taken), m_recipe.dtype, target);
        }
        return target.size();
    }

    /// Returns the bytes that it gave: to the end of a tile, or of `out`.
    Result<std::size_t> readRows(std::uint64_t first, std::span<std::byte> out,
                                 TensorReader::Scratch& scratch) const {
        const std::int64_t columns = m_recipe.codes.columns;
        const auto at = static_cast<std::int64_t>(first);
        const auto wanted = static_cast<std::int64_t>(out.size() / elementBytes());
        Tile tile{at / columns, 0, 1, columns};
        if (columns > kTile) {
            tile.column = alignedDown(at % columns, kWord);
            tile.columns = std::min(kTile, columns - tile.column);
        } else {
            const std::int64_t last = (at + wanted - 1) / columns;
            tile.rows = std::min(last + 1 - tile.row, std::max<std::int64_t>(kTile / columns, 1));
        }
        CAIRN_TRY(const std::vector<float> numbers, compute(tile, scratch));
        return give(numbers, at - (tile.row * columns + tile.column), out);
    }

    Result<std::size_t> readTransposed(std::uint64_t first, std::span<std::byte> out,
                                       TensorReader::Scratch& scratch) const {
        const std::size_t rank = m_recipe.shape.size();
        const std::int64_t inner = m_recipe.shape[rank - 1]; // rows of codes of a matrix
        const std::int64_t outer = m_recipe.shape[rank - 2]; // columns of codes
        const auto at = static_cast<std::int64_t>(first);
        const auto wanted = static_cast<std::int64_t>(out.size() / elementBytes());
        const std::int64_t matrix = at / (inner * outer);
        const std::int64_t within = at % (inner * outer);
        const std::int64_t begin = alignedDown(within / inner, kWord);
        const std::int64_t last = std::min((within + wanted - 1) / inner, outer - 1);
        const std::int64_t most = std::max(alignedDown(kTile / inner, kWord), kWord);
        const Tile tile{matrix * inner, begin, inner,
                        std::min({last + 1 - begin, most, outer - begin})};
        CAIRN_TRY(const std::vector<float> numbers, compute(tile, scratch));
        std::vector<float> turned(numbers.size());
        for (std::int64_t i = 0; i < tile.rows; ++i) {
            for (std::int64_t j = 0; j < tile.columns; ++j) {
                turned[static_cast<std::size_t>(j * tile.rows + i)] =
                    numbers[static_cast<std::size_t>(i * tile.columns + j)];
            }
        }
        return give(turned, within - begin * inner, out);
    }

    CheckpointPtr m_checkpoint;
    WeightRecipe m_recipe;
    std::optional<CodeReader> m_codes;
    std::optional<PartReader> m_scales;
    std::optional<CodeReader> m_zeros;
    std::optional<PartReader> m_shifts;
    std::vector<float> m_global;
    std::vector<float> m_nestedTable;
    std::vector<float> m_nestedScales;
    std::vector<std::int64_t> m_groups; ///< of each row of codes; empty: by blocks
};

/// The bytes of a weight.
class UnpackedSource final : public ByteSource {
public:
    UnpackedSource(std::shared_ptr<const Unpacker> weight, ByteSourcePtr file)
        : m_weight(std::move(weight)), m_file(std::move(file)) {}

    std::uint64_t size() const override { return m_weight->bytes(); }
    const std::string& name() const override { return m_file->name(); }
    Result<void> checkUnchanged() const override { return m_weight->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        const std::size_t unit = m_weight->elementBytes();
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the decoded elements")
                .inFile(name());
        }
        const auto skipped = static_cast<std::size_t>(offset % unit);
        const std::size_t whole = (skipped + out.size() + unit - 1) / unit * unit;
        if (skipped == 0 && whole == out.size()) {
            return m_weight->read(offset / unit, out);
        }
        std::vector<std::byte> elements(whole);
        CAIRN_CHECK(m_weight->read(offset / unit, elements));
        std::memcpy(out.data(), elements.data() + skipped, out.size());
        return {};
    }

private:
    std::shared_ptr<const Unpacker> m_weight;
    ByteSourcePtr m_file;
};

class UnpackCodec final : public PieceCodec {
public:
    UnpackCodec(CheckpointPtr checkpoint, WeightRecipe recipe)
        : m_checkpoint(std::move(checkpoint)), m_recipe(std::move(recipe)) {}

    std::string_view name() const override { return kUnpackCodec; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& /*piece*/) const override {
        CAIRN_TRY(auto weight, Unpacker::open(m_checkpoint, m_recipe));
        LocatedPiece located;
        located.bytes = {0, weight->bytes()};
        located.source = std::make_shared<UnpackedSource>(std::move(weight), file);
        return located;
    }

private:
    CheckpointPtr m_checkpoint;
    WeightRecipe m_recipe;
};

} // namespace

CheckpointPtr unpackedView(const CheckpointPtr& checkpoint, std::span<const WeightRecipe> recipes) {
    CheckpointData data = checkpoint->data();
    for (const WeightRecipe& recipe : recipes) {
        TensorEntry& tensor = data.tensors[recipe.codes.tensor.position()];
        if (tensor.pieces.begin() == tensor.pieces.end()) {
            continue; // its shard is missing, which is reported as for any tensor
        }
        Piece piece;
        piece.box = Box::whole(recipe.shape);
        piece.file = tensor.pieces.begin()->file;
        piece.bytes = tensor.pieces.begin()->bytes;
        piece.codec = data.addCodec(std::make_shared<UnpackCodec>(checkpoint, recipe));
        tensor.name = recipe.name;
        tensor.dtype = recipe.dtype;
        tensor.shape = recipe.shape;
        tensor.pieces = PieceList{std::move(piece)};
    }
    return Checkpoint::make(std::move(data));
}

} // namespace cairn
