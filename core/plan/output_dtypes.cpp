// SPDX-License-Identifier: Apache-2.0
#include "core/plan/output_dtypes.h"

#include "core/base/glob.h"
#include "core/families/config/model_part.h"
#include "core/model/cast_pair.h"
#include "core/model/precision.h"
#include "core/plan/planned_precision.h"
#include "core/plan/scaled_weights.h"

#include <algorithm>
#include <array>
#include <map>

/// Which tensors a cast leaves unchanged.
///
/// A cast is requested for the large matrices. Tensors that are small but sensitive keep their
/// dtype: integers and flags (a routing table or a step count would be wrong in bf16), packed and
/// quantised elements (their bytes are not numbers without the scales), the parameters of norms,
/// float buffers (running statistics, rotary frequencies), what the model computes with in float32
/// in any case (PlanFacts::float32), and everything that is not a weight
/// (optimizer moments). `--cast-all` casts every float. Names that match --keep-fp32 are written as
/// float32. Tensors that share bytes get one dtype: that of a protected one, else the larger one.
///
/// A precision with scales (model/precision.h) is for matrices only, and never for routers, whose
/// small changes choose other experts. In blocks it is also for embeddings, for the head at least
/// with the dtype that the table gives; rows that are not complete blocks become float16, as in
/// llama.cpp's converter. With separate scales it is for the matrices of linear layers, as engines
/// that compute with them expect.
namespace cairn {
namespace {

/// Names that share a reason, for its decision.
struct Kept {
    DecisionId id;
    Sentence why;
    std::vector<std::string> names;
};

enum Reason : std::size_t {
    kNumbers,
    kPacked,
    kNorms,
    kBuffers,
    kState,
    kFp32,
    kFixed,
    kModel,
    kRouters,
    kHead,
    kWidth,
    kNotLinear,
    kFused,
    kSquares,
    kReasons
};

class DtypeChoice {
public:
    DtypeChoice(Draft& draft, const JobRequest& request, std::span<const std::string> float32,
                const QuantisedWeights& quantised)
        : m_draft(draft), m_request(request), m_modelFloat32(float32), m_quantised(quantised) {}

    Result<void> run() {
        m_precision = precisionOf(m_request.dtype);
        CAIRN_TRY(const auto target, targetDtype());
        m_target = target;
        for (const std::string& pattern : m_request.keepFp32) {
            CAIRN_TRY(Glob glob, Glob::parse(pattern));
            m_keepFp32.push_back(std::move(glob));
        }
        for (const std::string& pattern : m_modelFloat32) {
            CAIRN_TRY(Glob glob, Glob::parse(pattern));
            m_wide.push_back(std::move(glob));
        }
        if (m_precision != nullptr) {
            m_draft.plan.precision.emplace().precision = m_precision;
        }
        chooseAll();
        agreeOnTied();
        decideAll();
        return {};
    }

private:
    /// Empty: keep.
    Result<std::optional<Dtype>> targetDtype() const {
        if (m_request.dtype == "keep") {
            return std::optional<Dtype>();
        }
        const auto target = m_precision != nullptr ? std::optional(m_precision->dtype)
                                                   : castTarget(m_request.dtype);
        if (!target) {
            std::string precisions;
            for (const Precision& each : allPrecisions()) {
                precisions += ", " + std::string(each.name);
            }
            return fail(ErrorCode::InvalidArgument, "Unsupported target dtype")
                .inField("dtype")
                .butFound(verbatim(m_request.dtype))
                .expecting(sentence("keep, bf16, fp16, fp32, float64, float8_e4m3fn, float8_e5m2, "
                                    "float8_e4m3fnuz, float8_e5m2fnuz%1",
                                    precisions));
        }
        if (dtypeInfo(*target).bits == 8 && m_request.dequantize) {
            return fail(ErrorCode::InvalidArgument, "Dequantised weights cannot be cast to 8 bits")
                .inField("dtype")
                .butFound(verbatim(m_request.dtype))
                .withHint("Dequantise to bf16; cast the result if this is intended");
        }
        return target;
    }

