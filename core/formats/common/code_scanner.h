// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/code_scan.h"
#include "core/io/folder.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats {

/// Collects one CodeScan; private to this folder. One thread.
class CodeScanner {
public:
    explicit CodeScanner(CancelToken cancel) : m_cancel(std::move(cancel)) {}

    Result<void> scanFolder(const FolderPtr& folder, const std::string& prefix, int depth);
    Result<void> scanFile(const ByteSourcePtr& source, const std::string& name, int depth);
    CodeScan take() && { return std::move(m_scan); }

private:
    Result<void> scanArchive(const ByteSourcePtr& source, const std::string& name, int depth);
    Result<void> scanRecord(const ZipArchive& zip, const ZipEntry& entry, const std::string& name,
                            int depth);
    Result<void> scanStreams(const ByteSourcePtr& source, const std::string& name, int depth);
    Result<void> scanNpy(const ByteSourcePtr& source, const std::string& name, int depth);
    /// Fields as JSON, some of them pickles in base64. `head`: the first bytes of the file.
    static bool mayHoldFields(std::string_view name, std::span<const std::byte> head);
    Result<void> scanFields(const ByteSource& source, const std::string& name, int depth);
    Result<void> scanItems(const FolderPtr& folder, const std::string& index,
                           const std::string& prefix);
    void scanBytes(std::span<const std::byte> bytes, std::uint64_t base, const std::string& name,
                   bool follow, int depth);
    void worsen(pickle::Verdict verdict, const std::string& name, std::string_view reason);
    void unreadable(const std::string& name, const Error& error);

    CancelToken m_cancel;
    CodeScan m_scan;
};

} // namespace cairn::formats
