// SPDX-License-Identifier: Apache-2.0
#include "core/formats/foreign_files.h"

#include "core/base/endian.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::formats {
namespace {

using namespace std::string_view_literals;

/// A kind of file: the bytes at an offset, and one of the endings (separated by spaces; empty:
/// any).
struct Foreign {
    std::size_t offset = 0;
    std::string_view bytes;
    std::string_view endings;
    Sentence message;
    Sentence hint;
};

bool hasEnding(std::string_view name, std::string_view endings) {
    for (std::size_t at = 0; at < endings.size();) {
        const std::size_t space = std::min(endings.find(' ', at), endings.size());
        if (name.ends_with(endings.substr(at, space - at))) {
            return true;
        }
        at = space + 1;
    }
    return endings.empty();
}

/// Signatures: each format's specification or its writer (onnx.proto, MAT-file level 5, XGBoost's
/// UBJSON, LightGBM's gbdt_model_text.cpp, CatBoost's model.h, Paddle's framework.proto,
/// TensorFlow Lite's schema.fbs, Parquet, Arrow).
std::span<const Foreign> foreignFiles() {
    static const Sentence save =
        "Save the tensors as safetensors or with torch.save in the program that wrote the file";
    static const Sentence unpack = "Unpack it, and open what it contains";
    static const auto files = std::to_array<Foreign>({
        {0, "\x08", ".onnx", "An ONNX model is not read", save},
        {0, "MATLAB 5.0 MAT-file", "", "A MATLAB file is not read",
         "Load it with scipy.io.loadmat, and save it with numpy.savez; files of version 7.3 are "
         "HDF5, and "
         "are read"},
        {0, "", ".mat", "A MATLAB file of version 4 is not read", // without a signature
         "Load it with scipy.io.loadmat, and save it with numpy.savez"},
        {0, "{L", ".ubj .json .model .xgb .bin", "An XGBoost model is not read", save},
        {0, "{\"learner\"", "", "An XGBoost model is not read", save},
        {0, "tree\nversion=", "", "A LightGBM model is not read", save},
        {0, "CBM1", "", "A CatBoost model is not read", save},
        {4, "TFL3", "", "A TensorFlow Lite model is not read", save},
        {0, "{\"base_code\":{\"magic\":\"pir\"", "", "A program of Paddle inference is not read",
         "Save the parameters with paddle.save(layer.state_dict(), …)"},
        {0, "", ".pdmodel", "A program of Paddle inference is not read",
         "Save the parameters with paddle.save(layer.state_dict(), …)"},
        {0, "", ".pdiparams",
         "Parameters of Paddle inference are stored without their names, and "
         "are not read",
         "Save the parameters with paddle.save(layer.state_dict(), …)"},
        {0, "", ".mlmodel", "A Core ML model is not read", save},
        {0, "PAR1", "", "A Parquet file contains tables, and is not read", save},
        {0, "ARROW1", "", "An Arrow file contains tables, and is not read", save},
        {0, "7z\xbc\xaf\x27\x1c", "", "A 7z archive is not read", unpack},
        {0, "Rar!\x1a\x07", "", "A RAR archive is not read", unpack},
        {0, "\x04\x22\x4d\x18", "", "A file compressed with LZ4 is not read",
         "Run lz4 -d FILE NEW"},
        {0, "ZF", ".joblib .pkl", "A compressed file of joblib is not read",
         "Load it with joblib in a safe place, and save it without compression"},
        {0, "PK\3\4", "", "The ZIP archive contains no checkpoint of a known format", unpack},
    });
    return files;
}

/// An OpenVINO model: XML with a `<net>`, or the weights beside it, which have no header.
std::optional<Error> openVinoFile(const Candidate& candidate) {
    const std::string extension = candidate.path.extension().string();
    bool is = extension == ".xml" && asText(candidate.head).find("<net ") != std::string_view::npos;
    if (extension == ".bin" && candidate.folder != nullptr) {
        const std::string stem = candidate.path.stem().string();
        const auto graph = candidate.folder->openFile(stem + ".xml");
        const auto head =
            graph ? readRange(**graph, {0, std::min<std::uint64_t>((*graph)->size(), 256)})
                  : Result<std::vector<std::byte>>(std::vector<std::byte>());
        is = head && asText(*head).find("<net ") != std::string_view::npos;
    }
    return is ? std::optional<Error>(
                    fail(ErrorCode::NotACheckpoint, "An OpenVINO model is not read")
                        .inFile(candidate.path.string())
                        .at(0)
                        .withHint("Open the model that it was converted from"))
              : std::nullopt;
}

} // namespace

std::optional<Error> foreignFolder(const Candidate& candidate) {
    if (candidate.path.extension() != ".mlpackage") {
        return std::nullopt;
    }
    return fail(ErrorCode::NotACheckpoint, "A Core ML package is not read")
        .inFile(candidate.path.string())
        .at(0)
        .withHint("Open the model that it was converted from");
}

std::optional<Error> foreignFile(const Candidate& candidate) {
    if (const auto openVino = openVinoFile(candidate)) {
        return openVino;
    }
    const std::string_view head = asText(candidate.head);
    const std::string name = candidate.path.filename().string();
    for (const Foreign& each : foreignFiles()) {
        const bool is = head.size() >= each.offset + each.bytes.size() &&
                        head.substr(each.offset).starts_with(each.bytes) &&
                        hasEnding(name, each.endings);
        if (is) {
            return fail(ErrorCode::NotACheckpoint, each.message)
                .inFile(candidate.path.string())
                .at(0)
                .withHint(each.hint);
        }
    }
    return std::nullopt;
}

} // namespace cairn::formats
