// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/archives/zip_tail.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/torch/bare_storages.h"
#include "core/formats/common/torch/torch_zip.h"
#include "core/formats/format.h"
#include "core/formats/torch/layout.h"
#include "core/formats/torch/paddle.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

// torch.save files (zip, since torch 1.6), TorchScript archives, and bare pickles. README.md has
// the byte map.

namespace cairn::formats::torch {
namespace {

constexpr auto kGlobs =
    std::to_array<std::string_view>({"*.pt", "*.pth", "*.bin", "*.ckpt", "*.pkl", "*.pickle",
                                     "*.mar", "*.pth.lora", "*.pth.tar", "*.pdparams"});
constexpr auto kEndings = std::to_array<std::string_view>({".pt", ".pth", ".bin", ".ckpt"});
constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::string_view kDataPickle = "/data.pkl";
constexpr std::string_view kExported = "_weights_config.json";
constexpr std::string_view kBaselines = "_stable_baselines3_version";
constexpr std::string_view kExportedEarlier = "serialized_exported_program.json"; // before 2.8

bool isZip(std::span<const std::byte> head) {
    return asText(head).starts_with(kZipMagic);
}

/// joblib.dump writes the name of a class before each array's bytes, usually near the start.
Result<bool> isJoblib(const ByteSource& source) {
    constexpr std::uint64_t kSearchedBytes = std::uint64_t{1} << 16U;
    CAIRN_TRY(const auto front, readRange(source, {0, std::min(source.size(), kSearchedBytes)}));
    return asText(front).find("joblib.numpy_pickle") != std::string_view::npos;
}

/// joblib writes arrays between the opcodes, which a plain parse refuses (Unsupported).
Result<PickleImage::WithArrays> readPickle(const OpenRequest& request, const ByteSourcePtr& source,
                                           bool& joblib) {
    CAIRN_TRY(joblib, isJoblib(*source));
    const ByteRange whole{0, source->size()};
    if (!joblib) {
        CAIRN_TRY(const PickleImagePtr image, PickleImage::read(source, whole, request.cancel));
        auto graph = pickle::parsePickle({image->bytes(), image});
        joblib = !graph && graph.error().code == ErrorCode::Unsupported;
        if (graph) {
            return PickleImage::WithArrays{image, std::move(*graph)};
        }
        if (!joblib) {
            return std::move(graph).error();
        }
    }
    return PickleImage::parseJoblib(source, whole, request.cancel);
}

/// A pickle file without an archive (optimizer states from pickle.dump, RNG states, converted
/// models).
bool looksLikePickle(const Candidate& candidate) {
    if (candidate.isFolder || candidate.head.size() < 3 || candidate.tail.empty()) {
        return false;
    }
    const auto first = std::to_integer<unsigned>(candidate.head[0]);
    const auto second = std::to_integer<unsigned>(candidate.head[1]);
    const bool ends = std::to_integer<char>(candidate.tail.back()) == '.';
    if (first == 0x80 && second >= 2 && second <= 5) {
        return true;
    }
    // Protocols 0 and 1 have no magic number.
    const auto extension = candidate.path.extension();
    constexpr std::string_view kOpeners = "(c}]";
    return ends && (extension == ".pkl" || extension == ".pickle") &&
           kOpeners.find(static_cast<char>(first)) != std::string_view::npos;
}

/// Fails with Pickle* codes, and NotACheckpoint if it contains only one plain value.
Result<CheckpointPtr> openBarePickle(const OpenRequest& request, const ByteSourcePtr& source) {
    bool joblib = false;
    auto pickle = readPickle(request, source, joblib);
    if (!pickle) {
        return std::move(pickle).error().inFile(request.name);
    }
    const auto& [image, graph] = *pickle;
    CheckpointData data = fileData("torch", request, *source);
    data.framework = joblib ? "joblib" : "pickle";
    BareStorages storages(image);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(graph, storages, request.cancel));
    if (isPaddle(objects, request.name)) {
        readAsPaddle(objects);
        data.framework = "paddle";
    }
    if (objects.tensors.empty() && !objects.root.isContainer()) {
        return fail(ErrorCode::NotACheckpoint,
                    "The pickle contains a single plain value, not a checkpoint")
            .inFile(request.name)
            .at(0);
    }
    if (graph.consumed() < source->size()) {
        data.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::Unsupported,
                  "Trailing bytes after the pickle; only its first value is shown")
                 .inFile(request.name)
                 .at(graph.consumed())});
    }
    return makeCheckpoint(std::move(data), std::move(objects));
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    if (isZip(candidate.head)) {
        // The directory's names are in the tail, unless the directory is longer than the tail.
        const std::string_view names = asText(candidate.tail);
        if (names.find(kExported) != std::string_view::npos ||
            names.find(kExportedEarlier) != std::string_view::npos) {
            return Match::No; // handled by formats/torch_export; it contains torch.save archives
        }
        if (zipTailNames(candidate.tail, kBaselines)) {
            return Match::No; // handled by formats/stable_baselines3
        }
        const bool named = names.find(kDataPickle) != std::string_view::npos ||
                           asText(candidate.head).find(kDataPickle) != std::string_view::npos;
        return named ? Match::Yes : Match::No;
    }
    return looksLikePickle(candidate) ? Match::Maybe : Match::No;
}

