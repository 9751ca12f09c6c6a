// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/archive/archive_rows.h"

#include "core/codec/archive/container.h"
#include "core/codec/planes/planes.h"
#include "core/formats/format.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace cairn {
namespace {

namespace fs = std::filesystem;

planes::ElementForm formOf(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const bool plain = !info.isBlock() && info.bits % 8 == 0 && info.componentBits > 8;
    const bool floats = info.kind == DtypeKind::Float || info.kind == DtypeKind::Complex;
    return plain ? planes::ElementForm{info.componentBits / 8, floats} : planes::ElementForm{};
}

bool sameKind(const TensorEntry& left, const TensorEntry& right) {
    return left.dtype == right.dtype && left.shape == right.shape;
}

/// The path of the earlier checkpoint in the form in which the archive's reader will search for it.
Result<std::string> earlierPath(const Checkpoint& earlier, const fs::path& output) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(fs::absolute(output, error), error).parent_path();
    const fs::path path = fs::weakly_canonical(fs::absolute(earlier.path(), error), error);
    const fs::path relative =
        (path.has_filename() ? path : path.parent_path()).lexically_relative(folder);
    if (relative.empty() || relative.begin()->string() == ".." || relative == ".") {
        return fail(ErrorCode::OutsideFolder,
                    "The base checkpoint must be beside the archive or below its folder")
            .inFile(earlier.path().string())
            .withHint("Write the archive beside it; archives cannot refer to folders above them");
    }
    return relative.string();
}

/// The number of archives in the chain below this one.
Result<std::uint32_t> chainOf(const Checkpoint& earlier) {
    const FormatInfo* format = findFormat(earlier.format());
    if (format == nullptr || !format->isPacked || earlier.files().empty()) {
        return 0U;
    }
    CAIRN_TRY(const ByteSourcePtr file, earlier.openFile(FileIndex(0)));
    CAIRN_TRY(const archive::Opened opened, archive::openArchive(*file));
    if (!opened.index.earlier) {
        return 1U;
    }
    const std::uint32_t chain = opened.index.chain + 1;
    if (chain > archive::kMaxChain) {
        return fail(ErrorCode::LimitExceeded, "Too many deltas would be chained")
            .inFile(earlier.path().string())
            .expecting(sentence("at most %1", archive::kMaxChain))
            .withHint("Specify a base checkpoint that is not a delta");
    }
    return chain;
}

archive::TensorRow rowOf(const Checkpoint& source, std::size_t position,
                         std::span<const archive::TensorRow> before) {
    const TensorEntry& tensor = source.tensors()[position];
    archive::TensorRow row;
    row.name = tensor.name;
    row.dtype = dtypeName(tensor.dtype);
    row.role = roleName(tensor.role);
    row.shape.assign(tensor.shape.begin(), tensor.shape.end());
    row.form = formOf(tensor.dtype);
    if (tensor.aliasOf && tensor.aliasOf->position() < position &&
        sameKind(tensor, source.tensor(*tensor.aliasOf))) {
        const auto target = tensor.aliasOf->position();
        row.kind = archive::TensorKind::Alias;
        row.aliasOf = before[target].kind == archive::TensorKind::Alias
                          ? before[target].aliasOf
                          : static_cast<std::uint32_t>(target);
        return row;
    }
    row.bytes = hasStrings(tensor.dtype) ? 0 : tensor.bytes();
    return row;
}

bool hasDeltaBase(const TensorEntry& tensor, const Checkpoint& earlier) {
    const auto found = earlier.find(tensor.name);
    return found && sameKind(earlier.tensor(*found), tensor);
}

constexpr std::uint64_t kSample = std::uint64_t{256} << 10U;
constexpr std::uint64_t kSamples = 4;

/// Sizes of the samples of a tensor.
struct Sampled {
    std::uint64_t elements = 0; ///< bytes sampled
    std::uint64_t plain = 0;    ///< their packed size
    std::uint64_t steps = 0;    ///< estimated packed size of the deltas
};

