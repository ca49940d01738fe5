#include "core/measurements/joint_quantiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/recorded_bits.h"
#include "support/tier.h"

namespace dp::test::joint_quantiles_test {
namespace {

const Measure kPure = max_divergence();
const std::vector<Scalar> kThree = {Scalar(0.0), Scalar(1.0), Scalar(2.0)};

// Places of candidates. Place 3 means a missing value.
using Rows = std::vector<std::uint64_t>;

Domain cells(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::usize), size);
}

Measurement of_cells(const Metric& metric,
                     const std::vector<double>& alphas,
                     double scale,
                     std::optional<std::uint64_t> size = std::nullopt,
                     const Measure& measure = kPure) {
  return make_joint_quantiles_of_cells(cells(size), metric, measure, kThree, alphas, scale);
}

// Law of a release of rows, by enumeration from the definition. It covers three candidates and
// alphas that are multiples of 1/4, with 64 sub-cells each.
FiniteLaw law_of(const Rows& rows, const std::vector<double>& alphas, double scale) {
  constexpr std::int64_t kSubCells = 64;
  constexpr std::int64_t kUnit = 8 * kSubCells;  // of a rank
  std::int64_t counts[3] = {};
  std::int64_t size = 0;
  for (const std::uint64_t row : rows) {
    if (row < 3) ++counts[row];
    if (row < 3) ++size;
  }
  std::vector<std::int64_t> ranks;
  std::int64_t below = 0;
  for (const std::int64_t count : counts) {
    for (std::int64_t a = 1; a <= kSubCells; ++a)
      ranks.push_back(below * kUnit + 4 * (2 * a - 1) * count);
    below += count;
  }
  std::vector<Wide> powers{Wide(1)};
  const Wide factor = exp(-1 / (Wide(scale) * kUnit));
  for (std::int64_t i = 0; i < 2 * size * kUnit; ++i) powers.push_back(powers.back() * factor);
  const auto miss = [&](std::int64_t rank, std::int64_t last, double step) {
    return std::abs(rank - last - static_cast<std::int64_t>(step * 4) * size * 2 * kSubCells);
  };
  const std::int64_t all = size * kUnit;
  FiniteLaw law(alphas.size() == 1 ? 3 : 9);
  Wide total = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::int64_t first = miss(ranks[i], 0, alphas[0]);
    for (std::size_t j = i; j < (alphas.size() == 1 ? i + 1 : ranks.size()); ++j) {
      const std::int64_t second =
          alphas.size() == 1 ? 0 : miss(ranks[j], ranks[i], alphas[1] - alphas[0]);
      const std::int64_t third = miss(all, ranks[j], 1 - alphas.back());
      const Wide& p = powers[static_cast<std::size_t>(first + second + third)];
      law[alphas.size() == 1 ? i / 64 : 3 * (i / 64) + j / 64] += p;
      total += p;
    }
  }
  for (Wide& p : law) p /= total;
  return law;
}

std::vector<double> tally(const Measurement& measurement, const Rows& rows, int draws) {
  std::vector<double> counts(9);
  const Value arg = make_column(AtomType::usize, rows);
  for (int i = 0; i < draws; ++i) {
    const Value drawn = measurement.invoke(arg);
    BatchBuffer buffer;
    const double* q = rows_in(drawn)->read(0, 2, buffer).as<double>();
    counts[static_cast<std::size_t>(std::lround(3 * q[0] + q[1]))] += 1;
  }
  return counts;
}

TEST(JointQuantiles, D_SAM_1_HaveTheLawOfTheirDefinition) {
  const std::vector<double> alphas = {0.25, 0.75};
  const Rows rows = {0, 0, 1, 2, 2, 2, 3};
  ReplayedBits bits(5);
  const ScopedBitSource scope(bits);
  const Measurement measurement = of_cells(symmetric_distance(), alphas, 3);
  const std::vector<double> counts = tally(measurement, rows, in_tier(10000, 30000));
  EXPECT_GT(fit(counts, law_of(rows, alphas, 3)), 1e-7);
  // Controls: a different scale, and different rows.
  EXPECT_LT(fit(counts, law_of(rows, alphas, 3.75)), 1e-7);
  EXPECT_LT(fit(counts, law_of({0, 0, 1, 1, 1, 1, 2, 2, 2}, alphas, 3)), 1e-7);
}

