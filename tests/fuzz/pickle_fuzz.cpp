// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"
#include "core/codec/pickle/scan.h"
#include "core/formats/common/torch/pickle_image.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

/// Parsed without the contents of its long byte strings, a pickle gives the same result or the same
/// error at the same position.
void compareWithImage(std::span<const std::byte> bytes) {
    using namespace cairn;
    const auto image = formats::PickleImage::read(
        makeMemorySource({bytes.begin(), bytes.end()}, "pickle"), {0, bytes.size()});
    if (!image) {
        std::abort();
    }
    const pickle::PickleRun whole = pickle::runPickle(bytes);
    const pickle::PickleRun part = pickle::runPickle((*image)->bytes());
    const bool same = whole.error.has_value() == part.error.has_value() &&
                      whole.graph.consumed() == part.graph.consumed() &&
                      whole.graph.storedNodes() == part.graph.storedNodes() &&
                      (!whole.error || (whole.error->code == part.error->code &&
                                        whole.error->where.offset == part.error->where.offset));
    if (!same) {
        std::abort();
    }
}

} // namespace

/// Whatever the bytes are: the interpreter terminates, its memory is linear in their number, and
/// every node can be queried.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn::pickle;
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    for (const bool lenient : {false, true}) {
        const PickleRun run = runPickle(bytes, {.lenient = lenient, .onBuilt = {}});
        const PickleGraph& graph = run.graph;
        if (graph.memoryBytes() > 64 * (size + 1024) || graph.consumed() > size) {
            std::abort();
        }
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < graph.storedNodes(); ++i) {
            const NodeId id{static_cast<std::uint32_t>(i)};
            sum += graph.bytes(id).size() + graph.items(id).size() + graph.pairs(id).size() +
                   graph.states(id).size() + static_cast<std::uint64_t>(graph.integer(id)) +
                   graph.global(id).name.size() + graph.state(id).value + graph.kwargs(id).value;
            if (graph.bytes(id).size() > 4 * size + 16) {
                std::abort();
            }
            sum += graph.number(id) > 0 ? 1 : 0;
            sum += i < 64 ? graph.integerText(id).size() : 0;
        }
        std::size_t visited = 0;
        forEachReachable(graph, graph.root(), [&](NodeId) { return ++visited > 0; });
        volatile std::uint64_t sink = sum;
        (void)sink;
    }
    (void)scanPickle(bytes);
    compareWithImage(bytes);
    return 0;
}
