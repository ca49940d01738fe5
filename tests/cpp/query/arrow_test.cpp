#include "core/query/arrow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/error.h"
#include "query/arrow_arrays.h"
#include "support/expect_error.h"

namespace dp::test::arrow_test {
namespace {

using namespace dp::query;  // NOLINT: this file speaks its language
using Kind = QueryColumn::Kind;

QueryRows read(ArrowMade& batch, const std::vector<std::string>& names) {
  const ArrowColumns columns(batch.schema, names);
  ArrowGathered gathered = columns.none();
  columns.add(batch.array, gathered);
  return columns.rows(gathered);
}

template <class T>
std::vector<T> cells(const QueryRows& rows, const std::string& name) {
  const auto* first = static_cast<const T*>(rows.find(name)->cells);
  return {first, first + rows.size()};
}

// Strings of a column, with "-" for missing values.
std::vector<std::string> texts(const QueryRows& rows, const std::string& name) {
  const QueryColumn& column = *rows.find(name);
  std::vector<std::string> found;
  for (const std::int32_t code : cells<std::int32_t>(rows, name)) {
    const bool there = code >= 1 && code <= static_cast<std::int32_t>(column.labels.size());
    found.push_back(there ? std::string(column.labels[static_cast<std::size_t>(code - 1)]) : "-");
  }
  return found;
}

constexpr std::int32_t kNa = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kWideNa = std::numeric_limits<std::int64_t>::min();

TEST(Arrow, ReadsEveryTypeOfNumber) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  ArrowMade flag("b", "b"), tiny("c", "c"), byte("C", "C"), small("s", "s"), word("S", "S");
  ArrowMade whole("i", "i"), unsign("I", "I"), wide("l", "l"), single("f", "f"), real("g", "g");
  ArrowMade day("tdD", "d"), time("tdm", "t"), batch("+s", "");
  flag.values<std::uint8_t>({0b101}).size(3).valid({0b011});
  tiny.values<std::int8_t>({-128, 0, 127}).valid({0b101});
  byte.values<std::uint8_t>({255, 1, 2});
  small.values<std::int16_t>({-32768, 1, 2});
  word.values<std::uint16_t>({65535, 1, 2});
  whole.values<std::int32_t>({kNa, 1, 2}).valid({0b011});
  unsign.values<std::uint32_t>({4294967295u, 1, 2});
  wide.values<std::int64_t>({kMost, -kMost, 9007199254740993});
  single.values<float>({0.5f, 1e30f, 3}).valid({0b101});
  real.values<double>({0.1, -0.0, std::numeric_limits<double>::infinity()});
  day.values<std::int32_t>({-1, 20000, 5}).valid({0b011});
  time.values<std::int64_t>({-1, 86400000, 86399999});
  for (ArrowMade* child :
       {&flag, &tiny, &byte, &small, &word, &whole, &unsign, &wide, &single, &real, &day, &time}) {
    batch.add(*child);
  }
  const QueryRows rows =
      read(batch.size(3), {"b", "c", "C", "s", "S", "i", "I", "l", "f", "g", "d", "t"});
  ASSERT_EQ(rows.size(), 3u);
  using Narrow = std::vector<std::int32_t>;
  using Wide = std::vector<std::int64_t>;
  EXPECT_EQ(cells<std::int32_t>(rows, "b"), (Narrow{1, 0, kNa}));
  EXPECT_EQ(cells<std::int32_t>(rows, "c"), (Narrow{-128, kNa, 127}));
  EXPECT_EQ(cells<std::int32_t>(rows, "C"), (Narrow{255, 1, 2}));
  EXPECT_EQ(cells<std::int32_t>(rows, "s"), (Narrow{-32768, 1, 2}));
  EXPECT_EQ(cells<std::int32_t>(rows, "S"), (Narrow{65535, 1, 2}));
  EXPECT_EQ(rows.find("i")->kind, Kind::int64);
  EXPECT_EQ(cells<std::int64_t>(rows, "i"), (Wide{kNa, 1, kWideNa}));  // the least is valid
  EXPECT_EQ(cells<std::int64_t>(rows, "I"), (Wide{4294967295, 1, 2}));
  EXPECT_EQ(cells<std::int64_t>(rows, "l"), (Wide{kMost, -kMost, 9007199254740993}));
  const std::vector<double> singles = cells<double>(rows, "f");
  EXPECT_EQ(singles[0], 0.5);
  EXPECT_TRUE(std::isnan(singles[1]));
  EXPECT_EQ(cells<double>(rows, "g")[0], 0.1);
  EXPECT_EQ(rows.find("d")->kind, Kind::date32);
  EXPECT_EQ(cells<std::int32_t>(rows, "d"), (Narrow{-1, 20000, kNa}));
  EXPECT_EQ(rows.find("t")->kind, Kind::date);
  EXPECT_EQ(cells<double>(rows, "t"), (std::vector<double>{-1, 1, 0}));
}

TEST(Arrow, ReadsTextsAndDictionaries) {
  ArrowMade text("u", "u"), large("U", "U"), codes("C", "k"), labels("u", ""), batch("+s", "");
  text.texts({"a", "", "b", "a"}).valid({0b1101});
  large.values<std::int64_t>({0, 1, 1, 3, 3}).buffer("xyz", 3).size(4);
  codes.values<std::uint8_t>({1, 0, 200, 2});
  labels.texts({"North", "South", "gone"}).valid({0b011});
  batch.add(text).add(large).add(codes.label(labels));
  const QueryRows rows = read(batch.size(4), {"u", "U", "k"});
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(rows, "u"), (Texts{"a", "-", "b", "a"}));
  EXPECT_EQ(rows.find("u")->labels.size(), 2u);
  EXPECT_EQ(texts(rows, "U"), (Texts{"x", "", "yz", ""}));
  // A null label reads as kNoLabel, and an out-of-range index as a missing value.
  EXPECT_EQ(texts(rows, "k"), (Texts{"South", "North", "-", std::string(query::kNoLabel)}));
}

