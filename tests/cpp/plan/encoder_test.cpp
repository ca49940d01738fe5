#include "core/plan/encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

namespace dp::encoder_test {
namespace {

Digest digest_of(const std::function<void(Encoder&)>& write) {
  Encoder out;
  write(out);
  return out.digest();
}

TEST(Encoder, WhatDiffersHasOtherBytes) {
  using Form = Encoder::Form;
  const std::vector<std::function<void(Encoder&)>> values{
      [](Encoder&) {},
      [](Encoder& out) { out.begin(Form::nothing, 0); },
      [](Encoder& out) { out.begin(Form::list, 0); },
      [](Encoder& out) { out.begin(Form::list, 1); },
      [](Encoder& out) { out.put(std::string_view("ab")); },
      [](Encoder& out) {
        out.put(std::string_view("a"));
        out.put(std::string_view("b"));
      },
      [](Encoder& out) { out.put(0.0); },
      [](Encoder& out) { out.put(-0.0); },
      [](Encoder& out) { out.put(1.0); },
      [](Encoder& out) { out.put(std::uint64_t{1}); },
      [](Encoder& out) { out.put(std::nan("")); },
      [](Encoder& out) { out.put_missing(); },
      [](Encoder& out) { out.put(Digest{}); },
  };
  std::set<Digest> digests;
  for (const auto& write : values) digests.insert(digest_of(write));
  EXPECT_EQ(digests.size(), values.size());
}

TEST(Encoder, AllNaNsAreOne) {
  const auto bits = [](double value) { return digest_of([=](Encoder& out) { out.put(value); }); };
  EXPECT_EQ(bits(std::nan("1")), bits(-std::nan("7")));
  EXPECT_NE(bits(std::nan("1")), bits(std::numeric_limits<double>::infinity()));
}

// These bytes are part of every ledger and receipt, and never change.
TEST(Encoder, HasTheDocumentedBytes) {
  const Digest digest = digest_of([](Encoder& out) {
    out.put(std::string_view("step"));
    out.begin(Encoder::Form::number, 1);
    out.put(0.5);
  });
  std::string bytes("\4\0\0\0\0\0\0\0step", 12);
  bytes += std::string("d\1\0\0\0\0\0\0\0", 9);
  bytes += std::string("\0\0\0\0\0\0\xe0\x3f", 8);
  EXPECT_EQ(digest, sha256(bytes));
}

}  // namespace
}  // namespace dp::encoder_test
