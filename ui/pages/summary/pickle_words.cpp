// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/pickle_words.h"

#include "ui/text/plain_text.h"

#include <QCoreApplication>

namespace cairn::ui::words {

using pickle::Verdict;

namespace {

struct PickleWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::words)
};

} // namespace

QString pickles(const formats::CodeScan& scan) {
    const formats::FoundGlobal* worst = formats::worstGlobal(scan);
    const QString name = worst == nullptr
                             ? QString()
                             : text::fromCore(worst->global.module) + QLatin1Char('.') +
                                   text::fromCore(worst->global.name);
    switch (scan.verdict) {
    case Verdict::Inert:
        return scan.pickles == 0 ? QString() : PickleWords::tr("contain plain values only");
    case Verdict::UnknownClass:
        return name.isEmpty() ? PickleWords::tr("reference unknown classes")
                              : PickleWords::tr("reference the unknown class %1").arg(name);
    case Verdict::Malformed:
        return PickleWords::tr("are malformed");
    case Verdict::NotExamined:
        return PickleWords::tr("were not fully examined");
    case Verdict::Ambiguous:
        return PickleWords::tr("are ambiguous: readers interpret them differently");
    case Verdict::WouldRunCode:
        return name.isEmpty() ? PickleWords::tr("request code execution; nothing was run")
                              : PickleWords::tr("request to run %1; nothing was run").arg(name);
    }
    return {};
}

theme::Tone tone(const formats::CodeScan& scan) {
    switch (scan.verdict) {
    case Verdict::Inert:
    case Verdict::UnknownClass:
        return theme::Tone::Dim;
    case Verdict::WouldRunCode:
        return theme::Tone::Broken;
    default:
        return theme::Tone::Attention;
    }
}

} // namespace cairn::ui::words
