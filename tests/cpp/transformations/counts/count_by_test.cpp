#include "core/transformations/counts/count_by.h"

#include <gtest/gtest.h>

#include <map>

#include "core/combinators/chain.h"
#include "core/data/coded_text.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/counts/count_distinct.h"
#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::count_by_test {
namespace {

Transformation count_by(AtomType type, AtomType value = AtomType::i32) {
  return make_count_by(vector_of(default_atom(type)), symmetric_distance(), value);
}

template <class K, class V = std::int32_t>
std::vector<std::pair<K, V>> entries(const Value& value) {
  const Map& map = *map_in(value);
  const auto keys = to_dataset<K>(map.keys);
  const auto values = to_dataset<V>(map.values);
  std::vector<std::pair<K, V>> out;
  for (std::size_t i = 0; i < keys.size(); ++i) out.emplace_back(*keys[i], *values[i]);
  return out;
}

TEST(CountBy, CountsEachValueThatOccurs) {
  const auto t = count_by(AtomType::boolean);
  const Dataset<bool> data = {true, true, true, false, true, false, false, false, true, true};
  EXPECT_EQ((entries<bool>(t.invoke(to_value(AtomType::boolean, data)))),
            (std::vector<std::pair<bool, std::int32_t>>{{false, 4}, {true, 6}}));
  EXPECT_TRUE(entries<bool>(t.invoke(to_value<bool>(AtomType::boolean, {}))).empty());
}

TEST(CountBy, D_CTL_1_KeysAreSortedWhateverTheOrderOfTheData) {
  const auto t = count_by(AtomType::string);
  Dataset<std::string> data;
  for (int i = 0; i < 300; ++i) data.emplace_back("key " + std::to_string(i * 7 % 40));
  const auto first = entries<std::string>(t.invoke(to_value(AtomType::string, data)));
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  std::reverse(data.begin(), data.end());
  EXPECT_EQ(entries<std::string>(t.invoke(to_value(AtomType::string, data))), first);
}

TEST(CountBy, DoesNotDependOnThreadsOrCopies) {
  std::vector<std::int64_t> rows(600000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i % 997) - 500;
  const auto t = count_by(AtomType::i64);
  std::vector<std::pair<std::int64_t, std::int32_t>> expected;
  for (int i = 0; i < 997; ++i) expected.emplace_back(i - 500, 601 + (i < 803 ? 1 : 0));
  for (const std::size_t threads : {1, 3}) {
    const ScopedThreads scoped(threads);
    const ColumnPtr in_place = make_column(AtomType::i64, rows);
    EXPECT_EQ(entries<std::int64_t>(t.invoke(in_place)), expected);
    EXPECT_EQ(entries<std::int64_t>(t.invoke(ColumnPtr(std::make_shared<CopiedColumn>(in_place)))),
              expected);
  }
}

// Strings with one code per row, where codes 3 and 4 share one string. Reading the string fails.
class Coded final : public Column, public CodedText {
 public:
  explicit Coded(std::vector<std::uint64_t> codes) : codes_(std::move(codes)) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return codes_.size(); }
  bool concurrent() const override { return false; }
  Batch read(std::size_t, std::size_t, BatchBuffer&) const override {
    throw std::logic_error("text was read row by row");
  }
  const CodedText* coded() const override { return this; }
  ColumnPtr codes() const override { return make_column(AtomType::usize, codes_); }
  Texts texts(const std::vector<std::uint64_t>& codes, BatchBuffer& buffer) const override {
    Texts texts{{}, false};
    for (const std::uint64_t code : codes) {
      texts.views.push_back(buffer.keep("key " + std::to_string(code == 4 ? 3 : code)));
    }
    return texts;
  }

 private:
  std::vector<std::uint64_t> codes_;
};

