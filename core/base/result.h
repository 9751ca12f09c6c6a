// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <tl/expected.hpp>

#include <type_traits>
#include <utility>

namespace cairn {

/// A value or an Error. Every function that can fail because of input, files or the system returns
/// one.
template <class T> class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using Base = tl::expected<T, Error>;
    using Base::Base;
    Result(Error error) : Base(tl::make_unexpected(std::move(error))) {}
    Result(Base&& base) : Base(std::move(base)) {}

    /// The Result of `next` on the value, or this error: tl's own takes no derived Result.
    template <class F> auto and_then(F&& next) const& -> std::invoke_result_t<F, const T&> {
        if (!this->has_value()) {
            return this->error();
        }
        return std::forward<F>(next)(**this);
    }
    template <class F> auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
        if (!this->has_value()) {
            return std::move(*this).error();
        }
        return std::forward<F>(next)(*std::move(*this));
    }
};

template <> class [[nodiscard]] Result<void> : public tl::expected<void, Error> {
public:
    using Base = tl::expected<void, Error>;
    using Base::Base;
    Result() = default;
    Result(Error error) : Base(tl::make_unexpected(std::move(error))) {}
    Result(Base&& base) : Base(std::move(base)) {}
};

#define CAIRN_CONCAT_INNER(a, b) a##b
#define CAIRN_CONCAT(a, b) CAIRN_CONCAT_INNER(a, b)

/// CAIRN_TRY(auto header, readHeader(source)); returns the error, or declares `header`.
#define CAIRN_TRY(declaration, expression)                                                         \
    CAIRN_TRY_INNER(declaration, expression, CAIRN_CONCAT(cairnTry, __LINE__))
#define CAIRN_TRY_INNER(declaration, expression, name)                                             \
    auto name = (expression);                                                                      \
    if (!name) {                                                                                   \
        return std::move(name).error();                                                            \
    }                                                                                              \
    declaration = std::move(*name)

/// CAIRN_CHECK(validate(plan)); returns the error of a Result whose value is not needed.
#define CAIRN_CHECK(expression)                                                                    \
    do {                                                                                           \
        if (auto cairnCheck = (expression); !cairnCheck) {                                         \
            return std::move(cairnCheck).error();                                                  \
        }                                                                                          \
    } while (false)

} // namespace cairn
