// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/families/quantised/recipe_maker.h"

#include <algorithm>
#include <cstring>

/// Weights whose codes are places in a table of numbers, with a scale for each block.
namespace cairn {
namespace {

std::int64_t numberIn(const JsonValue& document, std::string_view key) {
    const JsonValue* found = document.find(key);
    return found == nullptr ? 0 : found->asInteger().value_or(0);
}

} // namespace

Result<void> RecipeMaker::fp4Groups() {
    const bool packed = m_weight.layout->codes == "_packed";
    m_recipe.name = packed ? m_stem : m_codes.name;
    Shape shape = m_codes.shape;
    if (shape.size() < 2 || m_codes.dtype != Dtype::Uint8) {
        return refused("other packings than two elements a byte");
    }
    shape[shape.size() - 1] *= 2;
    takeCodes(shape);
    m_recipe.codes.packing = CodePacking::LowFirst;
    m_recipe.codes.bits = 4;
    m_recipe.codes.numbers.assign(kFp4.begin(), kFp4.end());
    CAIRN_CHECK(takeGroups());
    m_recipe.exponents = m_scales.dtype == Dtype::Uint8;
    if (m_recipe.exponents || m_scales.dtype == Dtype::Float8E8m0fnu) {
        return m_recipe.columnBlock == 32 ? computeAs(Dtype::Bfloat16)
                                          : refused("exponents for other groups than of 32");
    }
    m_recipe.dividesGlobal = packed;
    m_recipe.global = part(packed ? "_global_scale" : "_scale_2");
    if (m_recipe.columnBlock != 16 || !m_recipe.global || m_scales.dtype != Dtype::Float8E4m3fn ||
        entry(*m_recipe.global).dtype != Dtype::Float32 ||
        entry(*m_recipe.global).elements() != 1 ||
        (packed && entry(*m_recipe.global).shape.empty())) {
        return refused("other scales than float8_e4m3fn for 16 elements and float32 for all");
    }
    m_recipe.arithmetic = Dtype::Float32;
    m_recipe.dtype = packed ? Dtype::Bfloat16 : Dtype::Float32;
    m_recipe.anyDtype = !packed;
    if (!packed) {
        constexpr std::size_t kMinusZero = 8; // 0 in ModelOpt's table
        m_recipe.codes.numbers[kMinusZero] = 0.0F;
    }
    return {};
}

Result<void> RecipeMaker::fp4Blocks() {
    const Shape& blocks = m_codes.shape;
    if (blocks.size() != 4 || m_scales.shape.size() != 3) {
        return refused("other shapes than [experts, rows, blocks, 16]");
    }
    m_recipe.name = m_stem;
    const std::int64_t columns = blocks[2] * 32;
    m_recipe.codes.rows = blocks[0] * blocks[1];
    m_recipe.codes.columns = columns;
    m_recipe.shape = {blocks[0], columns, blocks[1]};
    m_recipe.transposed = true;
    m_recipe.codes.packing = CodePacking::LowFirst;
    m_recipe.codes.bits = 4;
    m_recipe.codes.numbers.assign(kFp4.begin(), kFp4.end());
    m_recipe.exponents = true;
    m_recipe.arithmetic = Dtype::Float32;
    m_recipe.dtype = Dtype::Bfloat16;
    return takeGroups();
}

Result<void> RecipeMaker::blockMaxima() {
    const auto table = part(".quant_map");
    const auto described = part(".quant_state.bitsandbytes__nf4");
    const auto state = described ? described : part(".quant_state.bitsandbytes__fp4");
    if (!table || !state || m_codes.dtype != Dtype::Uint8 ||
        entry(*table).dtype != Dtype::Float32 || entry(*table).elements() != 16) {
        return refused("its description is missing, or it is not stored in bytes");
    }
    CAIRN_TRY(const std::vector<std::byte> text, read(*state));
    const auto parsed = parseJson(asText(text), entry(*state).name);
    if (!parsed) {
        return refused("its description is not a JSON document");
    }
    const JsonValue& document = *parsed;
    CAIRN_TRY(const std::vector<std::byte> numbers, read(*table));
    m_recipe.codes.numbers.resize(16);
    std::memcpy(m_recipe.codes.numbers.data(), numbers.data(), numbers.size());
    CAIRN_TRY(m_recipe.shape, describedShape(document));
    const auto elements = elementCount(m_recipe.shape);
    const std::int64_t block = numberIn(document, "blocksize");
    if (!elements || (*elements + 1) / 2 != m_codes.elements() || block <= 0) {
        return refused("a description that does not match the weight");
    }
    const auto count = static_cast<std::int64_t>(*elements);
    m_recipe.name = m_stem;
    m_recipe.codes.packing = CodePacking::HighFirst;
    m_recipe.codes.bits = 4;
    m_recipe.codes.rows = 1;
    m_recipe.codes.columns = count;
    m_recipe.scaleRows = 1;
    m_recipe.scaleColumns = (count + block - 1) / block;
    m_recipe.columnBlock = block;
    if (m_scales.elements() != static_cast<std::uint64_t>(m_recipe.scaleColumns)) {
        return refused("a description that does not match the weight");
    }
    m_recipe.arithmetic = Dtype::Float32;
    const JsonValue* dtype = document.find("dtype");
    const auto named = dtype != nullptr ? dtype->asString().value_or("") : "";
    m_recipe.dtype = named == "bfloat16"  ? Dtype::Bfloat16
                     : named == "float16" ? Dtype::Float16
                                          : Dtype::Float32;
    if (m_recipe.dtype == Dtype::Float32 && named != "float32") {
        return refused(sentence("weights of %1", verbatim(std::string(named))));
    }
    return m_scales.dtype == Dtype::Float32 ? Result<void>() : nestedMaxima(document);
}

Result<void> RecipeMaker::nestedMaxima(const JsonValue& document) {
    const auto table = part(".nested_quant_map");
    const auto scales = part(".nested_absmax");
    const std::int64_t block = numberIn(document, "nested_blocksize");
    const JsonValue* offset = document.find("nested_offset");
    if (!table || !scales || block <= 0 || offset == nullptr || m_scales.dtype != Dtype::Uint8 ||
        entry(*table).dtype != Dtype::Float32 || entry(*table).elements() != 256 ||
        entry(*scales).dtype != Dtype::Float32 ||
        static_cast<std::int64_t>(entry(*scales).elements()) !=
            (m_recipe.scaleColumns + block - 1) / block) {
        return refused("quantised maxima without their description");
    }
    CAIRN_TRY(const double added, offset->asReal());
    m_recipe.nested = WeightRecipe::Nested{*table, *scales, block, static_cast<float>(added)};
    return {};
}

Result<Shape> RecipeMaker::describedShape(const JsonValue& document) const {
    const JsonValue* list = document.find("shape");
    Shape shape(list == nullptr ? 0 : list->elements().size(), 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        CAIRN_TRY(shape[d], list->elements()[d].asInteger());
    }
    if (shape.empty() || std::ranges::any_of(shape.span(), [](auto each) { return each < 0; })) {
        return refused("a description without a shape");
    }
    return shape;
}

} // namespace cairn
