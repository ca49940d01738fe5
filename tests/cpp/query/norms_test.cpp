#include "core/query/norms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/numeric/rational.h"
#include "core/query/columns.h"
#include "support/oracle_rows.h"

namespace dp::query {
namespace {

using Fields = std::vector<std::string>;

// Parses "L=-10;U=10;max_length=3" by name.
std::map<std::string, std::string> settings_of(const std::string& text) {
  std::map<std::string, std::string> settings;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    const std::size_t mark = part.find('=');
    if (mark != std::string::npos) settings[part.substr(0, mark)] = part.substr(mark + 1);
  }
  return settings;
}

Effect sum_effect(const Fields& row, const GroupFacts& facts) {
  auto settings = settings_of(row[6]);
  if (row[0] == "sum_lattice") {
    return effect_on_sum(std::stol(settings["ZL"]), std::stol(settings["ZU"]), facts);
  }
  const long least = std::stol(settings["L"]);
  const long most = std::stol(settings["U"]);
  if (row[0] != "sum_centered") return effect_on_sum(least, most, facts);
  const long centre = std::stol(settings["centre"]);
  return effect_on_sum(least - centre, most - centre, facts);
}

Effect score_effect(const Fields& row, const GroupFacts& facts) {
  const std::string alpha = settings_of(row[6])["alpha"];
  const std::size_t mark = alpha.find('/');
  return effect_on_scores(
      std::stoull(alpha.substr(0, mark)), std::stoull(alpha.substr(mark + 1)), 1, facts);
}

Effect effect_of(const Fields& row) {
  GroupFacts facts;
  facts.has_public_lengths = row[2] == "Lengths";
  auto settings = settings_of(row[6]);
  if (settings.count("max_length") > 0) facts.most_rows = std::stoull(settings["max_length"]);
  if (row[0] == "len" || row[0] == "len_maxlen") return effect_on_rows(facts);
  if (row[0] == "count_nonnull_column") return effect_on_present(facts);
  if (row[0] == "count_nullable_column") {
    facts.may_drop = true;
    return effect_on_present(facts);
  }
  if (row[0] == "id_count") return effect_on_people(facts);
  if (row[0] == "quantile_score") return score_effect(row, facts);
  if (row[0].compare(0, 3, "sum") == 0) return sum_effect(row, facts);
  return effect_on_count(facts);
}

double norm_of(const Fields& row, const Effect& effect) {
  const ContributionBound bound{std::stoull(row[3]), std::stoull(row[4]), std::stoull(row[5])};
  if (row[1] == "inf") {
    return to_double_up(
        Rational(sensitivity({1, bound.rows_per_group, bound.rows_per_group}, effect).l1));
  }
  const Sensitivity norms = sensitivity(bound, effect);
  return row[1] == "1" ? to_double_up(Rational(norms.l1)) : norm_up(norms.l2_squared);
}

// Floating-point sums exist only in the reference. Query aggregates never add doubles.
bool is_ours(const Fields& row) { return row[0] != "sum_float"; }

TEST(Norms, are_tight_in_every_row_of_the_oracle) {
  const auto table = test::oracle_table("group_by_maps.csv");
  ASSERT_EQ(table.size(), 328u);
  int rows = 0;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const Fields& row = table[i];
    if (!is_ours(row)) continue;
    ++rows;
    const double tight = std::stod(row[9]);
    const double norm = norm_of(row, effect_of(row));
    EXPECT_GE(norm, tight) << "line " << i + 1 << ", " << row[0];
    EXPECT_LE(norm, tight * (1 + std::stod(row[10]))) << "line " << i + 1 << ", " << row[0];
    EXPECT_LE(tight, std::stod(row[7])) << "line " << i + 1;
  }
  EXPECT_EQ(rows, 327 - 36);
}

// Rounding error of floating-point sums per row: groups^(1/p) 2 n^2 / 2^m max(|L|, |U|).
double rounding_term(std::map<std::string, std::string> settings, double p) {
  const double rows = std::stod(settings["max_length"]);
  const double size = std::max(std::fabs(std::stod(settings["L"])), std::stod(settings["U"]));
  const double last_bit = std::ldexp(1.0, settings["dtype"] == "f64" ? -52 : -23);
  const double groups = std::stod(settings["max_groups"]);
  return std::pow(groups, 1 / p) * 2 * rows * rows * last_bit * size;
}

// A sum of the same reals on our lattice is exact in any row order. So it costs as much as the
// oracle's row without the rounding term.
TEST(Norms, of_exact_sums_lack_the_term_for_rounding_of_the_36_rows_in_floating_point) {
  int rows = 0;
  for (const Fields& row : test::oracle_table("group_by_maps.csv")) {
    if (row[0] != "sum_float") continue;
    ++rows;
    auto settings = settings_of(row[6]);
    Field field{};
    field.type = FieldType::real;
    field.reals = {std::stod(settings["L"]), std::stod(settings["U"])};
    const Quantiser quantiser = quantiser_of(field, {}, Origin::zero, "x");
    GroupFacts facts;
    facts.has_public_lengths = row[2] == "Lengths";
    const Effect effect = effect_on_sum(quantiser.least, quantiser.most, facts);
    const double steps = norm_of(row, effect);
    const double ours = std::ldexp(steps, quantiser.exponent);
    const double tight = std::stod(row[9]);
    EXPECT_LT(ours, tight) << row[6];
    EXPECT_NEAR(ours, tight - rounding_term(settings, std::stod(row[1])), 1e-9 * ours) << row[6];
  }
  EXPECT_EQ(rows, 36);
}

