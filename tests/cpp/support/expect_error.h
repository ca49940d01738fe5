// Tests match errors by kind; the wording is for people.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace dp::test {

namespace detail {

// Implements expect_error() for any type of `body`, which `call` calls.
std::string expect_error(ErrorKind kind, void (*call)(const void*), const void* body);

}  // namespace detail

// Fails unless `body` throws an Error of `kind`. Returns its sentence.
template <class F>
std::string expect_error(ErrorKind kind, const F& body) {
  const auto call = [](const void* f) { (*static_cast<const F*>(f))(); };
  return detail::expect_error(kind, call, &body);
}

}  // namespace dp::test
