#include "core/table/level_places.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/doubles.h"
#include "support/frames.h"

namespace dp::test::level_places_test {
namespace {

TEST(LevelPlaces, AreThoseOfTextsAndOfNoOthers) {
  std::vector<std::string> rows{"b", "", "a", "a ", "A", "c"};
  const ColumnPtr texts = make_column(AtomType::string, rows);
  const Doubles places = doubles_in(places_of_texts(*texts, {"a", "b", ""}));
  const Doubles expected{1, 2, 0, kNaN, kNaN, kNaN};
  ASSERT_EQ(places.size(), expected.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_TRUE(places[i] == expected[i] || (std::isnan(places[i]) && std::isnan(expected[i])))
        << i;
  }
}

TEST(LevelPlaces, OfAMissingTextThereIsNoneWhateverStandsThere) {
  auto rows = std::make_shared<OwnedColumn<std::string>>(AtomType::string, 3000);
  for (std::size_t i = 0; i < 3000; ++i) {
    rows->cells()[i] = rows->keep("a");
    if (i % 3 == 0) rows->valid()[i] = 0;
  }
  const Doubles places = doubles_in(places_of_texts(*rows, {"a", "b"}));
  for (std::size_t i = 0; i < 3000; ++i) EXPECT_EQ(std::isnan(places[i]), i % 3 == 0) << i;
}

}  // namespace
}  // namespace dp::test::level_places_test