/// Packs samples from all parts of the tensor, also as deltas if `earlier` is not null.
Result<Sampled> sampleOf(const Checkpoint& source, const TensorEntry& tensor,
                         const Checkpoint* earlier, int level, const planes::ElementForm& form) {
    CAIRN_TRY(const TensorReader now, TensorReader::open(source, tensor));
    std::optional<TensorReader> then;
    if (earlier != nullptr) {
        CAIRN_TRY(then, TensorReader::open(*earlier, earlier->tensor(*earlier->find(tensor.name))));
    }
    planes::ElementForm stepForm = form;
    stepForm.rotate = false;
    planes::Packer packer(level);
    TensorReader::Scratch scratch;
    std::vector<std::byte> elements;
    std::vector<std::byte> before;
    std::vector<std::byte> packed;
    Sampled all;
    const std::uint64_t unit = now.elementBytes();
    const std::uint64_t most = std::max<std::uint64_t>(kSample / unit, 1) * unit;
    const std::uint64_t stride = std::max(tensor.bytes() / kSamples / unit * unit, most);
    const Box box = Box::whole(tensor.shape);
    for (std::uint64_t at = 0; at < tensor.bytes(); at += stride) {
        elements.resize(static_cast<std::size_t>(std::min(most, tensor.bytes() - at)));
        all.elements += elements.size();
        CAIRN_CHECK(now.readBytes(box, at, elements, scratch));
        packed.clear();
        CAIRN_CHECK(packer.pack(form, elements, packed));
        all.plain += packed.size();
        if (!then) {
            continue;
        }
        before.resize(elements.size());
        CAIRN_CHECK(then->readBytes(box, at, before, scratch));
        packed.clear();
        if (elements == before) {
            packed.push_back(archive::kSameChunk);
        } else {
            planes::toSteps(form.bytes, elements, before);
            CAIRN_CHECK(packer.pack(stepForm, elements, packed));
        }
        all.steps += packed.size();
    }
    return all;
}

} // namespace

Result<archive::Index> archiveRows(const Checkpoint& source, const PackOptions& options,
                                   JobContext& context) {
    archive::Index index;
    index.format = source.format();
    index.framework = source.framework();
    archive::SourceState& state = index.source.emplace();
    state.completeness = completenessName(source.completeness());
    state.why.assign(source.why().begin(), source.why().end());
    state.notices.assign(source.notices().begin(), source.notices().end());
    index.step = source.data().step;
    index.epoch = source.data().epoch;
    index.worldSize = source.data().worldSize;
    if (options.earlier != nullptr) {
        CAIRN_TRY(index.earlier, earlierPath(*options.earlier, options.output));
        CAIRN_TRY(index.chain, chainOf(*options.earlier));
    }
    if (source.tensors().size() > archive::kMaxTensors) {
        return fail(ErrorCode::LimitExceeded, "Too many tensors for an archive");
    }
    index.tensors.reserve(source.tensors().size());
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
        CAIRN_CHECK(context.proceed());
        const TensorEntry& tensor = source.tensors()[i];
        archive::TensorRow row = rowOf(source, i, index.tensors);
        if (row.kind == archive::TensorKind::Own && row.bytes > 0) {
            CAIRN_CHECK(TensorReader::open(source, tensor));
            bool pays = false;
            if (options.earlier != nullptr && hasDeltaBase(tensor, *options.earlier)) {
                CAIRN_TRY(const Sampled sampled,
                          sampleOf(source, tensor, options.earlier.get(), options.level, row.form));
                pays = sampled.steps < sampled.plain;
            }
            if (pays) {
                row.kind = archive::TensorKind::Delta;
                row.form.rotate = false; // a step has its sign in the lowest bit
            }
        }
        index.tensors.push_back(std::move(row));
    }
    return index;
}

Result<PackedSize> packedSize(const Checkpoint& source, const PackOptions& options,
                              const CancelToken& cancel) {
    PackedSize size;
    for (const TensorEntry& tensor : source.tensors()) {
        CAIRN_CHECK(cancel.check());
        if (tensor.aliasOf || hasStrings(tensor.dtype) || tensor.bytes() == 0) {
            size.bytes += tensor.aliasOf ? 0 : tensor.bytes();
            continue;
        }
        const bool rests = options.earlier != nullptr && hasDeltaBase(tensor, *options.earlier);
        CAIRN_TRY(const Sampled sampled,
                  sampleOf(source, tensor, rests ? options.earlier.get() : nullptr, options.level,
                           formOf(tensor.dtype)));
        const bool delta = rests && sampled.steps < sampled.plain;
        size.deltas += delta ? 1U : 0U;
        size.elements += tensor.bytes();
        size.bytes +=
            static_cast<std::uint64_t>(static_cast<double>(tensor.bytes()) *
                                       static_cast<double>(delta ? sampled.steps : sampled.plain) /
                                       static_cast<double>(sampled.elements));
    }
    return size;
}

CopyPlan archivePlan(CheckpointPtr source, const PackOptions& options) {
    CopyPlan plan;
    plan.job = "pack";
    plan.format = "archive";
    plan.output = options.output;
    OutputFile file;
    file.name = options.output.filename().string();
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const TensorEntry& tensor = source->tensors()[i];
        file.tensors.push_back({0, tensor.bytes(), TensorIndex(i), tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
    }
    plan.layout.files.push_back(std::move(file));
    plan.options = {{"level", std::to_string(options.level)}};
    if (options.earlier != nullptr) {
        const auto relative = earlierPath(*options.earlier, options.output);
        plan.options.emplace_back("delta", relative.value_or(options.earlier->path().string()));
    }
    plan.source = std::move(source);
    return plan;
}

} // namespace cairn