Rows with(Rows rows, std::size_t place, std::uint64_t value) {
  rows[place] = value;
  return rows;
}

std::vector<Rows> all_rows(std::size_t size) {
  std::vector<Rows> all{Rows(size)};
  for (std::size_t place = 0; place < size; ++place) {
    std::vector<Rows> longer;
    for (const Rows& rows : all) {
      for (std::uint64_t value = 0; value < 4; ++value) longer.push_back(with(rows, place, value));
    }
    all = longer;
  }
  return all;
}

// Compares the map with the exact loss of replacing one of two or three rows, of making it missing,
// and of adding a row. Sub-cells are so fine that some choice is always good, which leaves part of
// the bound unused. The check would notice a map at a third of the bound.
void check_neighbours(const std::vector<double>& alphas) {
  constexpr double nearly = 1.0 / 3;
  constexpr double kScale = 3;
  std::map<Rows, FiniteLaw> laws;
  for (std::size_t size : {1u, 2u, 3u}) {
    for (const Rows& rows : all_rows(size)) {
      if (std::is_sorted(rows.begin(), rows.end())) laws[rows] = law_of(rows, alphas, kScale);
    }
  }
  laws[{}] = law_of({}, alphas, kScale);
  const auto law = [&](Rows rows) {
    std::sort(rows.begin(), rows.end());
    return laws.at(rows);
  };
  Wide replaced = 0;
  Wide added = 0;
  for (const auto& [rows, of_rows] : laws) {
    for (std::size_t place = 0; place < rows.size(); ++place) {
      for (std::uint64_t value = 0; value < 4; ++value) {
        replaced = std::max(replaced, max_divergence_of(of_rows, law(with(rows, place, value))));
      }
      Rows fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(place));
      added = std::max(added, max_divergence_of(of_rows, law(fewer)));
      added = std::max(added, max_divergence_of(law(fewer), of_rows));
    }
  }
  const Scalar one(std::uint32_t{1});
  const double claimed = loss(of_cells(change_one_distance(), alphas, kScale, 3), one);
  EXPECT_LE(replaced, Wide(claimed));
  EXPECT_GT(replaced, nearly * claimed);
  EXPECT_LE(added, Wide(loss(of_cells(symmetric_distance(), alphas, kScale), one)));
  EXPECT_LE(
      replaced,
      Wide(loss(of_cells(symmetric_distance(), alphas, kScale, 3), Scalar(std::uint32_t{2}))));
  EXPECT_GT(added, nearly * loss(of_cells(symmetric_distance(), alphas, kScale), one));
}

TEST(JointQuantiles, D_SEN_1_NoNeighbourLosesMoreThanTheMap) {
  check_neighbours({0.5});
  check_neighbours({0.25, 0.5});
  check_neighbours({0, 0.75});
}

TEST(JointQuantiles, MapsAreThoseOfTheHeader) {
  const std::vector<double> alphas = {0.1, 0.5};
  const Scalar two(std::uint32_t{2});
  EXPECT_EQ(loss(of_cells(change_one_distance(), alphas, 8, 5), two), 1);
  EXPECT_EQ(loss(of_cells(hamming_distance(), alphas, 8, 5), two), 1);
  EXPECT_EQ(loss(of_cells(symmetric_distance(), alphas, 8, 5), two), 0.5);
  EXPECT_EQ(loss(of_cells(symmetric_distance(), alphas, 8, 5), Scalar(std::uint32_t{1})), 0);
  // The smallest step is 0.1.
  EXPECT_NEAR(loss(of_cells(symmetric_distance(), alphas, 8), two), 2 * 2 * 0.9 * 2 / 8, 1e-15);
  EXPECT_GE(loss(of_cells(symmetric_distance(), alphas, 8), two), 2 * 2 * 0.9 * 2 / 8);
  EXPECT_EQ(
      loss(of_cells(change_one_distance(), alphas, 8, 5, zero_concentrated_divergence()), two),
      1.0 / 8);
}

