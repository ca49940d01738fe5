// Errors are matched by kind; their wording is for people.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace dp::test {

// Fails unless `body` throws an Error of `kind`. Returns its sentence.
template <class F>
std::string expect_error(ErrorKind kind, F&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_STREQ(name(error.kind()), name(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error; expected " << name(kind);
  return "";
}

}  // namespace dp::test
