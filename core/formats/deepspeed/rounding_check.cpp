// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/rounding_check.h"

#include "core/base/visible_text.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint16_t kMagnitude = 0x7fff;
/// Of a weight's norm. Stages add up their own copies' gradients, maybe in another order; a step of
/// training changes more.
constexpr double kOrderOfSums = 1e-3;

double valueOf(Dtype dtype, unsigned pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    std::byte bytes[2];
    std::memcpy(bytes, &bits, sizeof bits);
    return elementAsDouble(dtype, bytes);
}

} // namespace

bool roundsTo(float master, Dtype dtype, std::uint16_t element) {
    const unsigned pattern = element & kMagnitude;
    const double value = valueOf(dtype, pattern);
    if (std::isnan(master) || std::isnan(value)) {
        return std::isnan(master) && std::isnan(value);
    }
    const double size = std::abs(static_cast<double>(master));
    if (pattern == 0) { // small numbers may be flushed to zero
        const unsigned leastNormal = dtype == Dtype::Float16 ? 0x0400 : 0x0080;
        return size < valueOf(dtype, leastNormal);
    }
    if (std::signbit(master) != ((element & ~kMagnitude) != 0)) {
        return false;
    }
    const double below = valueOf(dtype, pattern - 1);
    if (std::isinf(value)) {
        return size >= below + (below - valueOf(dtype, pattern - 2)) / 2;
    }
    const double next = valueOf(dtype, pattern + 1);
    const double above = std::isinf(next) ? 2 * value - below : next;
    const double low = (below + value) / 2;
    const double high = (value + above) / 2;
    const bool even = pattern % 2 == 0;
    return even ? size >= low && size <= high : size > low && size < high;
}

const Checkpoint& RoundingCheck::files() {
    if (m_files == nullptr || m_files->files().size() != m_data.files.size() ||
        m_files->data().codecs.size() != m_data.codecs.size()) {
        CheckpointData files;
        files.path = m_data.path;
        files.files = m_data.files;
        files.codecs = m_data.codecs;
        m_files = Checkpoint::make(std::move(files));
    }
    return *m_files;
}

RoundingCheck::Verdict RoundingCheck::compare(const TensorEntry& master, const TensorEntry& copy) {
    const bool known = copy.dtype == Dtype::Float16 || copy.dtype == Dtype::Bfloat16 ||
                       copy.dtype == Dtype::Float32;
    const std::uint64_t elements = master.elements();
    if (master.dtype != Dtype::Float32 || !known || elements != copy.elements() || elements == 0) {
        return Verdict::NotCompared;
    }
    // Unrelated tensors differ in their first elements, so the others are not read.
    const std::uint64_t first = std::min(elements, kFew);
    const std::uint64_t head = std::min(elements, kEdge);
    const std::uint64_t tail = std::max(head, elements - std::min(elements, kEdge));
    Verdict verdict = compareRange(master, copy, 0, first);
    if (verdict == Verdict::Same && head > first) {
        verdict = compareRange(master, copy, first, head - first);
    }
    if (verdict == Verdict::Same && elements > tail) {
        verdict = compareRange(master, copy, tail, elements - tail);
    }
    return verdict;
}

std::optional<double> RoundingCheck::distance(const TensorEntry& left, const TensorEntry& right) {
    const std::uint64_t elements = left.elements();
    const std::uint64_t count = std::min(elements, kEdge);
    m_read += 4 * count * sizeof(float);
    if (left.dtype != Dtype::Float32 || right.dtype != Dtype::Float32 || m_read > kMaxRead) {
        return std::nullopt;
    }
    double apart = 0;
    double whole = 0;
    std::vector<float> a(count);
    std::vector<float> b(count);
    for (const std::uint64_t first : {std::uint64_t{0}, elements - count}) {
        if (!read(left, first, std::as_writable_bytes(std::span(a))) ||
            !read(right, first, std::as_writable_bytes(std::span(b)))) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) {
                const double difference = static_cast<double>(a[i]) - b[i];
                apart += difference * difference;
            }
            whole += static_cast<double>(a[i]) * a[i];
        }
    }
    return apart == 0 ? 0 : std::sqrt(apart / whole);
}

