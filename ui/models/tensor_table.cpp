// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_table.h"

#include "core/base/ascii.h"
#include "core/base/large_pages.h"
#include "ui/models/tensor_name.h"

#include <algorithm>
#include <compare>
#include <cstring>
#include <iterator>

namespace cairn::ui {
namespace {

constexpr std::size_t kTableStride = 4096;
constexpr std::size_t kAhead = 16; ///< tensors that are fetched from memory before their turn

char lower(char c) {
    if (c == '\n') {
        return ' ';
    }
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Room that the natural key of a name needs at most: each digit may be a number of its own.
constexpr std::size_t kKeyGrowth = 3;

/// Writes a name's key to `out` and returns its end. A separator becomes 0x01, below all that names
/// contain; a run of digits is preceded by its length, so that longer numbers come later. Equal
/// keys mean equal names except for '.' and '/', and names with a common prefix stay together.
char* writeNaturalKey(char* out, std::string_view name) {
    for (std::size_t i = 0; i < name.size();) {
        if (!isDigit(name[i])) {
            *out++ = isSeparator(name[i]) ? '\x01' : name[i];
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < name.size() && isDigit(name[end])) {
            ++end;
        }
        *out++ = '0';
        *out++ = static_cast<char>(std::min<std::size_t>(end - i, 255));
        out = std::copy(name.begin() + static_cast<std::ptrdiff_t>(i),
                        name.begin() + static_cast<std::ptrdiff_t>(end), out);
        i = end;
    }
    return out;
}

/// Sorts positions by keys that are too long to be compared as a whole: eight bytes at a time. What
/// is sorted already, as in most files, is only looked at.
class KeySorter {
public:
    /// `keys`: readable for kBytes after the last one.
    KeySorter(const char* keys, std::span<const std::uint64_t> starts)
        : m_keys(keys), m_starts(starts), m_items(starts.size() - 1) {
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            m_items[i].position = static_cast<std::uint32_t>(i);
        }
    }

    Result<std::vector<std::uint32_t>> run(const CancelToken& cancel) {
        std::vector<Part> open{{0, m_items.size(), 0}};
        while (!open.empty()) {
            const Part part = open.back();
            open.pop_back();
            if (part.end - part.begin > kTableStride) {
                CAIRN_CHECK(cancel.check());
            }
            sortBy(part);
            for (std::size_t i = part.begin; i < part.end;) {
                std::size_t end = i + 1;
                while (end < part.end && m_items[end].bytes == m_items[i].bytes) {
                    ++end;
                }
                if (end - i > 1) {
                    resolve({i, end, part.depth + kBytes}, open);
                }
                i = end;
            }
        }
        std::vector<std::uint32_t> order;
        order.reserve(m_items.size());
        std::ranges::transform(m_items, std::back_inserter(order), &Item::position);
        return order;
    }

    static constexpr std::size_t kBytes = 8;

private:
    static constexpr std::size_t kFew = 16; ///< compared as a whole

    struct Item {
        std::uint64_t bytes = 0; ///< of the key, at the depth of its part
        std::uint32_t position = 0;
        friend auto operator<=>(const Item&, const Item&) = default;
    };
    struct Part {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t depth = 0;
    };

    std::string_view key(std::uint32_t position) const {
        return {m_keys + m_starts[position], m_starts[position + 1] - m_starts[position]};
    }

    void sortBy(const Part& part) {
        const auto items = std::span(m_items).subspan(part.begin, part.end - part.begin);
        for (Item& item : items) {
            const std::uint64_t end = m_starts[item.position + std::size_t{1}];
            const std::uint64_t at = std::min(m_starts[item.position] + part.depth, end);
            const std::uint64_t rest = std::min<std::uint64_t>(end - at, kBytes);
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, m_keys + at, kBytes);
            item.bytes =
                __builtin_bswap64(bytes) & (rest == 0 ? 0 : ~std::uint64_t{0} << (64 - 8 * rest));
        }
        if (!std::ranges::is_sorted(items)) {
            std::ranges::sort(items);
        }
    }

    /// Keys that are equal up to the depth of `part`.
    void resolve(const Part& part, std::vector<Part>& open) {
        const auto items = std::span(m_items).subspan(part.begin, part.end - part.begin);
        // A key that ends here looks like one that continues with zeros.
        const bool anyEnds = std::ranges::any_of(
            items, [&](const Item& item) { return key(item.position).size() < part.depth; });
        if (!anyEnds && items.size() > kFew) {
            open.push_back(part);
            return;
        }
        std::ranges::sort(items, [this](const Item& a, const Item& b) {
            const int sign = key(a.position).compare(key(b.position));
            return sign != 0 ? sign < 0 : a.position < b.position;
        });
    }

