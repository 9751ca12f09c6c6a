// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/model_card.h"

#include "core/base/absolute_path.h"
#include "core/base/visible_text.h"
#include "core/jobs/record/model_origin.h"
#include "core/jobs/record/published_text.h"

#include <map>

namespace cairn {
namespace {

/// Escapes text for Markdown and its tables.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : visibleText(text)) {
        if (std::string_view("\\`*_{}[]<>#|!").find(c) != std::string_view::npos) {
            out += '\\';
        }
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

struct Sums {
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0;
    std::map<std::string_view, std::uint64_t> byDtype;
};

Sums sumsOf(const CopyPlan& plan) {
    Sums sums;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const std::uint64_t elements = elementCount(segment.box.extent).value_or(0);
            sums.elements += elements;
            sums.byDtype[dtypeName(segment.dtype)] += elements;
        }
    }
    sums.tensors = plan.outputTensors();
    return sums;
}

} // namespace

std::string modelCard(const CopyPlan& plan) {
    const Sums sums = sumsOf(plan);
    std::string text = frontMatter(modelOrigin(plan));
    text += "# " + plain(absolutePath(plan.output).filename().string()) + "\n\n";
    text += "Made with Cairn " CAIRN_VERSION " (`" + plan.job + "`) from " +
            plain(absolutePath(plan.source->path()).filename().string()) +
            ", a checkpoint of the format " + plain(plan.source->format()) + ".\n\n";
    text += "| | |\n| --- | --- |\n";
    text += "| tensors | " + std::to_string(sums.tensors) + " |\n";
    text += "| parameters | " + std::to_string(sums.elements) + " |\n";
    for (const auto& [dtype, elements] : sums.byDtype) {
        text += "| of these " + std::string(dtype) + " | " + std::to_string(elements) + " |\n";
    }
    text += "| bytes of weights and sidecars | " + std::to_string(plan.outputBytes()) + " |\n";
    text += "\n## How\n\n";
    for (const PlanDecision& decision : plan.decisions) {
        text += "- " + plain(decision.what().text()) + ": " +
                plain(publishedText(plan, decision.value)) +
                (decision.why.empty() ? "" : ". " + plain(publishedText(plan, decision.why))) +
                ".\n";
    }
    text += "\n## Checklist\n\n";
    for (const ChecklistItem& item : plan.checklist) {
        text += std::string("- [") + (item.ok ? "x" : " ") + "] " + plain(item.item().text()) +
                ": " + (item.checked ? "" : "not checked: ") +
                plain(publishedText(plan, item.detail)) + "\n";
    }
    text += "\n`MANIFEST.json` holds the SHA-256 of every file and tensor, and what they were made "
            "from; `cairn-cli verify` compares this folder with it.\n";
    return text;
}

} // namespace cairn
