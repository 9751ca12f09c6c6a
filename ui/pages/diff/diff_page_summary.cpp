// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_page.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <algorithm>

namespace cairn::ui {

QString DiffPage::summary(const DiffRows& rows) const {
    const DiffSums& sums = m_document->tree.root().sums;
    QStringList parts{
        tr("%1 tensors in both").arg(text::count(m_document->structure.pairs.size()))};
    const auto add = [&](const QString& words, std::uint64_t count) {
        if (count > 0) {
            parts << words.arg(text::count(count));
        }
    };
    add(tr("%1 only in A"), sums.onlyLeft);
    add(tr("%1 only in B"), sums.onlyRight);
    add(tr("%1 renamed"), static_cast<std::uint64_t>(std::ranges::count_if(
                              m_document->structure.pairs, &TensorPair::renamed)));
    if (m_document->hasValues()) {
        const std::uint64_t differing =
            rows.differing - sums.onlyLeft - sums.onlyRight - sums.unread;
        const bool bits = rows.equality.kind == Equality::Kind::Bits;
        parts << (differing > 0 ? tr("%1 differ").arg(text::count(differing))
                  : sums.unread > 0 || sums.tensors == 0 ? QString()
                  : bits                                 ? tr("identical")
                                                         : tr("all equal"));
        parts.removeAll(QString());
        add(tr("%1 cannot be compared"), sums.unread);
    }
    add(tr("%1 plain values differ"), m_document->plain.changed.size() +
                                          m_document->plain.onlyLeft.size() +
                                          m_document->plain.onlyRight.size());
    return parts.join(QStringLiteral(" · "));
}

} // namespace cairn::ui
