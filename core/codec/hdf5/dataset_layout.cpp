// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/dataset_layout.h"

#include "core/codec/hdf5/index_text.h"
#include "core/codec/hdf5/range_driver.h"

#include <algorithm>

namespace cairn::hdf5 {
namespace {

constexpr std::uint64_t kMaxChunks = 2'000'000;
constexpr std::uint64_t kMaxCompact = 65536;
constexpr hsize_t kMaxProbe = hsize_t{64} << 20U;

std::uint64_t userBlockOf(hid_t dataset) {
    const Id file(H5Iget_file_id(dataset), H5Fclose);
    const Id creation(H5Fget_create_plist(file), H5Pclose);
    hsize_t size = 0;
    return H5Pget_userblock(creation, &size) < 0 ? 0 : size;
}

std::string filtersOf(hid_t creation) {
    std::string out = "[";
    const int count = H5Pget_nfilters(creation);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        unsigned config = 0;
        std::size_t size = 32;
        std::vector<unsigned> values(size);
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags,
                                                   &size, values.data(), 0, nullptr, &config);
        values.resize(std::min<std::size_t>(size, values.size()));
        out += (i > 0 ? "," : "") + std::string("[") + std::to_string(filter);
        for (const unsigned value : values) {
            out += "," + std::to_string(value);
        }
        out += "]";
    }
    return out + "]";
}

/// Some versions of the library report chunk addresses relative to the end of the user block,
/// others relative to the file's first byte. The position at which it actually reads a chunk
/// decides.
std::uint64_t chunkBaseOf(hid_t dataset, const std::vector<hsize_t>& origin, haddr_t recorded,
                          hsize_t size) {
    std::uint32_t mask = 0;
    std::vector<char> bytes(static_cast<std::size_t>(std::min<hsize_t>(size, kMaxProbe)));
    const auto read = bytes.size() < size ? std::nullopt : placeOfRead([&] {
        H5Dread_chunk(dataset, H5P_DEFAULT, origin.data(), &mask, bytes.data());
    });
    return read && *read >= recorded ? *read - recorded : userBlockOf(dataset);
}

/// Whether the chunk extends beyond the array.
bool isCut(const std::vector<hsize_t>& origin, const std::vector<hsize_t>& chunk,
           const std::vector<std::uint64_t>& shape) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] - origin[d] < chunk[d]) {
            return true;
        }
    }
    return false;
}

/// The stored chunks, found by a walk over the grid: a lookup of one chunk is fast, while a listing
/// is slow.
std::string chunksOf(FileLayout& file, hid_t dataset, hid_t creation, const ElementType& element,
                     const std::vector<std::uint64_t>& shape, const std::vector<hsize_t>& chunk) {
    std::string out = "[";
    std::vector<hsize_t> origin(shape.size(), 0);
    unsigned options = 0; // stays 0 before HDF5 1.10
    H5Pget_chunk_opts(creation, &options);
    const bool bareEdges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
    const bool empty = std::find(shape.begin(), shape.end(), 0U) != shape.end() ||
                       H5Dget_storage_size(dataset) == 0; // the grid may be large and unused
    for (bool more = !empty; more;) {
        if (++file.looked > kMaxChunks) {
            return "";
        }
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, origin.data(), &mask, &address, &size) < 0) {
            return "";
        }
        if (address != HADDR_UNDEF && size > 0) {
            if (!file.chunkBase) {
                file.chunkBase = chunkBaseOf(dataset, origin, address, size);
            }
            mask = bareEdges && isCut(origin, chunk, shape) ? ~0U : mask;
            out += (out.size() > 1 ? "," : "") + std::string("[") +
                   std::to_string(address + *file.chunkBase) + "," + std::to_string(size) + "," +
                   std::to_string(mask);
            for (const hsize_t at : origin) {
                out += "," + std::to_string(at);
            }
            for (std::size_t d = 0; d < element.inner.size(); ++d) {
                out += ",0";
            }
            out += "]";
        }
        more = false;
        for (std::size_t d = shape.size(); d-- > 0 && !more;) {
            origin[d] += chunk[d];
            more = origin[d] < shape[d];
            if (!more) {
                origin[d] = 0;
            }
        }
    }
    return out + "]";
}