TEST(Arrow, SlicesOfBatchesAndOfColumnsAddUp) {
  ArrowMade whole("i", "n"), text("u", "u"), batch("+s", "");
  whole.values<std::int32_t>({9, 8, 7, 6, 5, 4}).size(4, 1).valid({0b10111111});
  text.texts({"a", "b", "c", "d", "e", "f"}).size(4, 1);
  batch.add(whole).add(text).size(3, 1);
  const QueryRows rows = read(batch, {"u", "n"});
  EXPECT_EQ(cells<std::int64_t>(rows, "n"), (std::vector<std::int64_t>{7, 6, 5}));
  EXPECT_EQ(texts(rows, "u"), (std::vector<std::string>{"c", "d", "e"}));
}

// A valid batch of a number, a string and a dictionary, until `broken` has changed it.
void expect_refused(
    const char* what,
    const std::function<void(
        ArrowMade& whole, ArrowMade& text, ArrowMade& codes, ArrowMade& labels, ArrowMade& batch)>&
        broken) {
  ArrowMade whole("i", "n"), text("u", "u"), codes("i", "k"), labels("u", ""), batch("+s", "");
  whole.values<std::int32_t>({1, 2});
  text.texts({"a", "b"});
  codes.values<std::int32_t>({0, 1});
  labels.texts({"x", "y"});
  batch.add(whole).add(text).add(codes.label(labels)).size(2);
  EXPECT_EQ(read(batch, {"n", "u", "k"}).size(), 2u);
  broken(whole, text, codes, labels, batch);
  SCOPED_TRACE(what);
  expect_error(ErrorKind::source, [&] { read(batch, {"n", "u", "k"}); });
}