    const char* m_keys;
    std::span<const std::uint64_t> m_starts;
    std::vector<Item> m_items;
};

std::size_t bytesOfNames(std::span<const TensorEntry> tensors) {
    std::size_t bytes = 0;
    for (const TensorEntry& tensor : tensors) {
        bytes += tensor.name.size();
    }
    return bytes;
}

/// The permutation that sorts the names naturally.
Result<std::vector<std::uint32_t>> sortNaturally(std::span<const TensorEntry> tensors,
                                                 const CancelToken& cancel) {
    const std::size_t room = kKeyGrowth * bytesOfNames(tensors) + KeySorter::kBytes;
    const auto keys =
        std::make_unique_for_overwrite<char[]>(room); // what is not used costs nothing
    adviseLargePages(keys.get(), room);
    std::vector<std::uint64_t> starts(tensors.size() + 1);
    char* end = keys.get();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (i % kTableStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        starts[i] = static_cast<std::uint64_t>(end - keys.get());
        end = writeNaturalKey(end, tensors[i].name);
    }
    starts[tensors.size()] = static_cast<std::uint64_t>(end - keys.get());
    std::fill_n(end, KeySorter::kBytes, '\0');
    return KeySorter(keys.get(), starts).run(cancel);
}

} // namespace

std::string naturalKey(std::string_view name) {
    std::string key(kKeyGrowth * name.size(), '\0');
    key.resize(static_cast<std::size_t>(writeNaturalKey(key.data(), name) - key.data()));
    return key;
}

Result<TensorTablePtr> TensorTable::make(CheckpointPtr checkpoint, const CancelToken& cancel) {
    const std::shared_ptr<TensorTable> table(new TensorTable);
    const std::span<const TensorEntry> tensors = checkpoint->tensors();
    CAIRN_TRY(table->m_order, sortNaturally(tensors, cancel));
    table->m_starts.reserve(tensors.size() + 1);
    table->m_lowerNames.resize(bytesOfNames(tensors) + tensors.size());
    char* end = table->m_lowerNames.data();
    for (std::size_t rank = 0; rank < tensors.size(); ++rank) {
        if (rank % kTableStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        if (rank + kAhead < tensors.size()) {
            __builtin_prefetch(&tensors[table->m_order[rank + kAhead]]); // its name
        }
        const std::string& name = tensors[table->m_order[rank]].name;
        table->m_starts.push_back(static_cast<std::uint64_t>(end - table->m_lowerNames.data()));
        end = std::ranges::transform(name, end, lower).out;
        *end++ = '\n';
    }
    table->m_starts.push_back(table->m_lowerNames.size());
    table->m_checkpoint = std::move(checkpoint);
    return table;
}

TensorTable::Figures TensorTable::figures(std::uint32_t position) const {
    const Checkpoint& checkpoint = *m_checkpoint;
    const TensorEntry& tensor = checkpoint.tensors()[position];
    Figures figures;
    figures.bytes = tensor.bytes();
    figures.pieces = static_cast<std::uint32_t>(tensor.pieces.size());
    if (tensor.pieces.size() == 1) {
        const Piece& piece = tensor.pieces[0];
        figures.files = 1;
        figures.missingFiles = checkpoint.files()[piece.file.position()].missing ? 1 : 0;
        figures.incomplete = figures.missingFiles > 0 ||
                             (piece.box.extent != tensor.shape &&
                              elementCount(piece.box.extent).value_or(0) < tensor.elements());
        return figures;
    }
    std::vector<FileIndex> seen;
    std::uint64_t readable = 0;
    for (const Piece& piece : tensor.pieces) {
        const bool missing = checkpoint.files()[piece.file.position()].missing;
        readable += missing ? 0 : elementCount(piece.box.extent).value_or(0);
        const bool isRepeated = !seen.empty() && seen.back() == piece.file;
        if (!isRepeated) {
            seen.push_back(piece.file);
        }
    }
    if (seen.size() > 1) {
        std::ranges::sort(seen);
        seen.erase(std::ranges::unique(seen).begin(), seen.end());
    }
    figures.files = static_cast<std::uint32_t>(seen.size());
    figures.missingFiles = static_cast<std::uint32_t>(std::ranges::count_if(
        seen, [&](FileIndex file) { return checkpoint.files()[file.position()].missing; }));
    figures.incomplete = readable < tensor.elements();
    return figures;
}

} // namespace cairn::ui