    [[nodiscard]] const TensorEntry& entry(std::size_t i) const {
        return m_draft.plan.source->tensor(m_draft.chosen[i]);
    }

    void keep(Reason reason, const TensorEntry& tensor) {
        m_kept[reason].names.push_back(tensor.name);
    }

    /// The dtype for "keep": the source's, that of an average's first member, or that of the weight
    /// which an adapter replaced or changed.
    [[nodiscard]] Dtype keptDtype(const TensorEntry& tensor, TensorIndex index,
                                  const ElementRecipe* recipe) const {
        if (recipe != nullptr && !recipe->steps.empty()) {
            return recipe->folded;
        }
        if (recipe == nullptr || recipe->terms.empty()) {
            const auto other = m_draft.storedAs.find(index);
            return other != m_draft.storedAs.end() ? other->second : tensor.dtype;
        }
        const AverageTerm& first = recipe->terms.front();
        return first.checkpoint->tensor(first.tensor).dtype;
    }

    Dtype choose(const TensorEntry& tensor, TensorIndex index) {
        if (const auto fixed = m_draft.fixed.find(index); fixed != m_draft.fixed.end()) {
            keep(kFixed, tensor);
            return fixed->second;
        }
        const auto place = m_draft.plan.recipes.find(index);
        const ElementRecipe* recipe =
            place != m_draft.plan.recipes.end() ? &place->second : nullptr;
        const Dtype stored = keptDtype(tensor, index, recipe);
        const bool scaled = recipe != nullptr && recipe->scales;
        const bool fp32 = std::ranges::any_of(
            m_keepFp32, [&](const Glob& glob) { return glob.matches(tensor.name); });
        const DtypeKind kind = dtypeInfo(tensor.dtype).kind;
        if (fp32 && kind == DtypeKind::Float && (scaled || m_quantised.of(index) == nullptr)) {
            keep(kFp32, tensor);
            return Dtype::Float32;
        }
        if (scaled && m_precision == nullptr) { // never to 8 bits
            return m_target.value_or(Dtype::Bfloat16);
        }
        if (!m_target || stored == *m_target) {
            return stored;
        }
        if (m_precision != nullptr) {
            return choosePrecision(tensor, index, scaled ? Dtype::Bfloat16 : stored);
        }
        return chooseCast(tensor, index, stored);
    }

    Dtype chooseCast(const TensorEntry& tensor, TensorIndex index, Dtype stored) {
        const auto protectedBy = protection(tensor, index, stored, canCast(stored, *m_target));
        if (protectedBy) {
            keep(*protectedBy, tensor);
        }
        return protectedBy ? stored : *m_target;
    }

    Dtype choosePrecision(const TensorEntry& tensor, TensorIndex index, Dtype stored) {
        const bool isFloat = dtypeInfo(stored).kind == DtypeKind::Float &&
                             dtypeInfo(stored).bits > 8; // 8 bits: their scales are not here
        if (const auto reason = protection(tensor, index, stored, isFloat)) {
            keep(*reason, tensor);
            return stored;
        }
        const ModelPart part = modelPart(tensor.name);
        const Shape& shape = tensor.shape;
        const bool isMatrix = m_precision->inBlocks() ? shape.size() >= 2 : shape.size() == 2;
        const bool isLinear = part == ModelPart::Other && tensor.name.ends_with(".weight");
        if (part == ModelPart::Router && !m_request.castAll) {
            keep(kRouters, tensor);
            return stored;
        }
        if (!isMatrix && shape.size() == 3 && part == ModelPart::Other) {
            keep(kFused, tensor);
            return stored;
        }
        if (!isMatrix || tensor.elements() == 0 ||
            (!m_precision->wholeModel && !isLinear && !m_request.castAll)) {
            keep(kNotLinear, tensor);
            return stored;
        }
        if (m_precision->scales == ScaleGroup::Square && !isDivisible(shape)) {
            keep(kSquares, tensor);
            return stored;
        }
        Dtype target = *m_target;
        if (m_precision->head && !m_request.castAll &&
            (part == ModelPart::Head || (part == ModelPart::Embedding && !m_hasHead))) {
            target = *m_precision->head;
            keep(kHead, tensor);
        }
        if (m_precision->inBlocks() &&
            shape[shape.size() - 1] % dtypeInfo(target).blockElements != 0) {
            keep(kWidth, tensor);
            return Dtype::Float16;
        }
        return target;
    }