TEST(JointQuantiles, RowsCountAtTheNearestCandidate) {
  const auto release = [](AtomType type, const std::vector<Scalar>& candidates, const Value& rows) {
    const Measurement measurement = make_joint_quantiles(
        vectors(type), symmetric_distance(), kPure, candidates, {0.1, 0.5, 0.9}, 0x1p-15);
    return measurement.invoke(rows);
  };
  const std::vector<Scalar> tens = {Scalar(0.0), Scalar(10.0), Scalar(20.0), Scalar(30.0)};
  const Value doubles = release(
      AtomType::f64,
      tens,
      make_column(
          AtomType::f64,
          std::vector<double>{-HUGE_VAL, 4.9, 5.0, 14.9, 15.0, 24.9, 25.1, 26, 99, HUGE_VAL}));
  BatchBuffer buffer;
  const double* q = rows_in(doubles)->read(0, 3, buffer).as<double>();
  EXPECT_EQ(std::vector<double>(q, q + 3), (std::vector<double>{0, 20, 30}));

  constexpr std::int64_t kLeast = INT64_MIN;
  constexpr std::int64_t kMost = INT64_MAX;
  const std::vector<Scalar> ends = {Scalar(kLeast), Scalar(kMost)};
  const Value longs = release(
      AtomType::i64,
      ends,
      make_column(
          AtomType::i64,
          std::vector<std::int64_t>{kLeast, kLeast, -1, -1, -1, 0, 0, 0, kMost, kMost, kMost}));
  BatchBuffer others;
  const std::int64_t* r = rows_in(longs)->read(0, 3, others).as<std::int64_t>();
  EXPECT_EQ(std::vector<std::int64_t>(r, r + 3), (std::vector<std::int64_t>{kLeast, kMost, kMost}));
}

TEST(JointQuantiles, WithoutRowsAllTuplesAreAsLikely) {
  const std::vector<double> alphas = {0.25, 0.75};
  ReplayedBits bits(8);
  const ScopedBitSource scope(bits);
  EXPECT_GT(
      fit(tally(of_cells(symmetric_distance(), alphas, 1), {3, 3}, 500), law_of({}, alphas, 1)),
      1e-7);
}

TEST(JointQuantiles, RefuseWhatTheyCannotPromise) {
  const auto refused = [](ErrorKind kind,
                          const std::vector<double>& alphas,
                          double scale,
                          const std::vector<Scalar>& candidates = kThree) {
    expect_error(kind, [&] {
      make_joint_quantiles(
          vectors(AtomType::f64), symmetric_distance(), kPure, candidates, alphas, scale);
    });
  };
  for (double scale : {0.0, -1.0, 0x1p-16, HUGE_VAL, std::nan("")}) {
    refused(ErrorKind::make_measurement, {0.5}, scale);
  }
  refused(ErrorKind::make_measurement, {}, 1);
  refused(ErrorKind::make_measurement, {0.5, 0.5}, 1);
  refused(ErrorKind::make_measurement, {0.5, 0.4}, 1);
  refused(ErrorKind::make_measurement, {-0.1}, 1);
  refused(ErrorKind::make_measurement, {1.1}, 1);
  refused(ErrorKind::make_measurement, {std::nan("")}, 1);
  refused(ErrorKind::make_transformation, {0.5}, 1, {});
  refused(ErrorKind::make_transformation, {0.5}, 1, {Scalar(1.0), Scalar(1.0)});
  refused(ErrorKind::make_transformation, {0.5}, 1, {Scalar(std::nan(""))});
  refused(ErrorKind::failed_cast, {0.5}, 1, {Scalar(std::int32_t{1})});
  expect_error(ErrorKind::type, [] {
    make_joint_quantiles(vectors(AtomType::f64),
                         symmetric_distance(),
                         approximate(max_divergence()),
                         kThree,
                         {0.5},
                         1);
  });
  expect_error(ErrorKind::type, [] {
    make_joint_quantiles(
        vectors(AtomType::f64), l1_distance(AtomType::f64), kPure, kThree, {0.5}, 1);
  });
}

}  // namespace
}  // namespace dp::test::joint_quantiles_test
