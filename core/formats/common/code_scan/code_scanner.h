// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/compressed/compressed_source.h"
#include "core/codec/hdf5/hdf5_index.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/code_scan.h"
#include "core/io/folder.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace cairn::formats {

/// The location of examined bytes.
struct CodePlace {
    std::string file;
    std::string member;
    std::uint64_t base =
        0;                 ///< offset of the bytes within the file, or within the compressed member
    int depth = 0;         ///< number of enclosing containers
    bool expanded = false; ///< decompressed: reading far ahead costs time
    bool numbers = false;  ///< loaders treat them as elements of a tensor
    std::uint64_t reach =
        0; ///< bytes that are decompressed again before one of these can be read; 0: in memory

    [[nodiscard]] CodePlace inside(std::string_view name) const;
    [[nodiscard]] CodePlace at(std::uint64_t offset) const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string_view lastName() const;
};

/// The bytes could not be had, whatever they are.
inline bool isReadFailure(const Error& error) {
    return error.code == ErrorCode::Io || error.code == ErrorCode::ChangedOnDisk;
}

/// Collects one CodeScan; private to this folder. Not thread-safe.
class CodeScanner {
public:
    CodeScanner(CancelToken cancel, const ScanBounds& bounds);

    /// A file of this size is examined next.
    void startFile(std::uint64_t bytes);
    /// Files and folders below a folder.
    Result<void> scanFolder(const FolderPtr& root, const std::string& relative, int depth);
    /// Some files of one folder. Items of distributed checkpoints are located through the indexes
    /// among them.
    Result<void> scanFiles(const FolderPtr& root, const std::string& relative,
                           std::span<const std::string> names);
    /// Content of any kind, which is detected from its bytes, never its name.
    Result<void> scanContent(const ByteSourcePtr& source, const CodePlace& place);
    /// Reports what could not be read.
    void notExamined(const CodePlace& place, const Sentence& reason);
    CodeScan take() && { return std::move(m_scan); }

private:
    /// Whether the data is of the kind that it is examined as.
    enum class Certainty : std::uint8_t { Sure, Possible };

    Result<void> scanContainers(const ByteSourcePtr& source, std::span<const std::byte> head,
                                const CodePlace& place);
    Result<void> scanArchives(const ByteSourcePtr& source, const CodePlace& place,
                              Certainty certainty);
    Result<void> scanArchive(const ZipArchive& zip, const CodePlace& place);
    /// Code in an archive that is not in a pickle (code_scan_programs.cpp).
    Result<void> scanPrograms(const ZipArchive& zip, const CodePlace& place);
    void scanAttributes(const hdf5::Index& index, const CodePlace& place);
    Result<void> scanObjectChunks(const ByteSource& source, const CodePlace& place);
    /// A JSON object, after any number of blanks.
    Result<bool> beginsObject(const ByteSource& source, const CodePlace& place);
    ByteSourcePtr settle(ByteSourcePtr source, CodePlace& place);
    Result<void> scanRecord(const ZipArchive& zip, const ZipEntry& entry, const CodePlace& place);
    Result<ByteSourcePtr> openRecord(const ZipArchive& zip, const ZipEntry& entry,
                                     CodePlace& place);
    Result<void> scanTar(const ByteSourcePtr& source, const CodePlace& place);
    Result<ByteSourcePtr> expand(const ByteSourcePtr& source, Compression kind, CodePlace& place);
    Result<void> scanCompressed(const ByteSourcePtr& source, Compression kind,
                                const CodePlace& place);
    Result<void> scanStreams(const ByteSourcePtr& source, const CodePlace& place,
                             Certainty certainty);
    Result<void> scanLargeStreams(const ByteSourcePtr& source, const CodePlace& place,
                                  Certainty certainty);
    Result<void> scanComplete(const ByteSourcePtr& source, const CodePlace& place,
                              Certainty certainty);
    Result<void> searchAfter(const ByteSourcePtr& source, std::uint64_t begin,
                             const CodePlace& place);
    Result<void> scanNpy(const ByteSourcePtr& source, const CodePlace& place);
    Result<void> scanHdf5(const ByteSourcePtr& source, const CodePlace& place);
    /// Fields as JSON, some of them base64 pickles (code_scan_fields.cpp).
    Result<void> scanFields(const ByteSource& source, const CodePlace& place);
    /// The configuration of a Keras model (code_scan_keras.cpp).
    Result<void> scanModelConfig(const ByteSource& source, const CodePlace& place);
    void assessModelConfig(std::string_view text, const CodePlace& place);
    void assessConfigObject(const JsonValue& value, const CodePlace& place);
    Result<void> scanItems(const FolderPtr& root, const std::string& relative,
                           const std::string& index, const CodePlace& outer,
                           std::set<std::string>& shards);
    Result<void> scanFile(const FolderPtr& root, const std::string& path);

    Result<void> add(pickle::PickleReport report, const CodePlace& place);
    void addGlobal(pickle::ScannedGlobal global, const CodePlace& place);
    void worsen(pickle::Verdict verdict, const CodePlace& place, const Sentence& reason);
    bool outOfBounds(const CodePlace& place);
    bool outOfWork(const CodePlace& place);
    [[nodiscard]] pickle::ScanOptions optionsFor(const CodePlace& place) const;

    CancelToken m_cancel;
    ScanBounds m_bounds;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::uint64_t m_contents = 0;
    std::uint64_t m_work = 0; ///< for the current file, see ScanBounds::work
    std::uint64_t m_mostWork = 0;
    CodeScan m_scan;
    std::set<std::tuple<std::string, std::string, std::string, std::string, pickle::Verdict>>
        m_known; ///< findings that are already recorded
};

} // namespace cairn::formats