/// CRC-32 of the records. 0 may mean that the writer did not compute it.
void addChecksums(const TorchArchive& archive, CheckpointData& data) {
    ZipHeaderWindow headers;
    for (const ZipEntry& entry : archive.zip.entries()) {
        if (!entry.stored() || entry.size == 0) {
            continue;
        }
        if (const auto range = archive.zip.dataRange(entry, &headers)) {
            data.checksums.push_back({FileIndex(0), *range, entry.crc32, std::string(entry.name)});
        }
    }
}

std::string frameworkOf(const TorchArchive& archive, const Value& root) {
    if (root.find("pytorch-lightning_version") != nullptr) {
        return "lightning";
    }
    return archive.torchScript ? "torchscript" : "torch";
}

/// TorchScript stores tensors other than attributes (in a frozen module: all tensors) in a separate
/// pickle.
Result<void> addConstants(const TorchArchive& archive, CheckpointData& data, TorchObjects& objects,
                          const CancelToken& cancel) {
    const ZipEntry* record = archive.record("constants.pkl");
    if (record == nullptr) {
        return {};
    }
    auto graph = readArchivePickle(archive, *record);
    if (!graph) {
        objects.notices.push_back(
            {Severity::Warning, std::move(graph).error().inField("constants.pkl")});
        return {};
    }
    TorchArchive constants{
        archive.zip, archive.prefix, std::move(*graph), std::nullopt, archive.bigEndian, true, {},
        {}};
    ZipStorages storages(constants, data, 0, "constants/");
    CAIRN_TRY(TorchObjects found, readTorchObjects(constants.graph, storages, cancel));
    const auto shift = static_cast<std::uint32_t>(objects.tensors.size());
    if (!found.decoded.empty()) {
        return {}; // not the form that torch.jit.save writes
    }
    for (TensorEntry& entry : found.tensors) {
        entry.name = "constants." + entry.name;
        entry.aliasOf = entry.aliasOf
                            ? std::optional(TensorIndex(entry.aliasOf->position() + shift))
                            : std::nullopt;
        objects.tensors.push_back(std::move(entry));
    }
    std::ranges::move(found.notices, std::back_inserter(objects.notices));
    objects.anyMissing = objects.anyMissing || found.anyMissing;
    objects.anyUnread = objects.anyUnread || found.anyUnread;
    std::ranges::move(found.unshown, std::back_inserter(objects.unshown));
    return {};
}

Result<CheckpointPtr> openArchive(const OpenRequest& request, const ByteSourcePtr& source) {
    auto archive = openTorchArchive(source);
    if (!archive) {
        return std::move(archive).error().inFile(request.name);
    }
    CheckpointData data = fileData("torch", request, *source);
    data.notices = archive->notices;
    ZipStorages storages(*archive, data);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(archive->graph, storages, request.cancel));
    if (archive->torchScript) {
        CAIRN_CHECK(addConstants(*archive, data, objects, request.cancel));
    }
    data.framework = frameworkOf(*archive, objects.root);
    addChecksums(*archive, data);
    return makeCheckpoint(std::move(data), std::move(objects), archive->records);
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(const auto head, readRange(*source, {0, std::min<std::uint64_t>(source->size(), 4)}));
    return isZip(head) ? openArchive(request, source) : openBarePickle(request, source);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "torch",
    .title = "PyTorch",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .writes = {.endings = kEndings, .sharesBytes = true, .hasValues = true, .reader = "torch.load"},
};

} // namespace cairn::formats::torch
