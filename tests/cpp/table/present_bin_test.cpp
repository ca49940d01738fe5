#include "core/table/present_bin.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/stable.h"

namespace dp::test::present_bin_test {
namespace {

Dataset<std::uint64_t> bins(const ColumnSpec& column,
                            const std::vector<double>& edges,
                            const Dataset<double>& data) {
  const auto t = make_present_bin(floats(), symmetric_distance(), column, edges);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::usize)));
  return to_dataset<std::uint64_t>(t.invoke(to_value(AtomType::f64, data)));
}

TEST(PresentBin, ValuesAreClampedAndMissingOnesComeLast) {
  EXPECT_EQ(bins(column("x", 0, 3), {1, 2}, {-kInf, -7.0, 0.5, 1.0, 1.99, 2.0, 9.0, kInf, kNaN}),
            (Dataset<std::uint64_t>{0, 0, 0, 1, 1, 2, 2, 2, 3}));
  EXPECT_EQ(bins(column("x", 0, 3), {}, {-kInf, kInf, kNaN}), (Dataset<std::uint64_t>{0, 0, 1}));
}

TEST(PresentBin, WholeNumbersLoseTheirFractionAndInfinityIsNone) {
  EXPECT_EQ(bins(column("x", -2, 2, true), {-0.5, 0.25, 0.5, 1}, {-1.9, -0.9, 0.9, 1.9, 7.5}),
            (Dataset<std::uint64_t>{0, 1, 1, 4, 4}));
  EXPECT_EQ(bins(column("x", -2, 2, true), {0}, {kInf, -kInf, kNaN, 2.0}),
            (Dataset<std::uint64_t>{2, 2, 2, 1}));
}

TEST(PresentBin, RefusesWhatItMust) {
  const auto refused = [](ErrorKind kind, const ColumnSpec& spec, std::vector<double> edges) {
    expect_error(kind, [&] { make_present_bin(floats(), symmetric_distance(), spec, edges); });
  };
  refused(ErrorKind::make_transformation, column("x", 0, 3), {2, 1});
  refused(ErrorKind::make_transformation, column("x", 0, 3), {1, 1});
  refused(ErrorKind::make_transformation, column("x", 0, 3), {kNaN});
  refused(ErrorKind::make_measurement, column("x", 3, 0), {});
  refused(ErrorKind::make_measurement, column("x", 0, 0.5, true), {});
  expect_error(ErrorKind::type, [] {
    const Domain whole = vector_of(default_atom(AtomType::i32));
    make_present_bin(whole, symmetric_distance(), column("x", 0, 3), {});
  });
}

TEST(PresentBin, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const auto& [metric, size] : dataset_spaces()) {
    const auto t = make_present_bin(floats(size), metric, column("x", -1, 2), {0, 1});
    const std::vector<Row<double>> values = {-5.0, 0.5, kNaN};
    expect_stable(t, values);
    // Mutant: missing values change the bins of other rows.
    expect_rejected(t,
                    whole_function([](const Value& rows) -> Value {
                      const auto data = to_dataset<double>(rows);
                      std::uint64_t missing = 0;
                      for (const auto& x : data) missing += std::isnan(*x) ? 1 : 0;
                      return to_value(AtomType::usize,
                                      Dataset<std::uint64_t>(data.size(), missing));
                    }),
                    values);
  }
}

}  // namespace
}  // namespace dp::test::present_bin_test
