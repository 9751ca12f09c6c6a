// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/recipe_maker.h"
#include "core/families/quantised/scale_blocks.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <tuple>

namespace cairn {
namespace {

constexpr std::uint64_t kMostDescription = std::uint64_t{64} << 10U;

} // namespace

RecipeMaker::RecipeMaker(const Checkpoint& checkpoint, const QuantisedWeight& weight,
                         const ModelConfig* config)
    : m_checkpoint(checkpoint), m_weight(weight), m_config(config),
      m_codes(checkpoint.tensor(weight.codes)), m_scales(checkpoint.tensor(weight.others.front())) {
    const std::string_view end = weight.layout->codes;
    m_stem = m_codes.name.substr(0, m_codes.name.size() - end.size());
    m_recipe.codes.tensor = weight.codes;
    m_recipe.scales = weight.others.front();
}

Result<WeightRecipe> RecipeMaker::make() {
    CAIRN_CHECK(fill());
    const auto taken = m_checkpoint.find(m_recipe.name);
    if (taken && *taken != m_weight.codes) {
        return refused("a tensor already has the weight's name");
    }
    return std::move(m_recipe);
}

Result<void> RecipeMaker::fill() {
    switch (m_weight.layout->unpacking) {
    case Unpacking::Multiply:
        return multiplied();
    case Unpacking::Offset:
        return offset();
    case Unpacking::Exponents:
        return exponents();
    case Unpacking::PackedWords:
        return packedWords();
    case Unpacking::Fp4Groups:
        return fp4Groups();
    case Unpacking::Fp4Blocks:
        return fp4Blocks();
    case Unpacking::GroupedWords:
        return groupedWords();
    case Unpacking::RowMaxima:
        return rowMaxima();
    case Unpacking::BlockMaxima:
        return blockMaxima();
    case Unpacking::AffineWords:
        return affineWords();
    case Unpacking::Scaled:
        return scaled();
    case Unpacking::Affine:
        return affine();
    case Unpacking::StackedRows:
        return stackedRows();
    case Unpacking::Library:
    case Unpacking::Blocks:
        break;
    }
    return refused("only its library can");
}

Error RecipeMaker::refused(Sentence reason) const {
    return fail(ErrorCode::Unsupported, std::move(reason)).inTensor(m_codes.name);
}

std::optional<TensorIndex> RecipeMaker::part(std::string_view end) const {
    const auto found = std::ranges::find_if(m_weight.others, [&](TensorIndex other) {
        return m_checkpoint.tensor(other).name.ends_with(end);
    });
    return found == m_weight.others.end() ? std::nullopt : std::optional(*found);
}

std::optional<TensorIndex> RecipeMaker::zeroPoints() const {
    return part("weight_zero_point");
}

const TensorEntry& RecipeMaker::entry(TensorIndex tensor) const {
    return m_checkpoint.tensor(tensor);
}

Result<std::vector<std::byte>> RecipeMaker::read(TensorIndex tensor) const {
    return readComplete(m_checkpoint, entry(tensor), kMostDescription);
}

std::optional<std::string> RecipeMaker::configured(std::string_view field) const {
    return m_config == nullptr ? std::nullopt
                               : m_config->text("quantization_config." + std::string(field));
}

std::optional<std::int64_t> RecipeMaker::setting(std::string_view field) const {
    if (m_config == nullptr) {
        return std::nullopt;
    }
    for (const std::string_view section : {"quantization", "quantization_config"}) {
        const std::string all(section);
        const std::string own = all + "." + m_stem + "." + std::string(field);
        if (const auto found = m_config->integer(own)) {
            return found;
        }
        if (const auto found = m_config->integer(all + "." + std::string(field))) {
            return found;
        }
    }
    return std::nullopt;
}

std::pair<std::int64_t, std::int64_t> RecipeMaker::matrixOf(const Shape& shape) {
    const std::int64_t last = shape.empty() ? 1 : shape[shape.size() - 1];
    const auto all = static_cast<std::int64_t>(elementCount(shape).value_or(0));
    return {last > 0 ? all / last : 0, last};
}

void RecipeMaker::takeCodes(const Shape& shape) {
    m_recipe.shape = shape;
    std::tie(m_recipe.codes.rows, m_recipe.codes.columns) = matrixOf(shape);
}

Result<void> RecipeMaker::takeScales(const Shape& shape) {
    const Shape& scales = m_scales.shape;
    WeightRecipe& recipe = m_recipe;
    const auto block =
        scaleBlock(shape, scales, m_config ? recordedBlock(*m_config) : std::nullopt);
    const std::int64_t columns = recipe.codes.columns;
    if (!block && scalesFit(shape, scales)) {
        return refused("the config.json with the size of its blocks is missing");
    }
    if (!block || recipe.codes.rows == 0 || columns == 0) {
        return refused("the shapes of codes and scales do not match");
    }
    if (m_scales.elements() == 1) {
        recipe.scaleRows = recipe.scaleColumns = 1;
        recipe.rowBlock = recipe.codes.rows;
        recipe.columnBlock = columns;
        return {};
    }
    for (std::size_t d = 0; d + 2 < shape.size(); ++d) { // the leading ones are rows, too
        if ((*block)[d] != 1) {
            return refused("blocks of several matrices");
        }
    }
    const bool onlyRows = scales.size() < shape.size();
    recipe.rowBlock = shape.size() < 2 ? 1 : (*block)[shape.size() - 2];
    if (shape.size() > 2 && recipe.rowBlock != 1) {
        return refused("blocks of several matrices");
    }
    recipe.columnBlock = onlyRows ? columns : (*block)[shape.size() - 1];
    std::tie(recipe.scaleRows, recipe.scaleColumns) =
        onlyRows ? std::pair(recipe.codes.rows, std::int64_t{1}) : matrixOf(scales);
    const auto all = static_cast<std::uint64_t>(recipe.scaleRows * recipe.scaleColumns);
    return m_scales.elements() == all ? Result<void>()
                                      : refused("the shapes of codes and scales do not match");
}

Result<void> RecipeMaker::takeGroups() {
    const auto [rows, groups] = matrixOf(m_scales.shape);
    if (rows != m_recipe.codes.rows || groups == 0 || m_recipe.codes.columns % groups != 0) {
        return refused("the shapes of codes and scales do not match");
    }
    m_recipe.scaleRows = rows;
    m_recipe.scaleColumns = groups;
    m_recipe.columnBlock = m_recipe.codes.columns / groups;
    return {};
}

Result<void> RecipeMaker::takeZeros(const std::optional<TensorIndex>& zeros) {
    if (!zeros) {
        return {};
    }
    if (entry(*zeros).elements() != m_scales.elements()) {
        return refused("the shapes of scales and zero points do not match");
    }
    m_recipe.zeros = CodeMatrix{*zeros};
    m_recipe.zeros->rows = m_recipe.scaleRows;
    m_recipe.zeros->columns = m_recipe.scaleColumns;
    return {};
}

Result<void> RecipeMaker::computeAs(Dtype dtype) {
    if (dtype != Dtype::Float32 && dtype != Dtype::Float16 && dtype != Dtype::Bfloat16) {
        return refused(sentence("scales of %1", dtypeName(dtype)));
    }
    m_recipe.arithmetic = m_recipe.dtype = dtype;
    return {};
}

Result<WeightRecipe> weightRecipe(const Checkpoint& checkpoint, const QuantisedWeight& weight,
                                  const ModelConfig* config) {
    return RecipeMaker(checkpoint, weight, config).make();
}

} // namespace cairn
