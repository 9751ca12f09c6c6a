// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/log_places.h"

#include "core/formats/checkpoint_names.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"

#include <algorithm>
#include <array>
#include <string>

namespace cairn {
namespace {

constexpr auto kLogFolders = std::to_array<std::string_view>(
    {"logs", "log", "tb", "tensorboard", "tb_logs", "tensorboard_logs", "runs", "wandb", "mlruns",
     "csv_logs", "events", "lightning_logs", "history", "metrics", "dvclive", ".neptune"});
constexpr auto kWeightEndings = std::to_array<std::string_view>(
    {".pt", ".pth", ".ckpt", ".safetensors", ".bin", ".distcp", ".gguf", ".h5"});
constexpr auto kNeverLogs = std::to_array<std::string_view>(
    {".pt",    ".pth", ".ckpt",  ".safetensors", ".bin",  ".distcp", ".gguf",  ".h5",
     ".npy",   ".pkl", ".png",   ".jpg",         ".jpeg", ".gif",    ".mp4",   ".wav",
     ".py",    ".pyc", ".so",    ".tar",         ".gz",   ".whl",    ".arrow", ".parquet",
     ".model", ".pdf", ".ipynb", ".sh",          ".md",   ".html"});

template <std::size_t N>
bool endsInOneOf(std::string_view name, const std::array<std::string_view, N>& endings) {
    return std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

} // namespace

bool isLogFolder(std::string_view name) {
    return std::ranges::find(kLogFolders, name) != kLogFolders.end();
}

bool isHidden(std::string_view folder) {
    return folder.starts_with('.') && !isLogFolder(folder);
}

bool isNeverLog(std::string_view name) {
    return endsInOneOf(name, kNeverLogs);
}

bool namesCheckpoint(std::string_view name) {
    const NamedPosition position = positionFromName(name);
    return (position.step || position.epoch) && (name.front() < '0' || name.front() > '9');
}

bool hasCheckpoints(std::span<const FolderEntry> entries) {
    return std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder
                   ? namesCheckpoint(entry.name) || isCheckpointFolder(entry.name)
                   : endsInOneOf(entry.name, kWeightEndings);
    });
}

bool hasBareFilesOnly(std::span<const FolderEntry> entries) {
    bool weights = false;
    for (const FolderEntry& entry : entries) {
        const NamedPosition position = positionFromName(entry.name);
        const bool isFile = entry.kind == EntryKind::File && namesACheckpoint(entry.name) &&
                            !isArrayOfData(entry.name);
        const bool isFolder = entry.kind == EntryKind::Folder;
        if ((isFolder && (isCheckpointFolder(entry.name) || isPositionFolder(entry.name))) ||
            (isFile && (position.step || position.epoch))) {
            return false;
        }
        weights = weights || isFile;
    }
    return weights;
}

} // namespace cairn