    /// Into squares that are complete, or one along a dimension. Programs that derive the squares'
    /// size from the number of scales read other sizes wrongly.
    static bool isDivisible(const Shape& shape) {
        return std::ranges::all_of(shape.span(), [](std::int64_t extent) {
            return extent <= kSquareSide || extent % kSquareSide == 0;
        });
    }

    /// Why a tensor is not cast; nothing: it is.
    [[nodiscard]] std::optional<Reason> protection(const TensorEntry& tensor, TensorIndex index,
                                                   Dtype stored, bool isCastable) const {
        const DtypeKind kind = dtypeInfo(tensor.dtype).kind;
        if (kind == DtypeKind::Bool || kind == DtypeKind::Unsigned || kind == DtypeKind::Signed) {
            return kNumbers;
        }
        const bool isQuantised = m_quantised.isPart(index) && !m_draft.plan.recipes.contains(index);
        if (!isCastable || isQuantised) {
            return kPacked;
        }
        if (m_request.castAll) {
            return std::nullopt;
        }
        if (tensor.role != Role::Weight && tensor.role != Role::Buffer &&
            tensor.role != Role::Ema) {
            return kState;
        }
        const bool narrows = dtypeInfo(*m_target).bits < dtypeInfo(stored).bits;
        if (narrows && std::ranges::any_of(
                           m_wide, [&](const Glob& glob) { return glob.matches(tensor.name); })) {
            return kModel;
        }
        if (isNormName(tensor.name) && tensor.shape.size() <= 1) {
            return kNorms;
        }
        if (tensor.role == Role::Buffer) {
            return kBuffers;
        }
        return std::nullopt;
    }

    void chooseAll() {
        m_hasHead = std::ranges::any_of(m_draft.chosen, [&](TensorIndex index) {
            return modelPart(m_draft.plan.source->tensor(index).name) == ModelPart::Head;
        });
        m_draft.dtypes.clear();
        m_draft.dtypes.reserve(m_draft.chosen.size());
        for (std::size_t i = 0; i < m_draft.chosen.size(); ++i) {
            m_draft.dtypes.push_back(choose(entry(i), m_draft.chosen[i]));
        }
    }

    void agreeOnTied() {
        const auto isTied = [&](TensorIndex index) {
            return m_draft.plan.source->tensor(index).aliasOf.has_value();
        };
        if (std::ranges::none_of(m_draft.chosen, isTied)) {
            return; // each is stored separately
        }
        std::map<TensorIndex, Dtype> agreed;
        const auto root = [&](std::size_t i) {
            return entry(i).aliasOf.value_or(m_draft.chosen[i]);
        };
        for (std::size_t i = 0; i < m_draft.chosen.size(); ++i) {
            const auto [place, isNew] = agreed.emplace(root(i), m_draft.dtypes[i]);
            const bool larger = dtypeInfo(m_draft.dtypes[i]).bits > dtypeInfo(place->second).bits;
            const bool kept =
                m_draft.dtypes[i] == entry(i).dtype && place->second != entry(i).dtype;
            if (!isNew && (larger || kept)) {
                place->second = m_draft.dtypes[i];
            }
        }
        for (std::size_t i = 0; i < m_draft.chosen.size(); ++i) {
            m_draft.dtypes[i] = agreed.at(root(i));
        }
    }

