#include "core/transformations/counts/count.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/rows/cast.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::count_test {
namespace {

Domain rows_of(AtomType type) { return vector_of(default_atom(type)); }

// Rows without contents. Any attempt to read them fails.
class UnreadableRows final : public Column {
 public:
  explicit UnreadableRows(std::size_t size) : size_(size) {}
  AtomType type() const override { return AtomType::i32; }
  std::size_t size() const override { return size_; }
  Batch read(std::size_t, std::size_t, BatchBuffer&) const override {
    throw std::logic_error("a count must not read rows");
  }

 private:
  std::size_t size_;
};

template <class T>
T count(AtomType output_type, std::size_t n) {
  const auto t = make_count(rows_of(AtomType::i32), symmetric_distance(), output_type);
  return element_in<T>(t.invoke(ColumnPtr(std::make_shared<UnreadableRows>(n))));
}

std::string map(AtomType output_type, std::uint32_t d_in) {
  return debug(make_count(rows_of(AtomType::i32), symmetric_distance(), output_type)
                   .map(Distance(Scalar(d_in))));
}

TEST(Count, CountsWithoutReadingTheRows) {
  EXPECT_EQ(count<std::int32_t>(AtomType::i32, 3), 3);
  EXPECT_EQ(count<std::int32_t>(AtomType::i32, 0), 0);
  EXPECT_EQ(count<double>(AtomType::f64, 3), 3.0);
}

TEST(Count, D_INT_1_SaturatesWhereTheTypeEnds) {
  EXPECT_EQ(count<std::int8_t>(AtomType::i8, 126), 126);
  EXPECT_EQ(count<std::int8_t>(AtomType::i8, 127), 127);
  EXPECT_EQ(count<std::int8_t>(AtomType::i8, 128), 127);
  EXPECT_EQ(count<std::int32_t>(AtomType::i32, std::size_t{1} << 31), 2147483647);
  EXPECT_EQ(count<float>(AtomType::f32, (1 << 24) - 1), 16777215.0F);
  EXPECT_EQ(count<float>(AtomType::f32, (1 << 24) + 1), 16777216.0F);
  EXPECT_EQ(count<double>(AtomType::f64, (std::size_t{1} << 53) + 1), 0x1p53);
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(count<std::uint64_t>(AtomType::usize, most), most);
  EXPECT_EQ(count<std::int64_t>(AtomType::i64, most), std::numeric_limits<std::int64_t>::max());
}

TEST(Count, RowOperatorsBeforeItAreNotRunEither) {
  const auto cast = make_cast(rows_of(AtomType::i32), symmetric_distance(), AtomType::u8);
  const auto t =
      make_chain_tt(make_count(cast.output_domain(), cast.output_metric(), AtomType::i32), cast);
  EXPECT_EQ(element_in<std::int32_t>(t.invoke(ColumnPtr(std::make_shared<UnreadableRows>(9)))), 9);
}

TEST(Count, MapsMatchTheOracle) {
  EXPECT_EQ(map(AtomType::i32, 1), "1");
  EXPECT_EQ(map(AtomType::i32, 5), "5");
  EXPECT_EQ(map(AtomType::f32, 16777217), "16777218.0");
  EXPECT_EQ(map(AtomType::f64, 3), "3.0");
  EXPECT_EQ(map(AtomType::u32, 4294967295), "4294967295");
  expect_error(ErrorKind::failed_cast, [] { map(AtomType::i8, 200); });
}

TEST(Count, HasANonNanOutputDomain) {
  const auto t = make_count(rows_of(AtomType::string), symmetric_distance(), AtomType::f64);
  EXPECT_EQ(t.output_domain(), Domain(non_nan_atom(AtomType::f64)));
  EXPECT_EQ(t.output_metric(), absolute_distance(AtomType::f64));
}

TEST(Count, RefusesWhatItMust) {
  expect_error(ErrorKind::type,
               [] { make_count(rows_of(AtomType::i32), insert_delete_distance(), AtomType::i32); });
  expect_error(ErrorKind::type,
               [] { make_count(rows_of(AtomType::i32), symmetric_distance(), AtomType::string); });
  expect_error(ErrorKind::failed_cast, [] {
    make_count(default_atom(AtomType::string), symmetric_distance(), AtomType::i32);
  });
}

TEST(Count, D_SEN_1_TheMapCoversNeighboursAndAMutantIsRejected) {
  for (const AtomType type : {AtomType::i8, AtomType::u64, AtomType::f32, AtomType::f64}) {
    const auto t = make_count(rows_of(AtomType::i32), symmetric_distance(), type);
    StabilityCheck<std::int32_t> check(t);
    fuzz(check, 12, 2000);
    exhaust<std::int32_t>(check, {1, 2, 3}, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    EXPECT_EQ(check.tightness(), 1);
    StabilityCheck<std::int32_t> mutant(with_map(t, [&](const Distance& d) {
      return t.map(Distance(Scalar(number_in<std::uint32_t>(d) / 2)));
    }));
    fuzz(mutant, 12, 300);
    EXPECT_TRUE(mutant.is_refuted());
  }
}

}  // namespace
}  // namespace dp::test::count_test
