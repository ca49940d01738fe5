// T-NBR in the long tier: 1e5 random queries, on five pairs of neighbours each.
#include <gtest/gtest.h>

#include "query/neighbour_fuzz.h"

namespace dp::test::query_neighbours_long_test {
namespace {

TEST(QueryNeighboursLong, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found = NeighbourFuzz(count_with_kernel, claim_of_map).run(11, 100000, 5);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.plans, 100000);
  EXPECT_EQ(found.reached.size(), RandomStatements::kDrawnKinds);
}

}  // namespace
}  // namespace dp::test::query_neighbours_long_test
