#include "support/expect_error.h"

namespace dp::test::detail {

std::string expect_error(ErrorKind kind, void (*call)(const void*), const void* body) {
  try {
    call(body);
  } catch (const Error& error) {
    EXPECT_STREQ(name(error.kind()), name(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error; expected " << name(kind);
  return "";
}

}  // namespace dp::test::detail
