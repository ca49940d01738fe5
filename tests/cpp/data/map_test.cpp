#include "core/data/map.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/data/membership.h"
#include "support/expect_error.h"

namespace dp::test::map_test {
namespace {

template <class T>
std::vector<T> cells(const ColumnPtr& rows) {
  BatchBuffer buffer;
  const auto* cell = rows->read(0, rows->size(), buffer).template as<T>();
  return std::vector<T>(cell, cell + rows->size());
}

MapPtr map_of(const std::vector<std::string>& keys, const std::vector<std::int32_t>& values) {
  return sorted_map(*make_column(AtomType::string, keys), *make_column(AtomType::i32, values));
}

TEST(SortedMap, LooksTheSameInWhateverOrderItWasFilled) {
  for (const MapPtr& map :
       {map_of({"b", "", "a", "B"}, {1, 2, 3, 4}), map_of({"B", "a", "b", ""}, {4, 3, 1, 2})}) {
    EXPECT_EQ(cells<std::int32_t>(map->values), (std::vector<std::int32_t>{2, 4, 3, 1}));
    const auto keys = cells<std::string>(map->keys);
    EXPECT_EQ(keys, (std::vector<std::string>{"", "B", "a", "b"}));
  }
}

TEST(SortedMap, HoldsManyEntriesOfAnyType) {
  std::vector<std::int64_t> keys(5000);
  std::vector<std::string> values(5000);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = 2500 - static_cast<std::int64_t>(i);
    values[i] = std::to_string(keys[i]);
  }
  const MapPtr map =
      sorted_map(*make_column(AtomType::i64, keys), *make_column(AtomType::string, values));
  const auto sorted = cells<std::int64_t>(map->keys);
  const auto texts = cells<std::string>(map->values);
  ASSERT_EQ(sorted.size(), keys.size());
  ASSERT_EQ(texts.size(), keys.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    EXPECT_EQ(sorted[i], static_cast<std::int64_t>(i) - 2499);
    EXPECT_EQ(texts[i], std::to_string(sorted[i]));
  }
  EXPECT_EQ(map_of({}, {})->keys->size(), 0u);
}

TEST(SortedMap, RefusesWhatIsNoMap) {
  expect_error(ErrorKind::failed_function, [] { map_of({"a", "b", "a"}, {1, 2, 3}); });
  expect_error(ErrorKind::failed_function, [] { map_of({"a", "b"}, {1}); });
  auto nulls = std::make_shared<OwnedColumn<std::int32_t>>(AtomType::i32, 2);
  nulls->valid()[1] = 0;
  expect_error(ErrorKind::failed_function, [&] {
    sorted_map(*nulls, *make_column(AtomType::i32, std::vector<std::int32_t>{1, 2}));
  });
  expect_error(ErrorKind::type, [] {
    const ColumnPtr floats = make_column(AtomType::f64, std::vector<double>{1.0});
    sorted_map(*floats, *floats);
  });
}

Domain map_domain(AtomDomain key, AtomDomain value) {
  return MapDomain{std::make_shared<const Domain>(std::move(key)),
                   std::make_shared<const Domain>(std::move(value))};
}

TEST(SortedMap, IsCarriedByItsDomainOnly) {
  const auto domain = [](AtomType key, AtomType value) {
    return map_domain(non_nan_atom(key), non_nan_atom(value));
  };
  const Value map = map_of({"a"}, {1});
  EXPECT_TRUE(has_carrier(map, domain(AtomType::string, AtomType::i32)));
  EXPECT_FALSE(has_carrier(map, domain(AtomType::string, AtomType::i64)));
  EXPECT_FALSE(has_carrier(map, domain(AtomType::i32, AtomType::i32)));
  EXPECT_FALSE(has_carrier(Scalar(1), domain(AtomType::i32, AtomType::i32)));
}

TEST(SortedMap, IsAMemberIfAllKeysAndAllValuesAre) {
  const AtomDomain one_to_three = closed_atom(AtomType::i32, Scalar(1), Scalar(3));
  const AtomDomain texts = non_nan_atom(AtomType::string);
  EXPECT_TRUE(member(map_domain(texts, one_to_three), map_of({"a", "b"}, {1, 3})));
  EXPECT_TRUE(member(map_domain(texts, one_to_three), map_of({}, {})));
  EXPECT_FALSE(member(map_domain(texts, one_to_three), map_of({"a", "b"}, {1, 4})));
  const ColumnPtr keys = make_column(AtomType::i32, std::vector<std::int32_t>{1, 4});
  const ColumnPtr values = make_column(AtomType::string, std::vector<std::string>{"a", "b"});
  EXPECT_FALSE(member(map_domain(one_to_three, texts), sorted_map(*keys, *values)));
  expect_error(ErrorKind::failed_cast,
               [&] { member(map_domain(texts, texts), map_of({"a"}, {1})); });
}

}  // namespace
}  // namespace dp::test::map_test
