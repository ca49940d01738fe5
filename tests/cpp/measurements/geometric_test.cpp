#include "core/measurements/geometric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/numeric/directed.h"
#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::geometric_test {
namespace {

template <class T>
Measurement bounded(AtomType type, double scale, T lower, T upper) {
  return make_geometric(
      scalars(type), absolute_distance(type), scale, Bounds{Scalar(lower), Scalar(upper)});
}

TEST(Geometric, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_geometric");
  ASSERT_EQ(rows.size(), 5u);
  for (const OracleRow& row : rows) {
    const Domain domain = oracle_domain(*row.arg("input_domain"), false);
    const Metric metric = oracle_metric(*row.arg("input_metric"));
    const double scale = oracle_number(*row.arg("scale"));
    const std::size_t open = row.args.find('[');
    const auto make = [&] {
      if (open == std::string::npos) return make_geometric(domain, metric, scale);
      const std::string list = row.args.substr(open + 1);
      return visit_integer(metric.distance_type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto lower = static_cast<T>(std::stol(list));
        const auto upper = static_cast<T>(std::stol(list.substr(list.find(',') + 1)));
        return make_geometric(domain, metric, scale, Bounds{Scalar(lower), Scalar(upper)});
      });
    };
    if (row.is_error()) {
      const std::string text = expect_error(ErrorKind::make_measurement, make);
      EXPECT_NE(text.find("must be in (0, 1]"), std::string::npos) << text;
    } else {
      EXPECT_EQ(number_in<double>(make().map(oracle_distance(row.d_in, metric.distance_type))),
                oracle_number(row.d_out));
    }
  }
}

// Law of the release of `x`: P[Z = z] is proportional to q^|z|, collected at the bounds.
FiniteLaw release_law(long x, long lower, long upper, double scale) {
  const Wide q = 1 - Wide(sub_down(1.0, exp_up(-1 / scale)));
  const long from = std::min(std::max(x, lower), upper);
  FiniteLaw law(static_cast<std::size_t>(upper - lower + 1));
  const auto tail = [&](long k) { return k <= 0 ? Wide(0) : Wide(pow(q, k) / (1 + q)); };
  for (long z = lower; z <= upper; ++z) {
    law[static_cast<std::size_t>(z - lower)] =
        (1 - q) / (1 + q) * pow(q, static_cast<int>(std::labs(z - from)));
  }
  if (lower == upper) return {Wide(1)};
  if (from > lower) law.front() = tail(from - lower);
  if (from < upper) law.back() = tail(upper - from);
  if (from == lower) law.front() = 1 / (1 + q);
  if (from == upper) law.back() = 1 / (1 + q);
  return law;
}

// Mutant sampler: it adds the magnitude in the unsigned type and redraws if negative noise does not
// change the number. At the lower bound its noise is one-sided.
FiniteLaw saturating_law(long x, long lower, long upper, double scale) {
  FiniteLaw law = release_law(x, lower, upper, scale);
  const Wide q = 1 - Wide(sub_down(1.0, exp_up(-1 / scale)));
  if (x == lower) law.front() -= q / (1 + q);
  const Wide total = [&] {
    Wide sum = 0;
    for (const Wide& p : law) sum += p;
    return sum;
  }();
  for (Wide& p : law) p /= total;
  return law;
}

template <class Law>
Wide worst_excess(Law law, long lower, long upper, double scale) {
  const Wide claim =
      loss(make_geometric(scalars(AtomType::i64), absolute_distance(AtomType::i64), scale),
           std::int64_t{1});
  Wide worst = -1;
  for (long x = lower; x < std::min(upper, lower + 20); ++x) {
    const FiniteLaw a = law(x, lower, upper, scale);
    const FiniteLaw b = law(x + 1, lower, upper, scale);
    worst = std::max(
        {worst, Wide(max_divergence_of(a, b) - claim), Wide(max_divergence_of(b, a) - claim)});
  }
  return worst;
}

TEST(Geometric, D_EPS_2_NoStepOfTheInputLosesMoreThanTheClaim) {
  for (double scale : {0.4, 5.0, 20.0}) {
    EXPECT_LE(worst_excess(release_law, 0, 19, scale), slack()) << scale;
    EXPECT_LE(worst_excess(release_law, -7, 9, scale), slack()) << scale;
  }
}

TEST(Geometric, D_EPS_2_TheCheckRejectsNoiseThatSaturatesBeforeItIsTold) {
  EXPECT_GT(worst_excess(saturating_law, 0, 200, 20.0), 1);
  EXPECT_GT(worst_excess(saturating_law, 0, 200, 5.0), 0.5);
}

constexpr double kAlpha = 1e-6 / 16;

template <class T>
double release_fit(AtomType type, T x, T lower, T upper, double scale, double law_scale) {
  ReplayedBits bits(17);
  const ScopedBitSource scope(bits);
  const Measurement noise = bounded(type, scale, lower, upper);
  const FiniteLaw law = release_law(static_cast<long>(x) - static_cast<long>(lower),
                                    0,
                                    static_cast<long>(upper) - static_cast<long>(lower),
                                    law_scale);
  std::vector<double> counts(law.size());
  for (int i = 0; i < 40000; ++i) {
    counts[static_cast<std::size_t>(release(noise, x) - lower)] += 1;
  }
  return fit(counts, law);
}

