// SPDX-License-Identifier: Apache-2.0
#include "core/signing/openssl_handles.h"

#include "core/base/endian.h"
#include "core/io/folder.h"

#include <climits>

namespace cairn::signing {

Bio readerOf(std::string_view text) {
    const std::size_t most = std::min<std::size_t>(text.size(), INT_MAX);
    return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(most)));
}

std::string textOf(const Bio& memory) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &data);
    return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

Result<std::string> readNamedFile(const std::filesystem::path& path, std::uint64_t most) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error) {
        return fail(ErrorCode::NotFound, "The file does not exist or cannot be opened")
            .inFile(path.string());
    }
    CAIRN_TRY(const FolderPtr folder, Folder::open(real.parent_path()));
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(real.filename().string()));
    if (source->size() > most) {
        return fail(ErrorCode::LimitExceeded, "The file is too large")
            .inFile(path.string())
            .butFound(sentence("%1 bytes", source->size()))
            .expecting(sentence("at most %1", most));
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    return std::string(asText(bytes));
}

} // namespace cairn::signing