// Visits all vectors of `l0` numbers in [0, each] with a sum of at most `total`.
void each_vector(int l0, int total, int each, const std::function<void(int, int)>& visit) {
  std::function<void(int, int, int, int)> walk = [&](int left, int rest, int sum, int squares) {
    if (left == 0) return visit(sum, squares);
    for (int v = 0; v <= std::min(rest, each); ++v) {
      walk(left - 1, rest - v, sum + v, squares + v * v);
    }
  };
  walk(l0, total, 0, 0);
}

TEST(Norms, equal_the_largest_of_all_vectors) {
  for (int l0 = 0; l0 <= 5; ++l0) {
    for (int total = 0; total <= 12; ++total) {
      for (int each = 0; each <= 6; ++each) {
        int sum = 0;
        int squares = 0;
        each_vector(l0, total, each, [&](int s, int q) {
          sum = std::max(sum, s);
          squares = std::max(squares, q);
        });
        EXPECT_EQ(packed2(l0, total, each), squares) << l0 << " " << total << " " << each;
        const Sensitivity norms = sensitivity({static_cast<std::uint64_t>(l0),
                                               static_cast<std::uint64_t>(total),
                                               static_cast<std::uint64_t>(each)},
                                              {1, {}, false});
        EXPECT_EQ(norms.l1, sum);
        EXPECT_EQ(norms.l2_squared, squares);
      }
    }
  }
}

TEST(Norms, never_fall_as_more_may_change) {
  const std::vector<Effect> effects = {
      {1, {}, false}, {7, {}, true}, {3, Integer(5), false}, {4, Integer(6), true}};
  const auto norms = [](std::uint64_t a, std::uint64_t b, std::uint64_t c, const Effect& effect) {
    return sensitivity({a, b, c}, effect);
  };
  for (const Effect& effect : effects) {
    for (std::uint64_t l0 = 0; l0 < 4; ++l0) {
      for (std::uint64_t l1 = 0; l1 < 9; ++l1) {
        for (std::uint64_t li = 0; li < 6; ++li) {
          const Sensitivity here = norms(l0, l1, li, effect);
          for (const Sensitivity& more : {norms(l0 + 1, l1, li, effect),
                                          norms(l0, l1 + 1, li, effect),
                                          norms(l0, l1, li + 1, effect)}) {
            EXPECT_LE(here.l1, more.l1);
            EXPECT_LE(here.l2_squared, more.l2_squared);
          }
        }
      }
    }
  }
}

// Largest difference between the sums of one group on two tables that differ in at most `distance`
// rows. The group has at most `most_rows` of the `values`.
int largest_change(const std::vector<int>& values, int distance, int most_rows, bool same_lengths) {
  int largest = 0;
  const auto visit = [&](auto&& self, std::size_t from, int sum, int in_one, int in_other) -> void {
    if (!same_lengths || in_one == in_other) largest = std::max(largest, std::abs(sum));
    if (in_one + in_other == distance) return;
    for (std::size_t i = from; i < values.size(); ++i) {
      if (in_one < most_rows) self(self, i, sum + values[i], in_one + 1, in_other);
      if (in_other < most_rows) self(self, i, sum - values[i], in_one, in_other + 1);
    }
  };
  visit(visit, 0, 0, 0, 0);
  return largest;
}

TEST(Norms, of_sums_are_reached_and_never_exceeded) {
  for (const auto& [least, most] : std::vector<std::pair<int, int>>{{-2, 3}, {1, 3}, {-3, -1}}) {
    for (int distance = 0; distance <= 4; ++distance) {
      for (const bool same : {false, true}) {
        for (const bool may_drop : {false, true}) {
          std::vector<int> values = {least, most};
          if (may_drop) values.push_back(0);
          GroupFacts facts;
          facts.has_public_lengths = same;
          facts.may_drop = may_drop;
          const auto rows = static_cast<std::uint64_t>(distance);
          EXPECT_EQ(sensitivity({1, rows, rows}, effect_on_sum(least, most, facts)).l1,
                    largest_change(values, distance, 100, same))
              << least << " " << most << " " << distance << same << may_drop;
        }
      }
    }
  }
}

TEST(Norms, of_short_groups_are_those_of_what_they_can_sum_to) {
  for (int most_rows = 1; most_rows <= 3; ++most_rows) {
    GroupFacts facts;
    facts.most_rows = static_cast<std::uint64_t>(most_rows);
    const Integer claimed = sensitivity({1, 4, 4}, effect_on_sum(-2, 3, facts)).l1;
    EXPECT_GE(claimed, largest_change({-2, 3}, 4, most_rows, false));
  }
  // Lengths as distances, as in the reference, are not enough.
  EXPECT_GT(largest_change({-2, 3}, 4, 1, false), 1 * 3);
}

}  // namespace
}  // namespace dp::query
