#include "core/accounting/counting_query_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"

namespace dp::test::counting_query_map_test {
namespace {

using Triple = std::array<std::uint32_t, 3>;

Distance triple(const Triple& d) {
  return Distance::Tuple{Scalar(d[0]), Scalar(d[1]), Scalar(d[2])};
}

double map(PublicInfo info,
           std::uint32_t p,
           const Triple& d,
           CountedRows counted = CountedRows::all,
           PartitionNorm norm = PartitionNorm::published) {
  return number_in<double>(counting_query_stability_map(info, p, counted, norm)(triple(d)));
}

TEST(CountingQueryMap, IsTheProvedMap) {
  for (const PublicInfo info : {PublicInfo::none, PublicInfo::keys}) {
    EXPECT_EQ(map(info, 1, {10, 10, 1}), 10.0);
    EXPECT_EQ(map(info, 2, {10, 10, 1}), 3.1622776601683795);
    EXPECT_EQ(map(info, 2, {4, 7, 2}), 4.0);
    EXPECT_EQ(map(info, 2, {4, 3, 2}), 3.0);
    EXPECT_EQ(map(info, 1, {3, 100, 5}), 15.0);
  }
  EXPECT_EQ(map(PublicInfo::lengths, 2, {10, 10, 1}), 0.0);
  EXPECT_EQ(map(PublicInfo::lengths, 3, {10, 10, 1}), 0.0);
}

TEST(CountingQueryMap, RefusesWhatItMust) {
  for (const PartitionNorm norm : {PartitionNorm::published, PartitionNorm::packed}) {
    expect_error(ErrorKind::make_transformation, [&] {
      map(PublicInfo::none, 3, {1, 1, 1}, CountedRows::all, norm);
    });
    expect_error(ErrorKind::make_transformation, [&] {
      map(PublicInfo::lengths, 0, {1, 1, 1}, CountedRows::some, norm);
    });
  }
  const auto whole = counting_query_stability_map(PublicInfo::none, 1);
  expect_error(ErrorKind::failed_cast, [&] { whole(Distance(Scalar(std::uint32_t{1}))); });
  expect_error(ErrorKind::failed_cast, [&] {
    whole(Distance::Tuple{Scalar(std::uint32_t{1}), Scalar(std::uint32_t{1})});
  });
  expect_error(ErrorKind::failed_cast, [] { parse_public_info("keys"); });
  EXPECT_EQ(parse_public_info("Lengths"), PublicInfo::lengths);
}

// Largest norm of integer changes in counts, by trying all changes.
double largest_norm(const Triple& d, std::uint32_t p) {
  double most = 0;
  const std::function<void(std::uint32_t, std::uint32_t, double)> add =
      [&](std::uint32_t groups, std::uint32_t rows, double total) {
        most = std::max(most, total);
        for (std::uint32_t s = 1; groups > 0 && s <= std::min(rows, d[2]); ++s) {
          add(groups - 1, rows - s, total + (p == 1 ? s : s * s));
        }
      };
  add(d[0], d[1], 0);
  return p == 1 ? most : std::sqrt(most);
}

// Every small triple.
std::vector<Triple> triples() {
  std::vector<Triple> all;
  for (std::uint32_t l0 = 0; l0 <= 4; ++l0) {
    for (std::uint32_t l1 = 0; l1 <= 7; ++l1) {
      for (std::uint32_t linf = 0; linf <= 5; ++linf) all.push_back({l0, l1, linf});
    }
  }
  return all;
}

using Norm = std::function<double(std::uint32_t, const Triple&)>;

bool covers(const Norm& norm) {
  for (const Triple& d : triples()) {
    for (const std::uint32_t p : {1u, 2u}) {
      const double worst = largest_norm(d, p);
      if (norm(p, d) < worst - 1e-15 * worst) return false;
    }
  }
  return true;
}

double packed(std::uint32_t p, const Triple& d) {
  return map(PublicInfo::none, p, d, CountedRows::all, PartitionNorm::packed);
}

TEST(CountingQueryMap, D_SEN_1_CoversEveryChangeAndMutantsAreRejected) {
  EXPECT_TRUE(covers([](auto p, const auto& d) { return map(PublicInfo::none, p, d); }));
  EXPECT_TRUE(covers(packed));
  EXPECT_FALSE(covers(
      [](auto p, const Triple& d) { return p == 1 ? packed(p, d) : std::min(1.0, packed(p, d)); }));
  // Mutant: counts only full groups and forgets the rest.
  EXPECT_FALSE(covers([](auto p, const Triple& d) {
    const std::uint32_t full = d[2] == 0 ? 0 : std::min(d[0], d[1] / d[2]);
    return packed(p, {d[0], full * d[2], d[2]});
  }));
  EXPECT_FALSE(covers([](auto p, const Triple& d) { return packed(p, {d[0], d[1], d[2] / 2}); }));
}

TEST(CountingQueryMap, PackedIsTheLargestChangeAndNeverAboveThePublishedBound) {
  for (const Triple& d : triples()) {
    for (const std::uint32_t p : {1u, 2u}) {
      const double worst = largest_norm(d, p);
      EXPECT_NEAR(packed(p, d), worst, 1e-15 * worst);
      EXPECT_LE(packed(p, d), map(PublicInfo::none, p, d));
    }
  }
}

// The counting kinds of the table of grouped queries.
TEST(CountingQueryMap, MapsAreThoseOfTheOracle) {
  std::size_t rows = 0;
  for (const auto& row : oracle_table("group_by_maps.csv")) {
    const std::string& kind = row.at(0);
    const bool all = kind == "len" || kind == "count_nonnull_column";
    const bool some = kind == "count_nullable_column" || kind == "null_count" ||
                      kind == "n_unique" || kind == "count_after_filter" || kind == "id_count";
    if (!all && !some) continue;
    ++rows;
    const PublicInfo info = row[2] == "None" ? PublicInfo::none : parse_public_info(row[2]);
    const auto p = static_cast<std::uint32_t>(std::stoul(row[1]));
    const auto number = [&](std::size_t i) {
      return static_cast<std::uint32_t>(std::stoul(row.at(i)));
    };
    const Triple d = {number(3), number(4), number(5)};
    const CountedRows counted = all ? CountedRows::all : CountedRows::some;
    const auto expect = [&](PartitionNorm norm, const std::string& expected) {
      const double value = std::stod(expected);
      EXPECT_NEAR(map(info, p, d, counted, norm), value, 1e-12 * value)
          << kind << " " << row[2] << " " << d[0] << " " << d[1] << " " << d[2];
    };
    expect(PartitionNorm::published, row.at(7));
    expect(PartitionNorm::packed, row.at(9));
  }
  EXPECT_EQ(rows, 80u);
}

TEST(CountingQueryMap, RootsAreRoundedUpOnce) {
  for (const Triple& d : {Triple{10, 10, 1},
                          Triple{7, 4294967295, 4294967294},
                          Triple{4294967295, 4294967295, 65536},
                          Triple{3, 4000000000, 1999999999}}) {
    const double root = map(PublicInfo::none, 2, d, CountedRows::all, PartitionNorm::packed);
    const std::uint32_t q = std::min(d[0], d[1] / d[2]);
    const std::uint32_t r = q < d[0] ? std::min(d[1] - q * d[2], d[2]) : 0;
    const Rational squared = Integer(q) * d[2] * d[2] + Integer(r) * r;
    const Rational exact = exact_rational(root), below = exact_rational(std::nextafter(root, 0));
    EXPECT_GE(Rational(exact * exact), squared);
    EXPECT_LT(Rational(below * below), squared);
  }
}

}  // namespace
}  // namespace dp::test::counting_query_map_test
