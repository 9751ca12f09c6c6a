// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/model/cast_pair.h"
#include "core/plan/copy_plan.h"
#include "core/plan/literal_around.h"

#include <algorithm>
#include <iterator>
#include <set>

/// Validation of plans.
///
/// Literals and tensor segments of a file are two lists in ascending order; walking both together,
/// each segment must begin where the previous one ended, from 0 to the file's size. This proves
/// "every byte exactly once" without sorting and without trusting the layout function. A segment's
/// length must match its box and dtype, and the dtype must be that of the source or one to which it
/// can be cast.
namespace cairn {
namespace {

Error broken(const OutputFile& file, std::uint64_t offset, Sentence message) {
    return fail(ErrorCode::Internal, std::move(message)).inFile(file.name).at(offset);
}

/// Checks the dtypes, and the operands of recipes.
Result<void> checkElements(const CopyPlan& plan, const OutputFile& file,
                           const TensorSegment& segment, const TensorEntry& tensor) {
    const bool quantises = canQuantize(tensor.dtype, segment.dtype);
    const std::size_t last = tensor.shape.size() - 1; // of a scalar: not used
    if (quantises && (tensor.shape.empty() || segment.box != Box::whole(tensor.shape) ||
                      tensor.shape[last] % dtypeInfo(segment.dtype).blockElements != 0)) {
        return broken(file, segment.offset, "The plan quantises incomplete blocks")
            .inTensor(tensor.name);
    }
    const bool isForecast = plan.precision && plan.precision->precision->dtype == segment.dtype &&
                            !plan.precision->precision->isWritten;
    if (segment.dtype != tensor.dtype && !quantises && !isForecast &&
        !canCast(tensor.dtype, segment.dtype)) {
        return broken(file, segment.offset, "The plan casts a dtype that cannot be cast")
            .inTensor(tensor.name);
    }
    if (plan.recipes.empty()) {
        return {};
    }
    const auto recipe = plan.recipes.find(segment.source);
    if (recipe != plan.recipes.end() && !isValidRecipe(recipe->second, *plan.source, tensor)) {
        return broken(file, segment.offset, "The plan's recipe does not match its tensor")
            .inTensor(tensor.name);
    }
    return {};
}

/// Number of elements of the box; empty: it does not fit into the shape, or has too many. Combines
/// fitsInto() and elementCount() in one pass: a plan may have millions of segments.
std::optional<std::uint64_t> elementsWithin(const Box& box, const Shape& shape) {
    const std::size_t rank = shape.size();
    if (box.origin.size() != rank || box.extent.size() != rank) {
        return std::nullopt;
    }
    const std::int64_t* origin = box.origin.begin();
    const std::int64_t* extent = box.extent.begin();
    const std::int64_t* length = shape.begin();
    std::uint64_t count = 1;
    bool empty = false;
    bool fits = true;
    for (std::size_t d = 0; d < rank; ++d) {
        fits = fits && origin[d] >= 0 && extent[d] >= 0 && origin[d] <= length[d] &&
               extent[d] <= length[d] - origin[d];
        empty = empty || extent[d] == 0;
        fits =
            fits && (extent[d] == 0 ||
                     !__builtin_mul_overflow(count, static_cast<std::uint64_t>(extent[d]), &count));
    }
    return fits ? std::optional(empty ? 0 : count) : std::nullopt;
}

Result<void> checkSegment(const CopyPlan& plan, const OutputFile& file,
                          const TensorSegment& segment) {
    if (segment.source.position() >= plan.source->tensors().size()) {
        return broken(file, segment.offset, "The plan names a missing tensor");
    }
    const TensorEntry& tensor = plan.source->tensor(segment.source);
    const auto elements = elementsWithin(segment.box, tensor.shape);
    if (!elements) {
        return broken(file, segment.offset, "The plan's box is outside its tensor")
            .inTensor(tensor.name);
    }
    CAIRN_CHECK(checkElements(plan, file, segment, tensor));
    const auto bytes = dtypeBytes(segment.dtype, *elements);
    if (bytes != segment.length) {
        return broken(file, segment.offset,
                      "The length of the plan's segment does not match its box")
            .inTensor(tensor.name);
    }
    return {};
}

/// Slots are usually in the order of their literals, so the search starts at the last one.
Result<void> checkSlots(const OutputFile& file) {
    auto after = file.literals.begin(); // the first literal that begins after the slot
    for (const ChecksumSlot& slot : file.checksums) {
        for (int near = 0; near < 4 && after != file.literals.end() && after->offset <= slot.offset;
             ++near) {
            ++after;
        }
        const bool found =
            (after == file.literals.end() || after->offset > slot.offset) &&
            (after == file.literals.begin() || std::prev(after)->offset <= slot.offset);
        if (!found) {
            after =
                std::ranges::upper_bound(file.literals, slot.offset, {}, &LiteralSegment::offset);
        }
        const bool inside = after != file.literals.begin() &&
                            ByteRange{slot.offset - std::prev(after)->offset, 4}.fitsInto(
                                file.bytesOf(*std::prev(after)).size());
        if (!inside || slot.segment >= file.tensors.size()) {
            return broken(file, slot.offset, "The plan's checksum has no location");
        }
    }
    return {};
}

Result<void> checkFile(const CopyPlan& plan, const OutputFile& file) {
    std::uint64_t at = 0;
    std::size_t literal = 0;
    std::size_t tensor = 0;
    while (literal < file.literals.size() || tensor < file.tensors.size()) {
        // Of two segments at one offset, the empty one comes first.
        const bool takeTensor =
            tensor < file.tensors.size() &&
            (literal == file.literals.size() || file.tensors[tensor].length == 0 ||
             file.tensors[tensor].offset < file.literals[literal].offset);
        if (!takeTensor && file.literals[literal].content >= file.contents.size()) {
            return broken(file, file.literals[literal].offset, "The plan's literal is empty");
        }
        const std::uint64_t offset =
            takeTensor ? file.tensors[tensor].offset : file.literals[literal].offset;
        const std::uint64_t length =
            takeTensor ? file.tensors[tensor].length
                       : std::uint64_t{file.bytesOf(file.literals[literal]).size()};
        const bool empty = takeTensor && length == 0;
        if (offset != at && !(empty && offset <= file.size)) {
            return broken(file, offset,
                          offset < at ? Sentence("The plan writes a byte twice")
                                      : "The plan does not write every byte")
                .expecting(sentence("a segment at %1", at));
        }
        if (takeTensor) {
            CAIRN_CHECK(checkSegment(plan, file, file.tensors[tensor]));
        }
        const auto end = checkedAdd(at, length);
        if (!end) {
            return broken(file, offset, "The plan's file is too long");
        }
        at = *end;
        ++(takeTensor ? tensor : literal);
    }
    if (at != file.size) {
        return broken(file, at, "The length of the plan's file does not match its segments");
    }
    return checkSlots(file);
}

/// The slots of an index name segments of files that are summed.
Result<void> checkIndex(const OutputLayout& layout, const OutputFile& file) {
    constexpr std::uint64_t kSlotBytes = 4;
    const bool hasSlots = !file.indexSlots.empty() || !file.blockSlots.empty();
    if ((hasSlots && !file.tensors.empty()) || (file.sumsSegments && !file.checksums.empty())) {
        return broken(file, 0, "The plan's checksums do not match the kind of the file");
    }
    const auto outside = [&](std::uint64_t offset) {
        return broken(file, offset, "The plan's checksum has no location");
    };
    for (const IndexSlot& slot : file.indexSlots) {
        const bool exists = slot.file < layout.files.size() &&
                            layout.files[slot.file].sumsSegments &&
                            slot.segment < layout.files[slot.file].tensors.size();
        if (!exists || literalAround(file, {slot.offset, kSlotBytes}) == nullptr) {
            return outside(slot.offset);
        }
    }
    for (const BlockSlot& slot : file.blockSlots) {
        const bool apart =
            slot.offset >= slot.bytes.end() || slot.offset + kSlotBytes <= slot.bytes.offset;
        if (!apart || literalAround(file, slot.bytes) == nullptr ||
            literalAround(file, {slot.offset, kSlotBytes}) == nullptr) {
            return outside(slot.offset);
        }
    }
    return {};
}

/// "model.safetensors", "1_Pooling/config.json".
bool isPlainName(std::string_view name) {
    constexpr std::size_t kMostParts = 64; // names of tensors may have many
    constexpr std::size_t kMostBytes = 4096;
    if (name.size() > kMostBytes) {
        return false;
    }
    for (std::size_t n = 0; n < kMostParts; ++n) {
        const std::size_t slash = std::min(name.find('/'), name.size());
        const std::string_view part = name.substr(0, slash);
        if (part.empty() || part == "." || part == ".." || part.find('\0') != part.npos ||
            part.size() > 255) {
            return false;
        }
        if (slash == name.size()) {
            return true;
        }
        name.remove_prefix(slash + 1);
    }
    return false;
}

/// Whether one of the files is in a folder that has the name of another.
bool isFolderToo(const std::set<std::string_view>& names, const std::string& name) {
    const std::string folder = name + "/";
    const auto inside = names.lower_bound(folder);
    return inside != names.end() && inside->starts_with(folder);
}

} // namespace

Result<void> validate(const CopyPlan& plan) {
    if (plan.source == nullptr || plan.layout.files.empty()) {
        return fail(ErrorCode::Internal, "The plan is empty");
    }
    if (!plan.layout.folder && plan.layout.files.size() != 1) {
        return fail(ErrorCode::Internal, "The plan writes several files but no folder");
    }
    std::set<std::string_view> names;
    std::uint64_t total = 0;
    for (const OutputFile& file : plan.layout.files) {
        const bool inFolder = file.name.find('/') != std::string::npos;
        if (!isPlainName(file.name) || (inFolder && !plan.layout.folder) ||
            !names.insert(file.name).second) {
            return broken(file, 0, "The plan's file name is invalid or duplicated");
        }
        CAIRN_CHECK(checkFile(plan, file));
        CAIRN_CHECK(checkIndex(plan.layout, file));
        const auto sum = checkedAdd(total, file.size);
        if (!sum) {
            return broken(file, 0, "The plan's output is too large");
        }
        total = *sum;
    }
    for (const OutputFile& file : plan.layout.files) {
        if (isFolderToo(names, file.name)) {
            return broken(file, 0, "The plan's file has the name of a folder");
        }
    }
    return {};
}

} // namespace cairn
