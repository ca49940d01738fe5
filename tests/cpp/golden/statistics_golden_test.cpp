// Same statistics from the same bits on every platform: moments, regressions, derived columns,
// blocks of rows, postprocessing, and composed losses.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/accounting/optimal_composition.h"
#include "core/accounting/pld.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/measurements/class_moments.h"
#include "core/measurements/cluster_moments.h"
#include "core/measurements/joint_moments.h"
#include "core/measurements/joint_residuals.h"
#include "core/measurements/laplace.h"
#include "core/measurements/moments_by_position.h"
#include "core/measurements/noise.h"
#include "core/measurements/noisy_moments.h"
#include "core/measurements/objective_perturbation.h"
#include "core/postprocessing/cdf.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/joint_fit.h"
#include "core/postprocessing/next_clusters.h"
#include "core/postprocessing/quantiles_from_counts.h"
#include "core/sample_aggregate/joint_blocks.h"
#include "core/sample_aggregate/named_blocks.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/table/cross_classify.h"
#include "core/table/derived_columns.h"
#include "core/table/placed_levels.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/rows/clamp.h"
#include "golden/golden_data.h"
#include "query/query_tables.h"
#include "support/chain_of.h"
#include "support/weighted_frames.h"

namespace dp::test::statistics_golden_test {
namespace {

constexpr std::size_t kSize = 500;

// y depends on x; one x is missing. w depends on neither.
Value golden_frame(bool is_binary) {
  GoldenInput input(61);
  std::vector<double> x(kSize), y(kSize), w(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    x[i] = input.unit();
    const double noise = input.unit();
    y[i] = is_binary ? (x[i] > noise ? 1 : 0) : x[i] / 2 + noise;
  }
  for (double& each : w) each = 4 * input.unit();
  x[17] = std::numeric_limits<double>::quiet_NaN();
  return weighted_frame(x, y, w);
}

TEST(GoldenStatistics, NoisyMoments) {
  const Epsilon epsilon(0.5);
  const std::vector<Moment> moments = {{true, 0, 0, epsilon}, {false, 0, 1, epsilon}};
  const auto of_rows = [&](std::uint64_t n) {
    return golden_step(make_noisy_moments({column("y", 0, 1.5), column("x", 0, 1)}, moments, n),
                       golden_frame(false),
                       rows_apart());
  };
  EXPECT_EQ(of_rows(400), "830f88870adb2de9");
  EXPECT_EQ(of_rows(600), "a18d38599a6e8e6f");
}

TEST(GoldenStatistics, JointMoments) {
  const std::vector<ColumnSpec> columns = {column("y", 0, 1.5), column("x", 0, 1)};
  const auto of_rows = [&](Gaps gaps, std::uint64_t n) {
    const JointPlan plan{gaps, true, 2, Epsilon(0.5), n};
    return golden_step(make_joint_moments(columns, plan), golden_frame(false), rows_apart());
  };
  EXPECT_EQ(of_rows(Gaps::imputed, 400), "a5c8f8da494c345d");
  EXPECT_EQ(of_rows(Gaps::dropped, 600), "1d8f55aee08fe7cc");
}

// The class column has 0, a row outside all classes, and 1.
TEST(GoldenStatistics, MomentsOfClassesAndGroups) {
  const auto of_classes = [&](Gaps gaps, std::uint64_t n) {
    const ClassPlan plan{"y", 2, gaps, Epsilon(0.5), n};
    return golden_step(
        make_class_moments({column("x", 0, 1)}, plan), golden_frame(true), rows_apart());
  };
  EXPECT_EQ(of_classes(Gaps::imputed, 400), "fb78c68c4c307748");
  EXPECT_EQ(of_classes(Gaps::dropped, 600), "d9de04e35b9c7618");
  const auto of_groups = [&](Gaps gaps) {
    const JointPlan plan{gaps, true, 2, Epsilon(0.5), 0};
    return golden_step(
        make_moments_by_position(column("x", -500, 1000), plan, {kSize / 5, kSize - kSize / 5}),
        make_column(AtomType::f64, golden_doubles(kSize)),
        rows_apart());
  };
  EXPECT_EQ(of_groups(Gaps::imputed), "fa0056114518ca2d");
  EXPECT_EQ(of_groups(Gaps::dropped), "886231c95f1d6f1f");
}

TEST(GoldenStatistics, MomentsOfClusters) {
  const auto of_rows = [](std::uint64_t rounds, std::uint64_t n) {
    const Epsilon epsilon(0.5);
    const ClusterPlan plan{
        {0.25, 0.5, 0.75, 0.125, 0.9, 0.9},
        rounds,
        epsilon,
        n,
        [](const std::vector<double>& centres) { return clusters_around(centres, 2); },
        [=](const Clusters& at, const std::vector<double>& cells) {
          return next_centres(at, cells, 2, to_double_nearest(cluster_scale(2, rounds, epsilon)));
        }};
    return golden_step(make_cluster_moments({column("y", 0, 1.5), column("x", 0, 1)}, plan),
                       golden_frame(false),
                       rows_apart());
  };
  EXPECT_EQ(of_rows(1, 600), "54a9928625740006");
  EXPECT_EQ(of_rows(3, kSize), "21060b6c8eeaf0d7");
}

TEST(GoldenStatistics, ColumnsThatAreComputedOfOthers) {
  const query::ExpressionPtr x = column_named("x");
  const query::ExpressionPtr y = column_named("y");
  const std::vector<DerivedTerm> terms = {{"log", call("log", {y})},
                                          {"exp", call("exp", {call("*", {x, written(7.0)})})},
                                          {"sqrt", call("sqrt", {call("-", {y, x})})},
                                          {"cube", call("^", {y, written(3.0)})},
                                          {"inverse", call("^", {y, written(-2.0)})},
                                          {"product", call("*", {x, y})}};
  const RowProgram program({{column("y", 0, 1.5), {}}, {column("x", 0, 1), {}}}, terms);
  const auto derived = [&](SourceGaps gaps) {
    return golden_step(make_derive_columns(program, gaps), golden_frame(false), rows_apart());
  };
  EXPECT_EQ(derived(SourceGaps::kept), "96091dd46d4579dd");
  EXPECT_EQ(derived(SourceGaps::imputed), "2cf72fee723a9e28");
}

std::string regression(GlmFamily family, double lambda, const GlmInference& inference = {}) {
  const bool is_binary = family == GlmFamily::logit || family == GlmFamily::probit;
  const std::uint64_t parts = inference.share > 0 ? 1 : 2;
  const GlmPlan plan{family, true, kSize, parts, lambda, Epsilon(3), false, inference};
  return golden_step(
      make_objective_perturbation({column("y", 0, is_binary ? 1 : 2), column("x", 0, 1)}, plan),
      golden_frame(is_binary),
      rows_apart());
}

TEST(GoldenStatistics, Regressions) {
  EXPECT_EQ(regression(GlmFamily::logit, 0), "9d9d765fd6c2fa72");
  EXPECT_EQ(regression(GlmFamily::probit, 0.1), "4f6094956ffc0f08");
  EXPECT_EQ(regression(GlmFamily::poisson, 0), "9033d5f8a0535461");
  EXPECT_EQ(regression(GlmFamily::ols, 0.01), "590fc4b3b749db58");
}

TEST(GoldenStatistics, RegressionsWithTheirCurvatures) {
  EXPECT_EQ(regression(GlmFamily::logit, 0, {0.2, true}), "186f3ac2b32728fd");
  EXPECT_EQ(regression(GlmFamily::probit, 0.1, {0.5, false}), "9d4818c07ebcf027");
  EXPECT_EQ(regression(GlmFamily::poisson, 0, {0.2, true}), "7feb367467f0bdca");
  EXPECT_EQ(regression(GlmFamily::ols, 0.01, {0.2, true}), "fe8a3404d595f45f");
}

TEST(GoldenStatistics, MomentsAndSquaresOfResiduals) {
  const std::vector<ColumnSpec> columns = {column("y", 0, 2), column("x", 0, 1)};
  const auto golden = [&](Gaps gaps, bool intercept) {
    const JointPlan moments{gaps, true, 1, Epsilon(3), kSize};
    const auto fit = [&, moments, intercept](const std::vector<double>& released, Epsilon epsilon) {
      JointPlan stage = moments;
      stage.epsilon = epsilon;
      return joint_fit(columns, stage, intercept, released);
    };
    return golden_step(make_joint_residuals(columns, {moments, intercept, 0.2, fit}),
                       golden_frame(false),
                       rows_apart());
  };
  EXPECT_EQ(golden(Gaps::dropped, true), "078382f6af3d5dce");
  EXPECT_EQ(golden(Gaps::imputed, false), "d6d4eb4c396b0adc");
}

TEST(GoldenStatistics, RegressionsWithAnOffset) {
  const auto with_offset = [](GlmFamily family, double highest, const GlmInference& inference) {
    const bool is_binary = family == GlmFamily::logit;
    const GlmPlan plan{family, true, kSize, 1, 0, Epsilon(3), true, inference, true};
    return golden_step(make_objective_perturbation(
                           {column("y", 0, highest), column("x", 0, 1), column("w", -1, 3)}, plan),
                       golden_frame(is_binary),
                       rows_apart());
  };
  EXPECT_EQ(with_offset(GlmFamily::logit, 1, {}), "e5d195ff691d124a");
  EXPECT_EQ(with_offset(GlmFamily::poisson, 2, {0.2, true}), "d03aec8073c05a9a");
}

TEST(GoldenStatistics, MomentsAndRegressionsOfWeightedRows) {
  const std::vector<ColumnSpec> columns = {column("y", 0, 2), column("x", 0, 1), column("w", 0, 3)};
  const auto released = [](const Measurement& measurement) {
    return golden_step(measurement, golden_frame(false), rows_apart());
  };
  const JointPlan moments{Gaps::dropped, true, 1, Epsilon(3), kSize, true};
  EXPECT_EQ(released(make_joint_moments(columns, moments)), "f8967b21d71a0aca");
  const auto fit = [&](const std::vector<double>& sums, Epsilon epsilon) {
    JointPlan stage = moments;
    stage.epsilon = epsilon;
    return joint_fit(columns, stage, true, sums);
  };
  EXPECT_EQ(released(make_joint_residuals(columns, {moments, true, 0.2, fit})), "ba19838b41302750");
  const GlmPlan plan{
      GlmFamily::ols, true, kSize, 1, 0.01, Epsilon(3), true, {0.2, true}, false, true};
  EXPECT_EQ(released(make_objective_perturbation(columns, plan)), "648d28dd9ca0afb8");
}

// Two columns of levels with some missing values.
Value golden_levels() {
  GoldenInput input(63);
  std::vector<double> x(kSize), y(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    x[i] = static_cast<double>(input.below(4));
    y[i] = static_cast<double>(input.below(2));
    if (input.below(20) == 0) x[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return frame_of(x, y);
}

// Noisy counts of a table of columns with level positions.
Measurement golden_table(const std::vector<std::string>& variables,
                         const std::vector<std::uint64_t>& sizes) {
  std::uint64_t cells = 1;
  for (const std::uint64_t size : sizes) cells *= size;
  std::vector<Scalar> categories;
  for (std::uint64_t cell = 0; cell < cells; ++cell) categories.emplace_back(cell);
  const Metric l1 = l1_distance(AtomType::i64);
  const ChainOf counts = ChainOf(make_cross_classify(variables, sizes, kSize))
                             .then(make_count_by_categories, categories, false, l1, AtomType::i64);
  const Domain& domain = counts.get().output_domain();
  return make_chain_mt(make_laplace(domain, l1, 3.5), counts.get());
}

TEST(GoldenStatistics, TablesOfSeveralColumnsAndTheirMargins) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 3, true), column("y", 0, 1, true)};
  const auto released = [&](const Measurement& tables, LevelGaps gaps) {
    const Transformation placed = make_place_levels(columns, gaps, kSize);
    return golden_step(make_chain_mt(tables, placed), golden_levels(), rows_apart());
  };
  EXPECT_EQ(released(golden_table({"x", "y"}, {4, 2}), LevelGaps::imputed), "bf354f98d0bd69ab");
  EXPECT_EQ(released(golden_table({"y", "x"}, {3, 5}), LevelGaps::own_place), "742ee20c1a5921ae");
  const Measurement margins =
      make_composition({golden_table({"x"}, {5}), golden_table({"y"}, {3})});
  EXPECT_EQ(released(margins, LevelGaps::own_place), "e148d33c71855861");
}

// Least and largest value of each block, or a failure if all values are large.
std::vector<std::vector<double>> ends_of_blocks(const BlockCells& cells,
                                                const BlockPlaces& places) {
  std::vector<std::vector<double>> ends;
  std::size_t begin = 0;
  for (const std::size_t end : places.ends) {
    double least = 2, largest = -2;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = cells[0][places.rows[i]];
      least = std::min(least, x);
      largest = std::max(largest, x);
    }
    ends.push_back(least > 0.1 ? std::vector<double>{} : std::vector<double>{least, largest});
    begin = end;
  }
  return ends;
}

