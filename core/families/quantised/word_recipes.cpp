// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/families/quantised/recipe_maker.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <span>
#include <tuple>

/// Weights whose codes are packed: several elements in a word or byte.
namespace cairn {
namespace {

bool isPackable(std::int64_t bits) {
    return bits == 2 || bits == 4 || bits == 8;
}

bool isWord(const TensorEntry& tensor) {
    return tensor.dtype == Dtype::Int32 || tensor.dtype == Dtype::Uint32;
}

} // namespace

Result<void> RecipeMaker::packedWords() {
    const auto shapes = part("_shape");
    if (!shapes) {
        return refused("the weight's shape is not stored");
    }
    if (part("_g_idx")) {
        return refused("groups in the order of activations");
    }
    m_recipe.name = m_stem;
    CAIRN_TRY(const Shape shape, storedShape(*shapes));
    takeCodes(shape);
    const auto [rows, words] = matrixOf(m_codes.shape);
    std::int64_t bits = 0;
    for (const std::int64_t each : {2, 4, 8}) {
        const bool fits = (m_recipe.codes.columns * each + 31) / 32 == words;
        if (fits && bits != 0) {
            return refused("rows that are too short to show how many bits an element has");
        }
        bits = fits ? each : bits;
    }
    if (bits == 0 || rows != m_recipe.codes.rows || m_codes.dtype != Dtype::Int32) {
        return refused("other packings than of 2, 4 or 8 bits in 32-bit words");
    }
    m_recipe.codes.packing = CodePacking::Words;
    m_recipe.codes.bits = static_cast<unsigned>(bits);
    m_recipe.codes.added = -(1 << (bits - 1));
    CAIRN_CHECK(computeAs(m_scales.dtype));
    CAIRN_CHECK(m_scales.elements() == 1 ? takeScales(shape) : takeGroups());
    const auto zeros = zeroPoints();
    if (!zeros) {
        return {};
    }
    const auto [zeroRows, zeroColumns] = matrixOf(entry(*zeros).shape);
    if (entry(*zeros).dtype != Dtype::Int32 || shape.size() != 2 ||
        zeroColumns != m_recipe.scaleColumns || zeroRows != (m_recipe.scaleRows * bits + 31) / 32) {
        return refused("zero points that are not packed like the weight");
    }
    m_recipe.zeros = CodeMatrix{*zeros,
                                CodePacking::RowWords,
                                m_recipe.codes.bits,
                                m_recipe.scaleRows,
                                m_recipe.scaleColumns,
                                m_recipe.codes.added};
    return {};
}

Result<Shape> RecipeMaker::storedShape(TensorIndex tensor) const {
    CAIRN_TRY(const std::vector<std::byte> bytes, read(tensor));
    const Dtype dtype = entry(tensor).dtype;
    const std::size_t size = dtype == Dtype::Int64 ? 8 : 4;
    if ((dtype != Dtype::Int64 && dtype != Dtype::Int32) || bytes.size() < 2 * size) {
        return refused("a shape that is not a list of integers");
    }
    Shape shape(bytes.size() / size, 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const auto at = std::span(bytes).subspan(d * size);
        shape[d] = size == 8 ? static_cast<std::int64_t>(loadLittle<std::uint64_t>(at))
                             : static_cast<std::int32_t>(loadLittle<std::uint32_t>(at));
        if (shape[d] < 0) {
            return refused("a negative shape");
        }
    }
    if (!elementCount(shape)) {
        return refused("a shape beyond all limits");
    }
    return shape;
}

Result<void> RecipeMaker::groupedWords() {
    const auto zeros = part(".qzeros");
    if (!zeros || entry(*zeros).shape.size() != 2 || !isWord(entry(*zeros)) || !isWord(m_codes)) {
        return refused("packings without zero points of 32 bits");
    }
    const std::int64_t outputs = m_scales.shape[1];
    const std::int64_t groups = m_scales.shape[0];
    const Shape& zeroShape = entry(*zeros).shape;
    const std::int64_t bits = outputs == 0 ? 0 : 32 * zeroShape[1] / outputs;
    if (!isPackable(bits) || 32 * zeroShape[1] != outputs * bits || zeroShape[0] != groups ||
        groups == 0) {
        return refused("other packings than of 2, 4 or 8 bits");
    }
    const bool isAwq = m_codes.shape[1] * 32 == outputs * bits;
    const std::int64_t inputs = isAwq ? m_codes.shape[0] : m_codes.shape[0] * 32 / bits;
    const auto method = configured("quant_method");
    if (method != (isAwq ? "awq" : "gptq")) {
        return refused(method
                           ? sentence("%1 instead of what the shapes show", verbatim(*method))
                           : Sentence("the config.json with its quantization_config is missing"));
    }
    m_recipe.name = m_stem + ".weight";
    m_recipe.shape = {outputs, inputs};
    m_recipe.transposed = true;
    m_recipe.codes.rows = inputs;
    m_recipe.codes.columns = outputs;
    m_recipe.codes.bits = static_cast<unsigned>(bits);
    m_recipe.scaleRows = groups;
    m_recipe.scaleColumns = outputs;
    CAIRN_CHECK(computeAs(m_scales.dtype));
    m_recipe.zeros = CodeMatrix{*zeros, CodePacking::Words, m_recipe.codes.bits, groups, outputs};
    if (isAwq) {
        const auto version = configured("version");
        const std::string form = version.value_or(configured("format").value_or("gemm"));
        if (bits != 4 || names::lowered(form) != "gemm") {
            return refused("other versions of AWQ than gemm with 4 bits");
        }
        m_recipe.codes.packing = m_recipe.zeros->packing = CodePacking::AwqWords;
    } else {
        m_recipe.codes.packing = CodePacking::RowWords;
        const auto recorded = configured("checkpoint_format");
        const std::string format = recorded.value_or(configured("format").value_or("gptq"));
        const bool agrees = configured("format").value_or(format) == format;
        if ((format != "gptq" && format != "gptq_v2") || !agrees) {
            return refused(sentence("GPTQ's format %1", verbatim(format)));
        }
        // Of whole words: where a zero point is 0, the library borrowed from the next one.
        m_recipe.zeros->added = format == "gptq" ? 1 : 0;
        m_recipe.zeros->wraps = true;
        m_recipe.groups = part(".g_idx");
        if (m_recipe.groups &&
            (entry(*m_recipe.groups).dtype != Dtype::Int32 ||
             entry(*m_recipe.groups).elements() != static_cast<std::uint64_t>(inputs))) {
            return refused("a different number of inputs than the groups");
        }
    }
    if (!m_recipe.groups && inputs % groups != 0) {
        return refused("groups of different sizes");
    }
    m_recipe.rowBlock = std::max<std::int64_t>(inputs / groups, 1);
    return {};
}

Result<void> RecipeMaker::affineWords() {
    const auto biases = part(".biases");
    if (!biases || entry(*biases).shape != m_scales.shape ||
        entry(*biases).dtype != m_scales.dtype) {
        return refused("another mode than affine");
    }
    const auto bits = setting("bits");
    const auto group = setting("group_size");
    if (!bits || !group) {
        return refused("the config.json with its bits and group_size is missing");
    }
    m_recipe.name = m_codes.name;
    const auto [rows, words] = matrixOf(m_codes.shape);
    const std::int64_t columns = isPackable(*bits) ? words * 32 / *bits : 0;
    Shape shape = m_codes.shape;
    shape[shape.size() - 1] = columns;
    takeCodes(shape);
    CAIRN_CHECK(takeGroups());
    if (!isPackable(*bits) || m_recipe.columnBlock != *group) {
        return refused("other bits or groups than the config.json has");
    }
    m_recipe.codes.packing = CodePacking::Words;
    m_recipe.codes.bits = static_cast<unsigned>(*bits);
    m_recipe.shifts = biases;
    return computeAs(m_scales.dtype);
}

/// The weight's elements in C order are a matrix of rows or columns of a group each. Its codes are
/// stacked: the upper part of a byte is of the first rows, the lower part of the last ones.
Result<void> RecipeMaker::stackedRows() {
    const auto packing = part(".packing");
    const auto compute = part(".compute_dtype");
    const auto shapes = part(".shape");
    const auto zeros = part(".zero");
    if (!packing || !compute || !shapes || !zeros) {
        return refused("its description is missing");
    }
    CAIRN_TRY(const std::int64_t bits, storedNumber(".nbits"));
    CAIRN_TRY(const std::string packed, storedText(*packing));
    CAIRN_TRY(const std::string computed, storedText(*compute));
    for (const std::string_view flag : {".view_as_float", ".quant_scale", ".quant_zero"}) {
        CAIRN_TRY(const std::int64_t set, storedNumber(flag));
        if (set != 0) {
            return refused(sentence("a weight with %1", flag.substr(1)));
        }
    }
    if (!isPackable(bits) || packed != std::to_string(bits) + "bit_u8" ||
        m_codes.dtype != Dtype::Uint8 || m_codes.shape.size() != 2) {
        return refused("other packings than of 2, 4 or 8 bits in bytes");
    }
    CAIRN_TRY(m_recipe.shape, storedShape(*shapes));
    m_recipe.name = m_stem + ".weight";
    m_recipe.codes.packing = CodePacking::StackedRows;
    m_recipe.codes.bits = static_cast<unsigned>(bits);
    m_recipe.codes.rows = m_codes.shape[0] * (8 / bits);
    m_recipe.codes.columns = m_codes.shape[1];
    const std::int64_t rows = m_recipe.codes.rows;
    const std::int64_t columns = m_recipe.codes.columns;
    const Shape& scales = m_scales.shape;
    if (static_cast<std::int64_t>(elementCount(m_recipe.shape).value_or(0)) != rows * columns ||
        rows * columns == 0 || scales.size() != 2 || entry(*zeros).shape != scales ||
        !((scales[0] == rows && scales[1] == 1) || (scales[0] == 1 && scales[1] == columns))) {
        return refused("the shapes of codes and scales do not match");
    }
    if (entry(*zeros).dtype != m_scales.dtype ||
        computed != "torch." + std::string(dtypeName(m_scales.dtype))) {
        return refused("scales or zero points in other dtypes than it computes with");
    }
    m_recipe.scaleRows = scales[0];
    m_recipe.scaleColumns = scales[1];
    m_recipe.rowBlock = scales[0] == 1 ? rows : 1;
    m_recipe.columnBlock = scales[1] == 1 ? columns : 1;
    CAIRN_CHECK(computeAs(m_scales.dtype));
    return takeZeros(zeros);
}

Result<std::string> RecipeMaker::storedText(TensorIndex tensor) const {
    CAIRN_TRY(const std::vector<std::byte> bytes, read(tensor));
    return entry(tensor).dtype == Dtype::Uint8 ? Result<std::string>(std::string(asText(bytes)))
                                               : refused("a description that is not text");
}

/// 0 if it is not stored.
Result<std::int64_t> RecipeMaker::storedNumber(std::string_view end) const {
    const auto tensor = part(end);
    if (!tensor) {
        return std::int64_t{0};
    }
    CAIRN_TRY(const std::vector<std::byte> bytes, read(*tensor));
    if (entry(*tensor).dtype == Dtype::Uint8 && bytes.size() == 1) {
        return std::to_integer<std::int64_t>(bytes[0]);
    }
    if (entry(*tensor).dtype == Dtype::Int32 && bytes.size() == 4) {
        return std::int64_t{static_cast<std::int32_t>(loadLittle<std::uint32_t>(bytes))};
    }
    return refused("a description that is not a number");
}

} // namespace cairn