bool RoundingCheck::read(const TensorEntry& tensor, std::uint64_t first, std::span<std::byte> out) {
    const auto reader = TensorReader::open(files(), tensor);
    TensorReader::Scratch scratch;
    const std::uint64_t start = dtypeBytes(tensor.dtype, first).value_or(0);
    return reader && reader->readBytes(Box::whole(tensor.shape), start, out, scratch);
}

RoundingCheck::Verdict RoundingCheck::compareRange(const TensorEntry& master,
                                                   const TensorEntry& copy, std::uint64_t first,
                                                   std::uint64_t count) {
    const std::size_t size = copy.dtype == Dtype::Float32 ? sizeof(float) : sizeof(std::uint16_t);
    m_read += count * (sizeof(float) + size);
    if (m_read > kMaxRead) {
        return Verdict::NotCompared;
    }
    std::vector<float> masters(count);
    std::vector<std::byte> copies(count * size);
    if (!read(master, first, std::as_writable_bytes(std::span(masters))) ||
        !read(copy, first, copies)) {
        return Verdict::NotCompared;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t element = 0;
        float whole = 0;
        std::memcpy(size == sizeof whole ? static_cast<void*>(&whole) : &element,
                    copies.data() + i * size, size);
        const bool same = size == sizeof whole
                              ? masters[i] == whole || (std::isnan(masters[i]) && std::isnan(whole))
                              : roundsTo(masters[i], copy.dtype, element);
        if (!same) {
            return Verdict::Different;
        }
    }
    return Verdict::Same;
}

namespace {

const std::string& fileOf(const CheckpointData& data, const TensorEntry& tensor) {
    return data.files[tensor.pieces[0].file.position()].path;
}

} // namespace

void checkCopies(CheckpointData& data, const std::vector<WeightAndCopy>& copied) {
    constexpr std::size_t kOfEachPair = 16;
    constexpr std::size_t kMost = 1'024;
    using Answer = RoundingCheck::Verdict;
    RoundingCheck check(data);
    std::map<std::pair<FileIndex, FileIndex>, std::size_t> pairs;
    std::size_t compared = 0;
    std::size_t different = 0;
    WeightAndCopy first{};
    for (const auto& [master, copy] : copied) {
        const TensorEntry& wide = data.tensors[master.position()];
        const TensorEntry& narrow = data.tensors[copy.position()];
        if (wide.pieces.empty() || narrow.pieces.empty() || compared == kMost ||
            ++pairs[{wide.pieces[0].file, narrow.pieces[0].file}] > kOfEachPair) {
            continue;
        }
        const Answer verdict =
            wide.shape == narrow.shape ? check.compare(wide, narrow) : Answer::Different;
        compared += verdict == Answer::NotCompared ? 0 : 1;
        if (verdict == Answer::Different && different++ == 0) {
            first = {master, copy};
        }
    }
    if (different > 0) {
        const TensorEntry& master = data.tensors[first.first.position()];
        const std::string file = fileOf(data, data.tensors[first.second.position()]);
        addDamage(
            data,
            fail(ErrorCode::StaleShard,
                 "The fp32 master weights do not round to the model weights; the model "
                 "states and the optimizer states are from different saves")
                .inFile(file)
                .inTensor(master.name)
                .butFound(sentence("%1 of %2 compared weights differ", different, compared))
                .expecting(sentence("the elements of %1", visibleText(fileOf(data, master)))));
    }
}

void checkShared(CheckpointData& data, const std::vector<Repeated>& repeated) {
    RoundingCheck check(data);
    for (const auto& [index, second] : repeated) {
        const TensorEntry& first = data.tensors[index.position()];
        if (first.pieces.empty() || second.pieces.empty()) {
            continue;
        }
        const std::optional<double> apart =
            first.shape == second.shape ? check.distance(first, second) : INFINITY;
        if (apart && !(*apart < kOrderOfSums)) {
            addDamage(data, fail(ErrorCode::StaleShard,
                                 sentence("The pipeline stages have different copies of a weight "
                                          "that they share: here and in %1",
                                          visibleText(fileOf(data, first))))
                                .inFile(fileOf(data, second))
                                .inTensor(first.name)
                                .withHint("Copy the files of all stages from the same save"));
            return;
        }
    }
}

} // namespace cairn::formats::deepspeed
