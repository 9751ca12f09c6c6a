// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/error_text.h"

#include "ui/text/core_text.h"
#include "ui/text/error_log.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace cairn::ui::text {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::text)
};

QString lineOf(const Sentence& text) {
    QString line = coreText(text).trimmed();
    if (!line.isEmpty() && !line.endsWith(QLatin1Char('.')) && !line.endsWith(QLatin1Char('?'))) {
        line += QLatin1Char('.');
    }
    return line;
}

QString place(const Where& where) {
    QStringList parts;
    if (!where.file.empty()) {
        parts << fromCore(where.file);
    }
    if (!where.tensor.empty()) {
        parts << Words::tr("tensor %1").arg(fromCore(where.tensor));
    }
    if (!where.field.empty()) {
        parts << Words::tr("field %1").arg(fromCore(where.field));
    }
    if (where.offset) {
        parts << Words::tr("at byte %1").arg(count(*where.offset));
    }
    return parts.join(QStringLiteral(", "));
}

QString foundAndExpected(const Error& error) {
    const QString found = coreText(error.found);
    const QString expected = coreText(error.expected);
    if (!found.isEmpty() && !expected.isEmpty()) {
        return Words::tr("Found %1, expected %2.").arg(found, expected);
    }
    if (!found.isEmpty()) {
        return Words::tr("Found %1.").arg(found);
    }
    return expected.isEmpty() ? QString() : Words::tr("Expected %1.").arg(expected);
}

QString joined(QStringList lines) {
    lines.removeAll(QString());
    return lines.join(QLatin1Char(' '));
}

} // namespace

QString meaning(ErrorCode code) {
    switch (code) {
    case ErrorCode::MissingShard:
        return Words::tr("Tensors stored in it are incomplete; everything else can be read.");
    case ErrorCode::DcpNoMetadata:
        return Words::tr("It is still being written, or it was copied without hidden files.");
    case ErrorCode::Truncated:
    case ErrorCode::ZeroFilled:
    case ErrorCode::EmptyFile:
        return Words::tr("The usual cause is a full disk or a killed job.");
    case ErrorCode::WouldRunCode:
        return Words::tr("It is shown as data only; no code was run.");
    case ErrorCode::LfsPointer:
        return Words::tr("The data was never downloaded: this is a Git LFS pointer file.");
    case ErrorCode::HtmlPage:
        return Words::tr("The download saved an error or login page instead of the file.");
    case ErrorCode::BeingWritten:
        return Words::tr("It can be opened once the training job has finished saving it.");
    case ErrorCode::ChangedOnDisk:
        return Words::tr("The data read before is out of date; refresh to read it again.");
    case ErrorCode::EditInterrupted:
        return Words::tr(
            "An edit of its header was interrupted; the backup next to the file can restore it.");
    case ErrorCode::VerifyMismatch:
        return Words::tr("The output was removed; the source is untouched.");
    default:
        return {};
    }
}

QString briefly(const Error& error) {
    return joined({lineOf(error.message), foundAndExpected(error), lineOf(error.hint)});
}

ErrorWords describe(const Error& error) {
    logError(error);
    QString where = place(error.where);
    if (!where.isEmpty()) {
        where += QLatin1Char('.');
    }
    return {coreText(error.message),
            joined({where, foundAndExpected(error), meaning(error.code), lineOf(error.hint)})};
}

ErrorWords describe(const PlanProblem& problem) {
    const bool named = !problem.where.file.empty() &&
                       problem.message.text().find(problem.where.file) != std::string::npos;
    QString where = named ? QString() : place(problem.where);
    if (!where.isEmpty()) {
        where += QLatin1Char('.');
    }
    return {coreText(problem.message), joined({where, lineOf(problem.fix)})};
}

Remedy remedy(ErrorCode code) {
    switch (code) {
    case ErrorCode::NotFound:
    case ErrorCode::Io:
    case ErrorCode::BeingWritten:
    case ErrorCode::DcpNoMetadata:
    case ErrorCode::ChangedOnDisk:
    case ErrorCode::Truncated:
        return Remedy::Retry;
    case ErrorCode::OutputExists:
    case ErrorCode::NoSpace:
    case ErrorCode::QuotaExceeded:
    case ErrorCode::ReadOnlyFileSystem:
    case ErrorCode::WriteFailed:
    case ErrorCode::OutputIsInput:
        return Remedy::ChooseOtherFolder;
    case ErrorCode::PermissionDenied:
        return Remedy::CopyChmod;
    case ErrorCode::MissingShard:
    case ErrorCode::CoverageHole:
        return Remedy::ShowReadable;
    default:
        return Remedy::None;
    }
}

} // namespace cairn::ui::text
