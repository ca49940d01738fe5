#include "support/test_registration.h"

namespace dp::test {
namespace {

class RegisteredTest : public testing::Test {
 public:
  explicit RegisteredTest(void (*body)()) : body_(body) {}

 private:
  void TestBody() override { body_(); }

  void (*body_)();
};

}  // namespace

testing::TestInfo* register_test(
    const char* suite, const char* name, const char* file, int line, void (*body)()) {
  const auto make = [body]() -> testing::Test* { return new RegisteredTest(body); };
  return testing::RegisterTest(suite, name, nullptr, nullptr, file, line, make);
}

}  // namespace dp::test