TEST(Geometric, ReleasesHaveTheirLawAlsoAtTheLimitsOfUnsignedTypes) {
  using Limits = std::numeric_limits<std::uint64_t>;
  for (std::uint32_t x : {0u, 1u, 7u, 20u}) {
    EXPECT_GT(release_fit<std::uint32_t>(AtomType::u32, x, 0, 20, 3, 3), kAlpha) << x;
  }
  for (std::int32_t x : {-4, 0, 11}) {
    EXPECT_GT(release_fit<std::int32_t>(AtomType::i32, x, -4, 11, 1.5, 1.5), kAlpha) << x;
  }
  EXPECT_GT(release_fit<std::uint64_t>(
                AtomType::u64, Limits::max(), Limits::max() - 9, Limits::max(), 2, 2),
            kAlpha);
  EXPECT_LT(release_fit<std::uint32_t>(AtomType::u32, 0, 0, 20, 2.8, 3), kAlpha);
}

TEST(Geometric, ClampsWhatItTakesAndGivesAndNoisesEveryRow) {
  const Domain rows = vectors(AtomType::i32, 17);
  const Measurement noise =
      make_geometric(rows, l1_distance(AtomType::i32), 2, Bounds{Scalar(-50), Scalar(50)});
  std::vector<std::int32_t> moved(17);
  for (int i = 0; i < 200; ++i) {
    const auto out = release(noise, std::vector<std::int32_t>(17, 1000));
    for (std::size_t j = 0; j < out.size(); ++j) {
      EXPECT_TRUE(-50 <= out[j] && out[j] <= 50);
      moved[j] += out[j] != 50;
    }
  }
  for (std::int32_t count : moved) EXPECT_GT(count, 20);
  EXPECT_EQ(release(bounded(AtomType::i32, 3, 4, 4), 9), 4);
  EXPECT_EQ(release(bounded(AtomType::i32, 0, 1, 5), 9), 9);
}

TEST(Geometric, WithoutBoundsIsLaplaceOnIntegers) {
  const Measurement noise =
      make_geometric(scalars(AtomType::i64), absolute_distance(AtomType::i64), 0);
  EXPECT_EQ(release(noise, std::int64_t{12}), 12);
  EXPECT_EQ(noise.output_measure(), max_divergence());
}

TEST(Geometric, D_SAM_3_BoundsOfAnyWidthTakeAStepForEachDigit) {
  using U32 = std::numeric_limits<std::uint32_t>;
  using U64 = std::numeric_limits<std::uint64_t>;
  using I64 = std::numeric_limits<std::int64_t>;
  for (double scale : {5e-324, 1.0, 1e6}) {
    EXPECT_NO_THROW(
        release(bounded<std::uint32_t>(AtomType::u32, scale, 0, U32::max()), std::uint32_t{5}));
    EXPECT_NO_THROW(
        release(bounded<std::uint64_t>(AtomType::u64, scale, 0, U64::max()), std::uint64_t{5}));
    EXPECT_NO_THROW(release(bounded<std::int64_t>(AtomType::i64, scale, I64::min(), I64::max()),
                            std::int64_t{5}));
  }
  for (std::int64_t x : {I64::min(), std::int64_t{-1}, I64::max()}) {
    const Measurement still = bounded<std::int64_t>(AtomType::i64, 5e-324, I64::min(), I64::max());
    EXPECT_EQ(release(still, x), x);
  }
}

TEST(Geometric, D_CTL_4_AsManyWordsAreDrawnWhateverComesUp) {
  const Measurement noise = bounded<std::uint32_t>(AtomType::u32, 1000, 0, 1u << 30);
  std::set<std::size_t> used;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ReplayedBits replayed(seed);
    std::vector<std::uint64_t> words(1000);
    replayed.words(words.data(), words.size());
    RecordedBits bits(std::move(words));
    const ScopedBitSource scope(bits);
    release(noise, std::uint32_t{seed % 2 == 0 ? 0u : 1u << 29});
    used.insert(bits.used());
  }
  EXPECT_EQ(*used.begin(), 1 + 2 * 32u);  // the sign, and two per digit and for higher bits
  EXPECT_LE(used.size(), 2u);             // as often as (-, 0) was started over
}

TEST(Geometric, RefusesWhatIsNotInteger) {
  expect_error(ErrorKind::type,
               [] { make_geometric(scalars(AtomType::f64), absolute_distance(AtomType::i32), 1); });
  expect_error(ErrorKind::type,
               [] { make_geometric(scalars(AtomType::i32), absolute_distance(AtomType::f64), 1); });
  EXPECT_EQ(expect_error(ErrorKind::make_measurement, [] { bounded(AtomType::i32, 1, 2, 1); }),
            "lower may not be greater than upper");
  expect_error(ErrorKind::failed_cast, [] { bounded(AtomType::i32, 1, 1.0, 2.0); });
  expect_error(ErrorKind::make_measurement, [] { bounded(AtomType::i32, -1, 1, 2); });
}

}  // namespace
}  // namespace dp::test::geometric_test
