// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The verbs of cairn-cli within the test, which is cheaper than a process for each of a thousand
/// documents.
namespace cairn::ui::test {

/// What `cairn-cli VERB PATHS OPTIONS --json` writes; options are (long name, value) pairs, with an
/// empty value for switches. Empty if the verb fails.
inline QJsonObject
verbDocument(std::string_view name, const std::vector<std::string>& paths,
             const std::vector<std::pair<std::string, std::string>>& options = {}) {
    const auto verbs = cli::allVerbs();
    const auto verb = std::ranges::find(verbs, name, &cli::Verb::name);
    if (verb == verbs.end()) {
        return {};
    }
    const auto arguments = cli::namedArguments(**verb, paths, options);
    if (!arguments) {
        return {};
    }
    cli::Session session;
    session.json = true;
    session.out.keepInMemory();
    session.onMessage = [](std::string_view) {};
    if (!cli::runVerb(**verb, *arguments, session)) {
        return {};
    }
    return QJsonDocument::fromJson(QByteArray::fromStdString(session.out.take())).object();
}

} // namespace cairn::ui::test
