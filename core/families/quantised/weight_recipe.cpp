// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/weight_recipe.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/families/quantised/scale_blocks.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

/// The operations are those of compressed-tensors 0.20 (quantization/lifecycle/forward_helpers.py
/// and compressors/), transformers 5 (integrations/mxfp4.py), AutoAWQ 0.2.9
/// (utils/packing_utils.py), GPTQ's first checkpoint format (zero points less one), bitsandbytes
/// 0.50 (backends/default/ops.py), MLX 0.32 (mlx.core.dequantize), ModelOpt 0.47 (NVFP4QTensor) and
/// optimum-quanto 0.2.7 (tensor/qbytes.py).
namespace cairn {
namespace {

constexpr std::uint64_t kMostDescription = std::uint64_t{64} << 10U;

/// float4_e2m1, by its bits.
constexpr auto kFp4 = std::to_array<float>({0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F, -0.0F,
                                            -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F});

bool isPackable(std::int64_t bits) {
    return bits == 2 || bits == 4 || bits == 8;
}

/// One weight of a checkpoint, and the recipe that is being made.
class Maker {
public:
    Maker(const Checkpoint& checkpoint, const QuantisedWeight& weight, const ModelConfig* config)
        : m_checkpoint(checkpoint), m_weight(weight), m_config(config),
          m_codes(checkpoint.tensor(weight.codes)),
          m_scales(checkpoint.tensor(weight.others.front())) {
        const std::string_view end = weight.layout->codes;
        m_stem = m_codes.name.substr(0, m_codes.name.size() - end.size());
        m_recipe.codes.tensor = weight.codes;
        m_recipe.scales = weight.others.front();
    }

    Result<WeightRecipe> make() {
        CAIRN_CHECK(fill());
        const auto taken = m_checkpoint.find(m_recipe.name);
        if (taken && *taken != m_weight.codes) {
            return refused("a tensor already has the weight's name");
        }
        return std::move(m_recipe);
    }

private:
    Result<void> fill() {
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
        case Unpacking::Library:
        case Unpacking::Blocks:
            break;
        }
        return refused("only its library can");
    }

    Error refused(Sentence reason) const {
        return fail(ErrorCode::Unsupported, std::move(reason)).inTensor(m_codes.name);
    }

    /// The other part of the weight whose name has this end.
    [[nodiscard]] std::optional<TensorIndex> part(std::string_view end) const {
        const auto found = std::ranges::find_if(m_weight.others, [&](TensorIndex other) {
            return m_checkpoint.tensor(other).name.ends_with(end);
        });
        return found == m_weight.others.end() ? std::nullopt : std::optional(*found);
    }
    [[nodiscard]] const TensorEntry& entry(TensorIndex tensor) const {
        return m_checkpoint.tensor(tensor);
    }
    Result<std::vector<std::byte>> read(TensorIndex tensor) const {
        return readComplete(m_checkpoint, entry(tensor), kMostDescription);
    }

    /// A matrix of all dimensions but the last, times the last.
    static std::pair<std::int64_t, std::int64_t> matrixOf(const Shape& shape) {
        const std::int64_t last = shape.empty() ? 1 : shape[shape.size() - 1];
        const auto all = static_cast<std::int64_t>(elementCount(shape).value_or(0));
        return {last > 0 ? all / last : 0, last};
    }
    void takeCodes(const Shape& shape) {
        m_recipe.shape = shape;
        std::tie(m_recipe.codes.rows, m_recipe.codes.columns) = matrixOf(shape);
    }