TEST(Arrow, RefusesWhatIsNoArrayOfItsType) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
#define REFUSED(change)                                                             \
  expect_refused(#change,                                                           \
                 [](ArrowMade& whole,                                               \
                    ArrowMade& text,                                                \
                    ArrowMade& codes,                                               \
                    ArrowMade& labels,                                              \
                    ArrowMade& batch) {                                             \
                   (void)whole, (void)text, (void)codes, (void)labels, (void)batch; \
                   change;                                                          \
                 })
  REFUSED(batch.array.length = -1);
  REFUSED(batch.array.length = kMost);
  REFUSED(batch.array.length = 3);
  REFUSED(batch.array.offset = 1);
  REFUSED(batch.array.offset = -1);
  REFUSED(batch.array.n_children = 2);
  REFUSED(batch.array.children = nullptr);
  REFUSED(batch.array.children[0] = nullptr);
  REFUSED(batch.array.n_buffers = 0);
  REFUSED(batch.array.buffers = nullptr);
  REFUSED(batch.array.release = nullptr);
  REFUSED(batch.valid({0b01}, 1));
  REFUSED(whole.array.length = -1);
  REFUSED(whole.array.length = 1);
  REFUSED(whole.array.offset = kMost);
  REFUSED(whole.array.null_count = 1);
  REFUSED(whole.array.null_count = -2);
  REFUSED(whole.array.null_count = 3);
  REFUSED(whole.array.n_buffers = 3);
  REFUSED(whole.array.n_children = 1);
  REFUSED(whole.array.dictionary = &labels.array);
  REFUSED(whole.buffers()[1] = nullptr);
  REFUSED(text.array.n_buffers = 2);
  REFUSED(text.buffers()[1] = nullptr);
  REFUSED(text.buffers()[2] = nullptr);
  REFUSED(codes.array.dictionary = nullptr);
  REFUSED(labels.array.length = -1);
  REFUSED(labels.buffers()[2] = nullptr);
  REFUSED(batch.schema.format = "i");
  REFUSED(batch.schema.format = nullptr);
  REFUSED(batch.schema.n_children = -1);
  REFUSED(batch.schema.children = nullptr);
  REFUSED(batch.schema.release = nullptr);
  REFUSED(whole.schema.format = nullptr);
  REFUSED(whole.schema.format = "L");
  REFUSED(whole.schema.format = "+l");
  REFUSED(whole.schema.format = "d:38,0");
  REFUSED(whole.schema.n_children = 1);
  REFUSED(whole.schema.name = nullptr);
  REFUSED(whole.schema.name = "u");
  REFUSED(codes.schema.format = "g");
  REFUSED(labels.schema.format = "i");
  REFUSED(labels.schema.dictionary = &whole.schema);
#undef REFUSED
}

TEST(Arrow, RefusesOffsetsThatFallBeforeAByteIsRead) {
  for (const std::vector<std::int32_t>& offsets :
       {std::vector<std::int32_t>{0, 5, 3}, {-1, 0, 3}, {2, 1, 3}, {0, 3, -3}}) {
    ArrowMade text("u", "u"), batch("+s", "");
    text.values(offsets).buffer("abc", 3).size(2);
    expect_error(ErrorKind::source, [&] { read(batch.add(text).size(2), {"u"}); });
  }
}

// Batches of one column, followed by an error or the end.
struct Batches {
  std::vector<ArrowMade*> left;
  int status = 0;
  int released = 0;

  ArrowArrayStream stream() {
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* of, ArrowSchema* out) {
      *out = self(of).left.front()->schema;
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* of, ArrowArray* out) {
      Batches& mine = self(of);
      *out = ArrowArray{};
      if (mine.left.size() == 1 && mine.status != 0) return mine.status;
      if (mine.left.size() > 1) {
        *out = mine.left.back()->array;
        mine.left.pop_back();
      }
      return 0;
    };
    stream.release = [](ArrowArrayStream* of) {
      ++self(of).released;
      of->release = nullptr;
    };
    return stream;
  }

  static Batches& self(ArrowArrayStream* of) { return *static_cast<Batches*>(of->private_data); }
};

TEST(ArrowStream, GivesBatchesAndIsReadOnce) {
  ArrowMade one("l", "n"), two("l", "n"), first("+s", ""), second("+s", "");
  first.add(one.values<std::int64_t>({1, 2})).size(2);
  second.add(two.values<std::int64_t>({3})).size(1);
  Batches batches{{&first, &second, &first}};
  ArrowArrayStream source = batches.stream();
  {
    ArrowStream stream(&source, {"n"}, 1);
    EXPECT_EQ(source.release, nullptr);
    EXPECT_EQ(stream.next()->size(), 2u);
    EXPECT_EQ(stream.next()->size(), 1u);
    EXPECT_FALSE(stream.next());
    EXPECT_EQ(batches.released, 0);
  }
  EXPECT_EQ(batches.released, 1);
  expect_error(ErrorKind::source, [&] { ArrowStream(&source, {"n"}); });
  expect_error(ErrorKind::source, [&] { ArrowStream(nullptr, {"n"}); });
}