TEST(CountBy, CodedTextIsReadOnceForEachCodeAndEqualTextIsJoined) {
  for (const std::size_t threads : {1, 3}) {
    const ScopedThreads scoped(threads);
    for (const std::size_t distinct : {10, 20000}) {
      std::vector<std::uint64_t> codes(600000);
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i % distinct;
      const ColumnPtr rows = std::make_shared<Coded>(codes);
      std::map<std::string, std::int32_t> expected;
      for (const std::uint64_t code : codes) {
        ++expected["key " + std::to_string(code == 4 ? 3 : code)];
      }
      const auto found = entries<std::string>(count_by(AtomType::string).invoke(rows));
      EXPECT_TRUE(std::equal(
          found.begin(),
          found.end(),
          expected.begin(),
          expected.end(),
          [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
      const auto distinct_texts = make_count_distinct(
          vector_of(default_atom(AtomType::string)), symmetric_distance(), AtomType::i32);
      EXPECT_EQ(element_in<std::int32_t>(distinct_texts.invoke(rows)),
                static_cast<std::int32_t>(distinct - 1));
      const auto categories = make_count_by_categories(vector_of(default_atom(AtomType::string)),
                                                       symmetric_distance(),
                                                       {std::string("key 3"), std::string("key x")},
                                                       true,
                                                       l1_distance(AtomType::i32),
                                                       AtomType::i32);
      const std::int32_t threes = expected["key 3"];
      EXPECT_EQ(to_dataset<std::int32_t>(categories.invoke(rows)),
                (Dataset<std::int32_t>{threes, 0, 600000 - threes}));
    }
  }
}

TEST(CountBy, D_INT_1_SaturatesWhereTheTypeEnds) {
  const auto t = count_by(AtomType::i32, AtomType::u8);
  const Dataset<std::int32_t> data(300, 5);
  EXPECT_EQ((entries<std::int32_t, std::uint8_t>(t.invoke(to_value(AtomType::i32, data)))),
            (std::vector<std::pair<std::int32_t, std::uint8_t>>{{5, 255}}));
}

TEST(CountBy, HasTheSpaceThatThresholdsTake) {
  const auto t = count_by(AtomType::string);
  EXPECT_EQ(t.output_metric(),
            l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i32)));
  EXPECT_EQ(debug(t.output_domain()),
            "MapDomain { key_domain: AtomDomain(T=String), value_domain: AtomDomain(T=i32) }");
  EXPECT_EQ(debug(t.map(Distance(Scalar(std::uint32_t{6})))), "(6, 6, 6)");
}

TEST(CountBy, RefusesWhatItMust) {
  expect_error(ErrorKind::type, [] { count_by(AtomType::f64); });
  expect_error(ErrorKind::type, [] { count_by(AtomType::i32, AtomType::f64); });
  expect_error(ErrorKind::type, [] { count_by(AtomType::i32, AtomType::i128); });
  const Domain ints = vector_of(default_atom(AtomType::i32));
  expect_error(ErrorKind::type,
               [&] { make_count_by(ints, insert_delete_distance(), AtomType::i32); });
  expect_error(ErrorKind::type, [&] {
    make_count_by(ints,
                  symmetric_distance(),
                  AtomType::i32,
                  l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64)));
  });
  expect_error(ErrorKind::failed_cast,
               [] { count_by(AtomType::i32).map(Distance(Scalar(std::uint32_t{2147483648}))); });
}

// Triple of the differences between two maps. A key without a count counts as 0.
std::vector<std::int64_t> triple(const Value& a, const Value& b) {
  std::map<std::int32_t, std::int64_t> difference;
  for (const auto& [key, count] : entries<std::int32_t>(a)) difference[key] += count;
  for (const auto& [key, count] : entries<std::int32_t>(b)) difference[key] -= count;
  std::vector<std::int64_t> out(3);
  for (const auto& [key, delta] : difference) {
    out[0] += delta == 0 ? 0 : 1;
    out[1] += std::abs(delta);
    out[2] = std::max(out[2], std::abs(delta));
  }
  return out;
}

// Whether `value` has the types of the output domain, and each key once, in increasing order.
bool in_domain(const Transformation& t, const Value& value) {
  if (!has_carrier(value, t.output_domain())) return false;
  const auto all = entries<std::int32_t>(value);
  return std::adjacent_find(all.begin(), all.end(), [](const auto& a, const auto& b) {
           return a.first >= b.first;
         }) == all.end();
}