    /// One scale for all, for each row, or for each group or block, the last ones clipped.
    Result<void> takeScales(const Shape& shape) {
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
    /// Groups of equal numbers of columns: `scales` has the codes' rows.
    Result<void> takeGroups() {
        const auto [rows, groups] = matrixOf(m_scales.shape);
        if (rows != m_recipe.codes.rows || groups == 0 || m_recipe.codes.columns % groups != 0) {
            return refused("the shapes of codes and scales do not match");
        }
        m_recipe.scaleRows = rows;
        m_recipe.scaleColumns = groups;
        m_recipe.columnBlock = m_recipe.codes.columns / groups;
        return {};
    }
    Result<void> computeAs(Dtype dtype) {
        if (dtype != Dtype::Float32 && dtype != Dtype::Float16 && dtype != Dtype::Bfloat16) {
            return refused(sentence("scales of %1", dtypeName(dtype)));
        }
        m_recipe.arithmetic = m_recipe.dtype = dtype;
        return {};
    }

    /// Float8, or what else is multiplied in float32.
    Result<void> multiplied() {
        m_recipe.name = m_codes.name;
        m_recipe.dtype = Dtype::Float32;
        m_recipe.anyDtype = true;
        takeCodes(m_codes.shape);
        if (zeroPoints()) {
            return refused("zero points of float8 elements");
        }
        return takeScales(m_codes.shape);
    }

    /// compressed-tensors: naive_quantized.
    Result<void> offset() {
        m_recipe.name = m_codes.name;
        takeCodes(m_codes.shape);
        if (part("_g_idx")) {
            return refused("groups in the order of activations");
        }
        CAIRN_CHECK(computeAs(m_scales.dtype));
        CAIRN_CHECK(takeScales(m_codes.shape));
        if (const auto zeros = zeroPoints()) {
            if (entry(*zeros).elements() != m_scales.elements()) {
                return refused("the shapes of scales and zero points do not match");
            }
            m_recipe.zeros = CodeMatrix{*zeros};
            m_recipe.zeros->rows = m_recipe.scaleRows;
            m_recipe.zeros->columns = m_recipe.scaleColumns;
        }
        return {};
    }
    [[nodiscard]] std::optional<TensorIndex> zeroPoints() const {
        return part("weight_zero_point");
    }

    /// compressed-tensors: mxfp8.
    Result<void> exponents() {
        m_recipe.name = m_codes.name;
        takeCodes(m_codes.shape);
        CAIRN_CHECK(takeGroups());
        m_recipe.exponents = m_scales.dtype == Dtype::Uint8;
        return computeAs(Dtype::Bfloat16);
    }

    /// compressed-tensors: pack_quantized.
    Result<void> packedWords() {
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
            zeroColumns != m_recipe.scaleColumns ||
            zeroRows != (m_recipe.scaleRows * bits + 31) / 32) {
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
    Result<Shape> storedShape(TensorIndex tensor) const {
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

    /// compressed-tensors: nvfp4 and mxfp4; ModelOpt: the same elements, another second scale.
    Result<void> fp4Groups() {
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
        if (m_recipe.columnBlock != 16 || !m_recipe.global ||
            m_scales.dtype != Dtype::Float8E4m3fn ||
            entry(*m_recipe.global).dtype != Dtype::Float32 ||
            entry(*m_recipe.global).elements() != 1 ||
            (packed && entry(*m_recipe.global).shape.empty())) {
            return refused("other scales than float8_e4m3fn for 16 elements and float32 for all");
        }
        m_recipe.arithmetic = Dtype::Float32;
        m_recipe.dtype = packed ? Dtype::Bfloat16 : Dtype::Float32;
        m_recipe.anyDtype = !packed;
        return {};
    }

    /// gpt-oss: the experts' matrices, which its model has transposed.
    Result<void> fp4Blocks() {
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

    /// GPTQ packs along the inputs, AWQ along the outputs; both store [inputs, outputs].
    Result<void> groupedWords() {
        const auto zeros = part(".qzeros");
        if (!zeros || entry(*zeros).shape.size() != 2 || !isWord(entry(*zeros)) ||
            !isWord(m_codes)) {
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
            return refused(
                method ? sentence("%1 instead of what the shapes show", verbatim(*method))
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
        m_recipe.zeros =
            CodeMatrix{*zeros, CodePacking::Words, m_recipe.codes.bits, groups, outputs};
        if (isAwq) {
            if (bits != 4 || configured("version").value_or("gemm") != "gemm") {
                return refused("other versions of AWQ than gemm with 4 bits");
            }
            m_recipe.codes.packing = m_recipe.zeros->packing = CodePacking::AwqWords;
        } else {
            m_recipe.codes.packing = CodePacking::RowWords;
            const std::string format = configured("checkpoint_format").value_or("gptq");
            if (format != "gptq" && format != "gptq_v2") {
                return refused(sentence("GPTQ's format %1", verbatim(format)));
            }
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
    static bool isWord(const TensorEntry& tensor) {
        return tensor.dtype == Dtype::Int32 || tensor.dtype == Dtype::Uint32;
    }
    [[nodiscard]] std::optional<std::string> configured(std::string_view field) const {
        return m_config == nullptr ? std::nullopt
                                   : m_config->text("quantization_config." + std::string(field));
    }

    /// bitsandbytes: int8_vectorwise_dequant.
    Result<void> rowMaxima() {
        if (const auto format = part(".weight_format")) {
            CAIRN_TRY(const std::vector<std::byte> bytes, read(*format));
            if (std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; })) {
                return refused("another order than row by row");
            }
        }
        m_recipe.name = m_codes.name;
        takeCodes(m_codes.shape);
        m_recipe.scaleRows = m_recipe.codes.rows;
        m_recipe.scaleColumns = 1;
        m_recipe.columnBlock = m_recipe.codes.columns;
        m_recipe.factor = 7.874015718698502e-3F;
        m_recipe.dtype = Dtype::Float32;
        m_recipe.anyDtype = true;
        return m_scales.dtype == Dtype::Float32 ? Result<void>()
                                                : refused("maxima that are not float32");
    }

    /// bitsandbytes: nf4 and fp4, described by a JSON document in a tensor.
    Result<void> blockMaxima() {
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
    Result<void> nestedMaxima(const JsonValue& document) {
        const auto table = part(".nested_quant_map");
        const auto scales = part(".nested_absmax");
        const std::int64_t block = numberIn(document, "nested_blocksize");
        const JsonValue* offset = document.find("nested_offset");
        if (!table || !scales || block <= 0 || offset == nullptr ||
            m_scales.dtype != Dtype::Uint8 || entry(*table).dtype != Dtype::Float32 ||
            entry(*table).elements() != 256 || entry(*scales).dtype != Dtype::Float32 ||
            static_cast<std::int64_t>(entry(*scales).elements()) !=
                (m_recipe.scaleColumns + block - 1) / block) {
            return refused("quantised maxima without their description");
        }
        CAIRN_TRY(const double added, offset->asReal());
        m_recipe.nested = WeightRecipe::Nested{*table, *scales, block, static_cast<float>(added)};
        return {};
    }
    static std::int64_t numberIn(const JsonValue& document, std::string_view key) {
        const JsonValue* found = document.find(key);
        return found == nullptr ? 0 : found->asInteger().value_or(0);
    }
    Result<Shape> describedShape(const JsonValue& document) const {
        const JsonValue* list = document.find("shape");
        Shape shape(list == nullptr ? 0 : list->elements().size(), 0);
        for (std::size_t d = 0; d < shape.size(); ++d) {
            CAIRN_TRY(shape[d], list->elements()[d].asInteger());
        }
        if (shape.empty() ||
            std::ranges::any_of(shape.span(), [](auto each) { return each < 0; })) {
            return refused("a description without a shape");
        }
        return shape;
    }

    /// MLX: the shapes give only the product of group size and bits.
    Result<void> affineWords() {
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
    /// Of this module, or of all: mlx-lm writes both below "quantization".
    [[nodiscard]] std::optional<std::int64_t> setting(std::string_view field) const {
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

    /// quanto: integers or float8, multiplied in the scales' dtype.
    Result<void> scaled() {
        if (part("._shift") || kindHasSubBytes()) {
            return refused("packed elements with shifts");
        }
        m_recipe.name = m_stem;
        takeCodes(m_codes.shape);
        CAIRN_CHECK(computeAs(m_scales.dtype));
        return takeScales(m_codes.shape);
    }
    [[nodiscard]] bool kindHasSubBytes() const {
        const DtypeInfo& info = dtypeInfo(m_codes.dtype);
        return info.bits != 8 || m_codes.dtype == Dtype::Uint8;
    }

    const Checkpoint& m_checkpoint;
    const QuantisedWeight& m_weight;
    const ModelConfig* m_config;
    const TensorEntry& m_codes;
    const TensorEntry& m_scales;
    std::string m_stem;
    WeightRecipe m_recipe;
};

} // namespace

Result<WeightRecipe> weightRecipe(const Checkpoint& checkpoint, const QuantisedWeight& weight,
                                  const ModelConfig* config) {
    return Maker(checkpoint, weight, config).make();
}

} // namespace cairn