TEST(GoldenStatistics, SumsOfBlocksWithTheirNumberAndSquares) {
  const ColumnSpec x = column("x", 0, 1);
  const BlockDesign design = BlockDesign::partitions(kSize, 40, 1);
  const auto released = [&](BlocksFunction function,
                            const std::vector<BlockOutput>& outputs,
                            const JointBlocksPlan& plan) {
    return golden_step(
        make_joint_blocks(
            BlockResults({x}, design, std::move(function), outputs.size()), outputs, plan),
        golden_frame(false),
        rows_apart());
  };
  const NamedBlocks means = named_blocks(BlockFunction::mean, x, design, 0);
  EXPECT_EQ(released(means.function, {means.output}, {false, true, 2}), "f0ffcbf15171e18c");
  const BlockOutput output(0, 1, std::nullopt);
  EXPECT_EQ(released(ends_of_blocks, {output, output}, {true, true, 2}), "888b03169e3e11b5");
  EXPECT_EQ(released(ends_of_blocks, {output, output}, {true, false, 0.5}), "a7a45a092c8495ef");
}

TEST(GoldenStatistics, StatisticsOfBlocks) {
  const ChainOf rows(make_clamp(vector_of(non_nan_atom(AtomType::f64), 3000),
                                symmetric_distance(),
                                golden_bounds(-500, 1000)));
  const Value data = make_column(AtomType::f64, golden_clamped_doubles(3000));
  const auto of_blocks = [&](BlockFunction function) {
    return golden_step(
        rows.then(make_subset_statistics, function, std::uint64_t{30}, l1_distance(AtomType::i64))
            .get(),
        data,
        rows_apart());
  };
  EXPECT_EQ(of_blocks(BlockFunction::mean), "08375e68941ab13a");
  EXPECT_EQ(of_blocks(BlockFunction::median), "4d24ac19d7973ac3");
  EXPECT_EQ(of_blocks(BlockFunction::variance), "b2ad223f7ba6ff10");
}