// Whether the map covers all tested neighbours, and all results are in the output domain. Also
// counts how often each part of the map is attained.
bool covers(const Transformation& t, std::vector<int>* tight) {
  const auto datasets = all_datasets<std::int32_t>({1, 2, 3}, 4);
  std::vector<Value> results;
  for (const auto& data : datasets) {
    results.push_back(t.invoke(to_value(AtomType::i32, data)));
    if (!in_domain(t, results.back())) return false;
  }
  for (std::size_t x = 0; x < datasets.size(); ++x) {
    for (std::size_t y = 0; y < datasets.size(); ++y) {
      const auto d_in = static_cast<std::uint32_t>(symmetric(datasets[x], datasets[y]));
      if (d_in > 3) continue;
      const Distance claim = t.map(Distance(Scalar(d_in)));
      const auto measured = triple(results[x], results[y]);
      for (std::size_t i = 0; i < 3; ++i) {
        const Scalar& part = *(*claim.as<Distance::Tuple>())[i].as<Scalar>();
        const auto claimed = std::visit(
            [](const auto& number) {
              using N = std::decay_t<decltype(number)>;
              if constexpr (std::is_same_v<N, std::string>) {
                return std::int64_t{-1};
              } else {
                return static_cast<std::int64_t>(number);
              }
            },
            part);
        if (measured[i] > claimed) return false;
        if (d_in > 0 && measured[i] == claimed) ++(*tight)[i];
      }
    }
  }
  return true;
}

TEST(CountBy, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto t = count_by(AtomType::i32);
  std::vector<int> tight(3);
  EXPECT_TRUE(covers(t, &tight));
  for (const int times : tight) EXPECT_GT(times, 0);
  for (std::size_t part = 0; part < 3; ++part) {
    const auto mutant = with_map(t, [&](const Distance& d_in) {
      auto parts = *t.map(d_in).as<Distance::Tuple>();
      const std::uint32_t less = number_in<std::uint32_t>(d_in) / 2;
      parts[part] = part == 0 ? Scalar(less) : Scalar(static_cast<std::int32_t>(less));
      return Distance(parts);
    });
    EXPECT_FALSE(covers(mutant, &tight)) << part;
  }
  const auto twice = with_function(t, whole_function([t](const Value& rows) -> Value {
                                     auto data = to_dataset<std::int32_t>(rows);
                                     for (auto& x : Dataset<std::int32_t>(data)) data.push_back(x);
                                     return t.function()(to_value(AtomType::i32, data));
                                   }));
  EXPECT_FALSE(covers(twice, &tight));
  const auto wide = with_function(t, count_by(AtomType::i32, AtomType::i64).function());
  EXPECT_FALSE(covers(wide, &tight));
  // Mutant: keys in order of appearance.
  const auto unsorted = with_function(
      t, whole_function([t](const Value& rows) -> Value {
        const MapPtr map = map_in(t.function()(rows));
        auto keys = to_dataset<std::int32_t>(map->keys);
        auto counts = to_dataset<std::int32_t>(map->values);
        std::reverse(keys.begin(), keys.end());
        std::reverse(counts.begin(), counts.end());
        return MapPtr(std::make_shared<Map>(
            Map{rows_in(to_value(AtomType::i32, keys)), rows_in(to_value(AtomType::i32, counts))}));
      }));
  EXPECT_FALSE(covers(unsorted, &tight));
}

TEST(CountBy, PlainDistancesHaveOneNumber) {
  for (const Metric& metric : {l1_distance(AtomType::i32), l2_distance(AtomType::f64)}) {
    const auto t = make_count_by(
        vector_of(default_atom(AtomType::i32)), symmetric_distance(), AtomType::i32, metric);
    const std::string six = debug(t.map(Distance(Scalar(std::uint32_t{6}))));
    EXPECT_EQ(six, metric.kind == MetricKind::l1 ? "6" : "6.0");
  }
}

TEST(CountBy, D_SEN_1_AReplacedRowMovesTwoCountsByOneEach) {
  const Metric metric = change_one_distance();
  const Domain rows = vector_of(default_atom(AtomType::i32), 3);
  const auto t = make_count_by(rows, metric, AtomType::i32);
  EXPECT_EQ(debug(t.map(Distance(Scalar(std::uint32_t{2})))), "(4, 4, 2)");
  const auto total = make_count_by(rows, metric, AtomType::i32, l1_distance(AtomType::i32));
  EXPECT_EQ(debug(total.map(Distance(Scalar(std::uint32_t{2})))), "4");
  // 1 1 2 and 1 1 3 differ in the count of 2 and in the count of 3.
  const auto before =
      entries<std::int32_t>(t.invoke(to_value<std::int32_t>(AtomType::i32, {1, 1, 2})));
  const auto after =
      entries<std::int32_t>(t.invoke(to_value<std::int32_t>(AtomType::i32, {1, 1, 3})));
  EXPECT_EQ(before, (std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}, {2, 1}}));
  EXPECT_EQ(after, (std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}, {3, 1}}));
}

}  // namespace
}  // namespace dp::test::count_by_test
