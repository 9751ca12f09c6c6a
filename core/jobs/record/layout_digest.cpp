// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/layout_digest.h"

#include "core/base/endian.h"
#include "core/base/other_machine.h"
#include "core/io/hash.h"
#include "core/plan/copy_plan.h"

#include <array>
#include <bit>
#include <charconv>

namespace cairn {
namespace {

class Decimal {
public:
    explicit Decimal(std::uint64_t number)
        : m_end(std::to_chars(m_digits.data(), m_digits.data() + m_digits.size(), number).ptr) {}
    Decimal(const Decimal&) = delete;
    Decimal& operator=(const Decimal&) = delete;
    [[nodiscard]] std::string_view text() const { return {m_digits.data(), m_end}; }

private:
    std::array<char, 20> m_digits{};
    const char* m_end;
};

/// Collects many short texts, because hashing few long ones is faster.
class TextHash {
public:
    void add(std::string_view text) {
        m_text += text;
        if (m_text.size() >= kEnough) {
            flush();
        }
    }
    /// Its decimal digits.
    void add(std::uint64_t number) { add(Decimal(number).text()); }
    Sha256Digest finish() {
        flush();
        return m_hash.finish();
    }

private:
    static constexpr std::size_t kEnough = std::size_t{64} << 10U;
    void flush() {
        m_hash.add(asBytes(m_text));
        m_text.clear();
    }
    Sha256 m_hash;
    std::string m_text;
};

void addText(TextHash& hash, std::string_view text) {
    hash.add(std::uint64_t{text.size()});
    hash.add(":");
    hash.add(text);
}

void addNumber(TextHash& hash, std::uint64_t number) {
    addText(hash, Decimal(number).text());
}

void addSegment(TextHash& hash, const CopyPlan& plan, const TensorSegment& segment) {
    addNumber(hash, segment.offset);
    addNumber(hash, segment.length);
    addText(hash, plan.source->tensor(segment.source).name);
    addText(hash, segment.name);
    addText(hash, dtypeName(segment.dtype));
    addText(hash, formatDims(segment.box.origin) + formatDims(segment.box.extent));
}

void addSource(TextHash& hash, const Checkpoint& checkpoint, FileIndex index) {
    const CheckpointFile& file = checkpoint.files()[index.position()];
    addText(hash, file.path);
    addNumber(hash, file.identity.size);
    addNumber(hash, static_cast<std::uint64_t>(file.identity.mtimeNs));
}

/// Also of another checkpoint. Its path may have been given relative to a folder.
void addTensor(TextHash& hash, const Checkpoint& checkpoint, TensorIndex index) {
    addText(hash, absolutePlace(checkpoint.path()).string());
    addText(hash, checkpoint.tensor(index).name);
    for (const Piece& piece : checkpoint.tensor(index).pieces) {
        addSource(hash, checkpoint, piece.file);
    }
}

/// A change by an adapter.
void addStep(TextHash& hash, const FoldStep& step) {
    const AdapterOperation& how = step.operation;
    addNumber(hash, static_cast<std::uint64_t>(how.kind));
    for (const TensorIndex operand : operandsOf(how)) {
        addTensor(hash, *step.adapter, operand);
    }
    addNumber(hash, std::bit_cast<std::uint32_t>(how.scale));
    for (const std::int64_t number :
         {how.rank, how.experts, how.firstExpert, how.firstOut, how.firstIn,
          std::int64_t{how.transposed}, std::int64_t{how.fused},
          std::int64_t{how.rounds} + 2 * std::int64_t{how.roundsFactors}}) {
        addNumber(hash, static_cast<std::uint64_t>(number));
    }
    for (const std::int64_t row : how.rows) {
        addNumber(hash, static_cast<std::uint64_t>(row));
    }
}

/// Scales, the members of an average with their weights, and the changes by adapters.
void addRecipe(TextHash& hash, const Checkpoint& source, TensorIndex tensor,
               const ElementRecipe& recipe) {
    addNumber(hash, tensor.position());
    if (recipe.scales) {
        addTensor(hash, source, *recipe.scales);
        addText(hash, formatDims(recipe.block));
    }
    for (const AverageTerm& term : recipe.terms) {
        addTensor(hash, *term.checkpoint, term.tensor);
        addNumber(hash, std::bit_cast<std::uint64_t>(term.weight));
    }
    if (recipe.termSum != TermSum::WeightedMean) {
        addText(hash, recipe.termSum == TermSum::Stepwise ? "sum" : "mean");
    }
    for (const FoldStep& step : recipe.steps) {
        addNumber(hash, static_cast<std::uint64_t>(recipe.folded));
        addStep(hash, step);
    }
}

void addComputed(TextHash& hash, const ComputedSource& computed) {
    for (const auto& [tensor, recipe] : computed.recipes) {
        addRecipe(hash, *computed.source, tensor, recipe);
    }
    for (const auto& [tensor, dtype] : computed.dtypes) {
        addNumber(hash, tensor.position());
        addText(hash, dtypeName(dtype));
    }
}

} // namespace

std::string layoutDigest(const CopyPlan& plan) {
    TextHash hash;
    addText(hash, plan.format);
    std::vector<bool> sources(plan.source != nullptr ? plan.source->files().size() : 0, false);
    for (const OutputFile& file : plan.layout.files) {
        addText(hash, file.name);
        addNumber(hash, file.size);
        for (const LiteralSegment& literal : file.literals) {
            addNumber(hash, literal.offset);
            addText(hash, asText(file.bytesOf(literal)));
        }
        for (const TensorSegment& segment : file.tensors) {
            addSegment(hash, plan, segment);
            for (const Piece& piece : plan.source->tensor(segment.source).pieces) {
                sources[piece.file.position()] = true;
            }
        }
        for (const ChecksumSlot& slot : file.checksums) {
            addNumber(hash, slot.offset);
            addNumber(hash, slot.segment);
        }
        for (const IndexSlot& slot : file.indexSlots) {
            addNumber(hash, slot.offset);
            addNumber(hash, slot.file);
            addNumber(hash, slot.segment);
        }
        for (const BlockSlot& slot : file.blockSlots) {
            addNumber(hash, slot.offset);
            addNumber(hash, slot.bytes.offset);
            addNumber(hash, slot.bytes.length);
        }
    }
    if (plan.source != nullptr) { // other files may have the same names, sizes and times
        addText(hash, absolutePlace(plan.source->path()).string());
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i]) {
            addSource(hash, *plan.source, FileIndex(i));
        }
    }
    for (const auto& [tensor, recipe] : plan.recipes) {
        addRecipe(hash, *plan.source, tensor, recipe);
    }
    for (const auto& [first, name] : {std::pair(plan.slices.get(), "slices"),
                                      std::pair(plan.computed.get(), "computed first")}) {
        if (first != nullptr) {
            addText(hash, name);
            addComputed(hash, *first);
        }
    }
    for (const JoinedMember& member : plan.joined) {
        addText(hash, absolutePlace(member.checkpoint->path()).string());
        addNumber(hash, std::bit_cast<std::uint64_t>(member.weight));
    }
    for (const SharedRange& range : plan.shared) { // they determine the runs
        addNumber(hash, range.file);
        addNumber(hash, range.offset);
        addNumber(hash, range.length);
    }
    return hexText(hash.finish());
}

} // namespace cairn
