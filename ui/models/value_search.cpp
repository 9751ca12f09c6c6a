// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_search.h"

#include "ui/models/value_words.h"

#include <QStringList>

#include <unordered_map>
#include <unordered_set>

namespace cairn::ui {
namespace {

constexpr std::size_t kSearchStride = 512;
constexpr qsizetype kMaxWords = 8;
constexpr int kDeepestValue = Value::kMaxDepth;

/// Which of the words a text has: bit i for word i.
using WordSet = std::uint32_t;

class Searcher {
public:
    Searcher(CheckpointPtr checkpoint, QStringList words, const CancelToken& cancel)
        : m_checkpoint(std::move(checkpoint)), m_words(std::move(words)), m_cancel(cancel),
          m_all((WordSet{1} << static_cast<unsigned>(m_words.size())) - 1) {}

    /// True if something below `container` matched. `above`: the words that the keys of its
    /// ancestors match; the result depends on nothing else, so that a shared node without a match
    /// is searched once for each such set.
    bool search(const Value& container, std::uint32_t self, WordSet above, int depth) {
        std::unordered_set<const void*>& withoutMatch = m_withoutMatch[above];
        if (depth >= kDeepestValue || withoutMatch.contains(container.identity())) {
            return false;
        }
        bool found = false;
        for (std::size_t i = 0; i < container.items().size() && !m_stopped; ++i) {
            found = searchItem(container, i, self, above, depth) || found;
        }
        if (!found && !m_stopped) {
            withoutMatch.insert(container.identity());
        }
        return found;
    }

    ValueMatches take() { return std::move(m_result); }
    bool cancelled() const { return m_stopped && !m_result.more; }

private:
    bool searchItem(const Value& container, std::size_t position, std::uint32_t parent,
                    WordSet above, int depth) {
        if (++m_visited % kSearchStride == 0 && m_cancel.cancelled()) {
            m_stopped = true;
            return false;
        }
        const Value& value = container.items()[position].value;
        const WordSet inKey = wordsIn(words::itemKey(container, position));
        const WordSet own = inKey | wordsIn(words::fullValue(value, m_checkpoint.get()));
        const bool matches = own != 0 && (own | above) == m_all;
        const std::size_t mark = m_result.entries.size();
        m_result.entries.push_back({parent, static_cast<std::uint32_t>(position), matches});
        m_result.matches += matches ? 1 : 0;
        if (m_result.matches >= ValueMatches::kMaxMatches) {
            m_result.more = true;
            m_stopped = true;
        }
        const bool below =
            value.isContainer() && !m_stopped &&
            search(value, static_cast<std::uint32_t>(mark + 1), above | inKey, depth + 1);
        if (!matches && !below) {
            m_result.entries.resize(mark);
        }
        return matches || below;
    }

    WordSet wordsIn(const QString& text) const {
        WordSet set = 0;
        for (qsizetype i = 0; i < m_words.size(); ++i) {
            set |= text.contains(m_words[i], Qt::CaseInsensitive)
                       ? WordSet{1} << static_cast<unsigned>(i)
                       : 0;
        }
        return set;
    }

    CheckpointPtr m_checkpoint;
    QStringList m_words;
    const CancelToken& m_cancel;
    WordSet m_all;
    ValueMatches m_result;
    std::unordered_map<WordSet, std::unordered_set<const void*>> m_withoutMatch;
    std::size_t m_visited = 0;
    bool m_stopped = false;
};

} // namespace

Result<ValueMatchesPtr> findValues(const Value& root, const CheckpointPtr& checkpoint,
                                   const QString& text, const CancelToken& cancel) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts).mid(0, kMaxWords);
    Searcher searcher(checkpoint, words, cancel);
    searcher.search(root, 0, 0, 0);
    if (searcher.cancelled()) {
        return fail(ErrorCode::Cancelled, "Cancelled");
    }
    auto matches = std::make_shared<ValueMatches>(searcher.take());
    matches->root = root;
    return ValueMatchesPtr(std::move(matches));
}

} // namespace cairn::ui