// Batches of any columns: cells are appended in order, and equal strings share one label.
TEST(ArrowStream, GathersBatches) {
  ArrowMade n1("l", "n"), n2("l", "n"), day1("tdm", "d"), day2("tdm", "d"), flag1("b", "b"),
      flag2("b", "b"), text1("u", "t"), text2("u", "t"), level1("c", "l"), level2("c", "l"),
      labels1("u", ""), labels2("u", ""), first("+s", ""), second("+s", ""), empty("+s", "");
  n1.values<std::int64_t>({1, 2}).valid({0b01});
  n2.values<std::int64_t>({3});
  day1.values<std::int64_t>({86400000, -1});
  day2.values<std::int64_t>({172800000}).valid({0b0});
  flag1.values<std::uint8_t>({0b10}).size(2);
  flag2.values<std::uint8_t>({0b1}).size(1);
  text1.texts({"a", "b"});
  text2.texts({"b"});
  level1.values<std::int8_t>({1, 5}).label(labels1.texts({"x", "y"}));
  level2.values<std::int8_t>({0}).label(labels2.texts({"y"}));
  first.add(n1).add(day1).add(flag1).add(text1).add(level1).size(2);
  second.add(n2).add(day2).add(flag2).add(text2).add(level2).size(1);
  Batches batches{{&first, &second, &first}};
  ArrowArrayStream source = batches.stream();
  ArrowStream stream(&source, {"n", "d", "b", "t", "l"});
  const std::optional<QueryRows> rows = stream.next();
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_FALSE(stream.next());
  EXPECT_EQ(cells<std::int64_t>(*rows, "n"), (std::vector<std::int64_t>{1, kWideNa, 3}));
  const std::vector<double> days = cells<double>(*rows, "d");
  EXPECT_EQ(days[0], 1);
  EXPECT_EQ(days[1], -1);
  EXPECT_TRUE(std::isnan(days[2]));
  EXPECT_EQ(cells<std::int32_t>(*rows, "b"), (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(texts(*rows, "t"), (std::vector<std::string>{"a", "b", "b"}));
  EXPECT_EQ(rows->find("t")->labels.size(), 2u);
  EXPECT_EQ(texts(*rows, "l"), (std::vector<std::string>{"y", "-", "y"}));
  EXPECT_EQ(rows->find("l")->labels.size(), 2u);
}

// Long streams: memory use does not grow with the rows.
TEST(ArrowStream, GathersNoMoreTextsThanRows) {
  ArrowMade one("u", "t"), two("u", "t"), first("+s", ""), second("+s", "");
  ArrowMade level1("c", "l"), level2("c", "l"), labels1("u", ""), labels2("u", "");
  first.add(one.texts({"a"}));
  second.add(two.texts({"b"}));
  first.add(level1.values<std::int8_t>({0}).label(labels1.texts({"x", "y", "z"}))).size(1);
  second.add(level2.values<std::int8_t>({0}).label(labels2.texts({"x"}))).size(1);
  Batches batches{{&first, &second, &first}};
  ArrowArrayStream source = batches.stream();
  ArrowStream stream(&source, {"t", "l"}, 3);
  EXPECT_EQ(stream.next()->size(), 1u);
  EXPECT_EQ(stream.next()->size(), 1u);
  EXPECT_FALSE(stream.next());
}

TEST(ArrowStream, WithoutBatchesHasColumnsAllTheSame) {
  ArrowMade one("u", "n"), first("+s", "");
  first.add(one.texts({}));
  Batches batches{{&first}};
  ArrowArrayStream source = batches.stream();
  ArrowStream stream(&source, {"n"});
  const std::optional<QueryRows> rows = stream.next();
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 0u);
  EXPECT_EQ(rows->find("n")->kind, Kind::text);
  EXPECT_FALSE(stream.next());
}

TEST(ArrowStream, ThatFailsIsABackendThatFails) {
  ArrowMade one("l", "n"), first("+s", "");
  first.add(one.values<std::int64_t>({1, 2})).size(2);
  Batches batches{{&first, &first}, 5};
  ArrowArrayStream source = batches.stream();
  ArrowStream stream(&source, {"n"}, 2);
  EXPECT_EQ(stream.next()->size(), 2u);
  expect_error(ErrorKind::backend, [&] { stream.next(); });
}

}  // namespace
}  // namespace dp::test::arrow_test