TEST(GoldenStatistics, Postprocessing) {
  std::vector<std::int64_t> counts;
  GoldenInput input(62);
  for (int i = 0; i < 13; ++i) counts.push_back(static_cast<std::int64_t>(input.below(50)) - 3);
  std::vector<Scalar> edges;
  for (int i = 0; i <= 13; ++i) edges.emplace_back(i * 0.7);
  const Value value = make_column(AtomType::i64, counts);
  std::vector<double> shares;
  for (const std::int64_t count : counts) shares.push_back(static_cast<double>(count) / 7);
  const Value rows = make_column(AtomType::f64, shares);
  EXPECT_EQ(
      golden([&](Golden& found) {
        found.add(make_consistent_b_ary_tree(3, AtomType::i64, AtomType::f64)(value));
        found.add(make_cdf(AtomType::f64)(rows));
        found.add(make_quantiles_from_counts(
            edges, {Scalar(0.1), Scalar(0.5)}, Interpolation::linear, AtomType::f64, AtomType::f64)(
            rows));
      }),
      "5e548be511784575");
}

TEST(GoldenStatistics, LossesOfSeveralReleases) {
  const auto noise = [](const Measure& measure, double scale) {
    return make_noise(
        non_nan_atom(AtomType::i32), absolute_distance(AtomType::i32), measure, scale);
  };
  EXPECT_EQ(
      golden([&](Golden& found) {
        found.add(Distance(std::make_shared<const PrivacyProfile>(compose_pld(
            {{noise(max_divergence(), 9.5), 20}, {noise(zero_concentrated_divergence(), 30), 50}},
            Scalar(std::int32_t{1})))));
      }),
      "c98a8a8b2b725181");
  const std::vector<ReleaseLoss> losses = {
      {Epsilon(0.1), Delta(1e-8)}, {Epsilon(0.25), Delta(0)}, {Epsilon(0.3), Delta(1e-9)}};
  EXPECT_EQ(golden([&](Golden& found) {
              found.add(optimal_epsilon(losses, Delta(1e-6)));
              found.add(closed_form_epsilon(losses, Delta(1e-6)));
              found.add(optimal_delta(losses, Epsilon(0.5)));
              found.add(scale_to_budget(losses, {}, {Epsilon(1), Delta(1e-6)}));
            }),
            "96a2a8ffb882dacf");
}

}  // namespace
}  // namespace dp::test::statistics_golden_test
