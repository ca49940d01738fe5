#include "core/engine/stage.h"

#include <gtest/gtest.h>

namespace dp::test::stage_test {
namespace {

// A reducer with the default ranges.
class Plain final : public Reducer {
 public:
  struct Part final : Partial {
    void update(const Batch& batch) override { rows += batch.size; }
    void merge(Partial&& later) override { rows += static_cast<const Part&>(later).rows; }
    std::size_t rows = 0;
  };
  std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Part>(); }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    return Scalar(std::uint64_t{static_cast<const Part&>(*merged(std::move(parts))).rows});
  }
};

TEST(Reducer, RangesCoverAllRowsInOrder) {
  for (const std::size_t n : {0, 1, 1024, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 1000000}) {
    const auto ends = Plain().cuts(n);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      EXPECT_LT(begin, end);
      begin = end;
    }
    EXPECT_EQ(begin, n);
    EXPECT_EQ(ends.empty(), n == 0);
  }
}

TEST(Reducer, NoRowsGiveAFreshPartial) {
  const Value out = Plain().finish({}, 0);
  EXPECT_EQ(std::get<std::uint64_t>(*out.as<Scalar>()), 0u);
}

TEST(Reducer, PartsAreMergedIntoTheFirst) {
  std::vector<std::unique_ptr<Partial>> parts;
  for (const std::size_t rows : {3, 4, 5}) {
    parts.push_back(Plain().start(rows));
    parts.back()->update(Batch{nullptr, nullptr, rows});
  }
  const Value out = Plain().finish(std::move(parts), 12);
  EXPECT_EQ(std::get<std::uint64_t>(*out.as<Scalar>()), 12u);
}

}  // namespace
}  // namespace dp::test::stage_test