    void decideAll() {
        std::size_t cast = 0;
        for (std::size_t i = 0; i < m_draft.chosen.size(); ++i) {
            cast += m_draft.dtypes[i] != entry(i).dtype &&
                            (m_precision != nullptr ||
                             !m_draft.plan.recipes.contains(m_draft.chosen[i]))
                        ? 1
                        : 0;
        }
        if (!m_target && cast == 0) {
            if (m_draft.plan.recipes.empty() && !m_draft.plan.readsComputed()) {
                decide(m_draft, DecisionId::DtypeKept, "as stored",
                       "The bytes are copied unchanged");
            }
        } else if (m_target) {
            decide(m_draft, DecisionId::DtypeCast,
                   sentence("%1: %2 of %3%4",
                            m_precision != nullptr ? m_precision->name : dtypeName(*m_target), cast,
                            m_draft.chosen.size(),
                            m_precision != nullptr ? Sentence(" tensors are quantised or cast")
                                                   : " tensors are cast"),
                   m_precision != nullptr
                       ? scalesText(*m_precision)
                       : sentence("Rounded to nearest, ties to even; the report contains "
                                  "the error%1",
                                  lost()));
        }
        for (const Kept& kept : m_kept) {
            if (!kept.names.empty()) {
                decide(m_draft, kept.id,
                       sentence("%1 kept: %2", kept.names.size(), someOf(kept.names, 3)), kept.why);
                if (m_precision != nullptr) {
                    m_draft.plan.precision->kept.push_back({kept.id, kept.why, kept.names});
                }
            }
        }
    }

    /// The range that 8 bits cannot represent.
    [[nodiscard]] Sentence lost() const {
        const EightBitFloat* eight = eightBitFloat(*m_target);
        if (eight == nullptr) {
            return {};
        }
        const int least = 1 - eight->bias - static_cast<int>(eight->digits);
        return sentence(". %1 significant bits are left; beyond %2 becomes %3, up to 2^%4 becomes "
                        "0. No scales are written, which some loaders expect",
                        eight->digits + 1, static_cast<int>(eight->largest), eight->beyond,
                        least - 1);
    }

    Draft& m_draft;
    const JobRequest& m_request;
    const Precision* m_precision = nullptr; ///< null: a cast
    std::optional<Dtype> m_target;
    bool m_hasHead = false; ///< else the embedding is the head, too
    std::vector<Glob> m_keepFp32;
    std::span<const std::string> m_modelFloat32;
    std::vector<Glob> m_wide; ///< the same, parsed
    const QuantisedWeights& m_quantised;
    std::array<Kept, kReasons> m_kept = {
        {{DecisionId::NumbersKept, "Never cast", {}},
         {DecisionId::PackedKept, "Not numbers without their scales; see --dequantize", {}},
         {DecisionId::NormsKept,
          "Norms are small and sensitive to rounding; --cast-all also casts them",
          {}},
         {DecisionId::BuffersKept,
          "Running statistics and frequencies keep their dtype; --cast-all also casts them",
          {}},
         {DecisionId::StateKept, "Only weights are cast; --cast-all casts every float", {}},
         {DecisionId::Float32Kept, "Selected by --keep-fp32; float32 in the output", {}},
         {DecisionId::FixedKept, "The programs that load this format need them in this dtype", {}},
         {DecisionId::PreciseKept,
          "The model's library computes with them in float32 whatever the dtype of the rest; "
          "--cast-all also casts them",
          {}},
         {DecisionId::RoutersKept,
          "Small changes of a router choose other experts; --cast-all also quantises them",
          {}},
         {DecisionId::HeadKept,
          "Quantised to a larger precision than the rest, as llama.cpp does; --cast-all quantises "
          "it like the rest",
          {}},
         {DecisionId::RowLengthsKept,
          "Written as float16: their rows cannot be divided into blocks",
          {}},
         {DecisionId::NotLinearKept,
          "Only matrices are quantised, and with separate scales only those of linear layers",
          {}},
         {DecisionId::FusedExpertsKept,
          "Engines read separate scales of single matrices; models that are published with one "
          "matrix for each expert are quantised under these names (--bundle)",
          {}},
         {DecisionId::SquaresKept,
          "Not a multiple of 128: some programs read such squares with another size",
          {}}}};
};

} // namespace

Result<void> chooseDtypes(Draft& draft, const JobRequest& request,
                          std::span<const std::string> float32, const UnpackedWeights& unpacked) {
    const QuantisedWeights quantised(*draft.plan.source);
    if (request.dequantize) {
        multiplyScales(draft, quantised, unpacked);
    }
    return DtypeChoice(draft, request, float32, quantised).run();
}

} // namespace cairn
