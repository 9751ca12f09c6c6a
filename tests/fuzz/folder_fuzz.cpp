// SPDX-License-Identifier: Apache-2.0
#include "core/formats/code_scan.h"
#include "core/formats/format.h"
#include "core/model/tensor_reader.h"
#include "core/runs/history/history.h"
#include "tests/fuzz/scratch_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Any files with any names in one folder, opened as the program opens them: covers what no other
// target does, and the order in which the formats are tried. Input: a letter for what is opened (f:
// the folder, n: the first file, h: the folder's histories, c: the folder scanned for code), then
// the files, each "NAME\n" and its bytes, separated by "\n\x01%\x01". pack_folder.py makes such
// inputs.

namespace {

using namespace cairn;
using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view kBetween = "\n\x01%\x01";
constexpr std::size_t kMaxFiles = 24;
constexpr std::uint64_t kMaxTensor = 1U << 16U;
constexpr std::uint64_t kMaxRead = 1U << 18U; // of all tensors

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

struct NamedFile {
    std::string name;
    Bytes content;
};

/// A path that stays in the folder and is not deep.
bool isSafe(std::string_view name) {
    const bool plain =
        !name.empty() && name.size() <= 160 && std::ranges::count(name, '/') <= 5 &&
        std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127 && c != '\\'; });
    const std::string closed = "/" + std::string(name) + "/";
    return plain && closed.find("//") == std::string::npos &&
           closed.find("/../") == std::string::npos && closed.find("/./") == std::string::npos;
}

/// Empty: the input is not of this form.
std::optional<std::vector<NamedFile>> filesOf(Bytes data) {
    const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
    std::vector<NamedFile> files;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(kBetween, begin), text.size());
        const std::size_t line = text.find('\n', begin);
        if (line >= end || !isSafe(text.substr(begin, line - begin)) || files.size() == kMaxFiles) {
            return std::nullopt;
        }
        files.push_back({std::string(text.substr(begin, line - begin)),
                         data.subspan(line + 1, end - line - 1)});
        begin = end + kBetween.size();
    }
    return files.empty() ? std::nullopt : std::optional(std::move(files));
}

/// The model's promises for any checkpoint; small tensors are read through their codecs.
void examine(const Checkpoint& checkpoint) {
    std::uint64_t read = 0;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        require(!tensor.aliasOf || tensor.aliasOf->position() < checkpoint.tensors().size());
        for (const Piece& piece : tensor.pieces) {
            require(fitsInto(piece.box, tensor.shape));
            require(piece.file.position() < checkpoint.files().size());
        }
        if (read < kMaxRead) {
            const auto content = readComplete(checkpoint, tensor, kMaxTensor);
            read += content ? content->size() : 0;
        }
    }
    (void)totals(checkpoint);
    (void)trainingPosition(checkpoint);
}

void examine(const RunHistory& history) {
    for (const MetricSeries& series : history.series) {
        require(series.size() > 0 && series.source < history.sources.size());
        require(series.steps.empty() || series.steps.size() == series.size());
        require(series.wall.empty() || series.wall.size() == series.size());
    }
}

/// Whatever is called or looked up was found in a pickle, and a folder that is not inert has a
/// finding or an error.
void examine(const formats::CodeScan& scan) {
    require(scan.globals.empty() || scan.pickles > 0);
    require(scan.verdict == pickle::Verdict::Inert || !scan.globals.empty() ||
            !scan.reasons.empty());
}

void openAs(std::uint8_t kind, const std::filesystem::path& folder, const std::string& first) {
    if (kind == 'c') {
        if (const auto scan = formats::scanForCode(folder)) {
            examine(*scan);
        }
        return;
    }
    if (kind == 'h') {
        if (const auto history = readHistory(folder, folder)) {
            examine(*history);
        }
        return;
    }
    if (const auto checkpoint = openCheckpoint(kind == 'f' ? folder : folder / first)) {
        examine(**checkpoint);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::ScratchFolder scratch;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // HDF5 is read by another process and has its own target.
    if (size == 0 || std::string_view("fnhc").find(text[0]) == std::string_view::npos ||
        text.find("\x89HDF") != std::string_view::npos) {
        return -1;
    }
    const auto files = filesOf(Bytes(data, size).subspan(1));
    if (!files) {
        return -1;
    }
    for (const NamedFile& file : *files) {
        scratch.write(file.name, file.content);
    }
    openAs(data[0], scratch.path(), files->front().name);
    scratch.clear();
    return 0;
}
