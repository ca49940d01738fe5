#include "core/engine/any_size.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/resize.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::any_size_test {
namespace {

Domain sized(std::uint64_t size) {
  return vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(9)), size);
}

Value rows(std::size_t size) { return to_value(AtomType::i32, Dataset<std::int32_t>(size, 4)); }

Transformation resize_after_clamp(const Metric& metric) {
  const auto clamp = make_clamp(sized(3), metric, {Scalar(1), Scalar(5)});
  return make_chain_tt(make_resize(clamp.output_domain(), metric, 3, Scalar(1), metric), clamp);
}

TEST(AnySize, ResizeTakesAnyNumberOfRowsWhereItIsPublic) {
  const auto t = resize_after_clamp(change_one_distance());
  for (const std::size_t size : {0, 2, 3, 7}) {
    EXPECT_EQ(to_dataset<std::int32_t>(t.invoke(rows(size))).size(), 3u);
  }
}

TEST(AnySize, WithoutResizeOrWhereNeighboursDifferInSizeTheDeclaredOneIsEnforced) {
  const auto clamp = make_clamp(sized(3), change_one_distance(), {Scalar(1), Scalar(5)});
  EXPECT_NO_THROW(clamp.invoke(rows(3)));
  expect_error(ErrorKind::failed_function, [&] { clamp.invoke(rows(2)); });
  const auto unbounded = resize_after_clamp(symmetric_distance());
  EXPECT_NO_THROW(unbounded.invoke(rows(3)));
  expect_error(ErrorKind::failed_function, [&] { unbounded.invoke(rows(4)); });
}

}  // namespace
}  // namespace dp::test::any_size_test
