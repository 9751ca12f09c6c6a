// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/command_text.h"

#include "core/base/other_machine.h"
#include "core/plan/request_words.h"

#include <QRegularExpression>
#include <QStringList>

namespace cairn::ui {
namespace {

QString localText(const std::string& text) {
    return QString::fromLocal8Bit(text.c_str()); // to be pasted: exactly the file's name
}

} // namespace

QString shellQuoted(const QString& word) {
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (harmless.match(word).hasMatch()) {
        return word;
    }
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

QString commandText(const std::vector<std::string>& words, const std::filesystem::path& from) {
    const bool isWhole = from.empty() || isOnOtherMachine(from); // where nobody can cd to
    const auto shown = [&](const std::string& text) {
        const std::filesystem::path path(text);
        const std::filesystem::path below = isWhole ? path : path.lexically_relative(from);
        return shellQuoted(
            localText(below.empty() || *below.begin() == ".." ? text : below.string()));
    };
    QStringList lines{QStringLiteral("cairn-cli")};
    bool foreign = false; // of the scheduler
    for (const std::string& word : words) {
        foreign = foreign || word == "--";
        if (foreign) {
            word == "--" ? void(lines << QStringLiteral("--"))
                         : void(lines.back() += QLatin1Char(' ') + shellQuoted(localText(word)));
            continue;
        }
        const bool option = word.starts_with("--");
        const std::size_t equal = option ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, equal);
        const std::string value = equal == std::string::npos ? "" : word.substr(equal + 1);
        if (!option) {
            lines.back() += QLatin1Char(' ') + shown(word);
        } else if (name == "--output") {
            lines << QStringLiteral("-o ") + shown(value);
        } else if (equal == std::string::npos || value.starts_with('-')) {
            lines << shellQuoted(localText(word));
        } else {
            const QString text = localText(name) + QLatin1Char(' ') + shellQuoted(localText(value));
            name == "--only" ? void(lines.back() += QLatin1Char(' ') + text) : void(lines << text);
        }
    }
    return lines.join(QStringLiteral(" \\\n  "));
}

QString commandText(const JobRequest& request, const std::filesystem::path& from) {
    return commandText(requestWords(absoluteRequest(request)), from);
}

} // namespace cairn::ui