std::string chunkedLayout(FileLayout& file, hid_t dataset, hid_t creation,
                          const ElementType& element, const std::vector<std::uint64_t>& shape) {
    std::vector<hsize_t> chunk(shape.size(), 0);
    const int rank = H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    const bool fits = rank == static_cast<int>(shape.size()) &&
                      std::find(chunk.begin(), chunk.end(), 0U) == chunk.end();
    const std::string chunks = fits ? chunksOf(file, dataset, creation, element, shape, chunk) : "";
    if (chunks.empty()) {
        return "";
    }
    chunk.insert(chunk.end(), element.inner.begin(), element.inner.end());
    return ",\"layout\":\"chunked\",\"chunk\":" + listOf(chunk) +
           ",\"filters\":" + filtersOf(creation) + ",\"chunks\":" + chunks;
}

std::string compactLayout(hid_t dataset, hid_t type, std::uint64_t bytes) {
    if (bytes > kMaxCompact) {
        return "";
    }
    std::vector<char> data(std::max<std::uint64_t>(bytes, 1));
    if (bytes > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0) {
        return "";
    }
    return ",\"layout\":\"compact\",\"data\":\"" + hex(data.data(), bytes) + "\"";
}

/// `,"fill":…`: the value of elements that were never written, in the file's byte order; "" if
/// undefined.
std::string fillOf(hid_t creation, hid_t type) {
    H5D_fill_value_t status = H5D_FILL_VALUE_ERROR;
    H5D_fill_time_t time = H5D_FILL_TIME_ERROR;
    const std::size_t size = H5Tget_size(type);
    if (H5Pfill_value_defined(creation, &status) < 0 || H5Pget_fill_time(creation, &time) < 0 ||
        time == H5D_FILL_TIME_NEVER || size == 0 || size > kMaxCompact) {
        return "";
    }
    std::vector<char> value(size, 0);
    const bool known =
        status == H5D_FILL_VALUE_DEFAULT || (status == H5D_FILL_VALUE_USER_DEFINED &&
                                             H5Pget_fill_value(creation, type, value.data()) >= 0);
    return known ? ",\"fill\":\"" + hex(value.data(), value.size()) + "\"" : "";
}

} // namespace

std::string layoutOf(FileLayout& file, hid_t dataset, hid_t type, const ElementType& element,
                     const DatasetShape& shape) {
    if (shape.none) {
        return ",\"layout\":\"contiguous\"";
    }
    const std::uint64_t count = shape.count;
    const Id creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_external_count(creation) > 0) {
        return ",\"layout\":\"external\"";
    }
    if (element.inHeap) {
        return ",\"layout\":\"heap\"";
    }
    if (element.name == "string") {
        const std::string texts =
            count > kMaxStrings ? "" : textsOf(type, count, [&](hid_t memory, void* target) {
                return count == 0 ? 0
                                  : H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, target);
            });
        return texts.empty() ? "" : ",\"layout\":\"strings\",\"texts\":" + texts;
    }
    switch (H5Pget_layout(creation)) {
    case H5D_CONTIGUOUS: {
        const haddr_t address = H5Dget_offset(dataset);
        H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
        // In a file with a user block the library reports an address even for a dataset without
        // storage.
        const bool there = H5Dget_space_status(dataset, &status) >= 0 &&
                           status != H5D_SPACE_STATUS_NOT_ALLOCATED && address != HADDR_UNDEF;
        return ",\"layout\":\"contiguous\"" +
               (there ? ",\"address\":" + std::to_string(address) : fillOf(creation, type));
    }
    case H5D_CHUNKED: {
        const std::string chunked = chunkedLayout(file, dataset, creation, element, shape.extents);
        return chunked.empty() ? "" : chunked + fillOf(creation, type);
    }
    case H5D_COMPACT:
        return compactLayout(dataset, type, count * H5Tget_size(type));
    case H5D_VIRTUAL:
        return ",\"layout\":\"virtual\"";
    default:
        return "";
    }
}

} // namespace cairn::hdf5
