// Binds sample-and-aggregate for user functions.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "boundary.h"
#include "core/measurements/calibrate.h"
#include "core/numeric/directed.h"
#include "core/random/bit_source.h"
#include "core/sample_aggregate/block_aggregate.h"
#include "core/sample_aggregate/helped_mean.h"
#include "core/sample_aggregate/joint_blocks.h"
#include "core/sample_aggregate/named_blocks.h"
#include "core/sample_aggregate/trimmed_mean.h"
#include "core/sample_aggregate/winsorized_mean.h"
#include "r_columns.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// A result is valid only if it is a plain vector of doubles.
std::vector<double> doubles_of(SEXP result) {
  if (TYPEOF(result) != REALSXP || Rf_isObject(result)) return {};
  return {REAL(result), REAL(result) + Rf_xlength(result)};
}

// Wraps a closure that takes columns, block positions (from 1) and ends. It returns a list with the
// doubles of each block, and raises no errors.
BlocksFunction blocks_function_from_r(SEXP closure, const std::vector<std::string>& names) {
  const auto function = keep_alive(closure);
  return [function, names](const BlockCells& columns, const BlockPlaces& places) {
    Rcpp::List given(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) given[i] = Rcpp::wrap(columns[i]);
    given.names() = Rcpp::wrap(names);
    Rcpp::NumericVector rows(places.rows.begin(), places.rows.end());
    rows = rows + 1;
    const Rcpp::NumericVector ends(places.ends.begin(), places.ends.end());
    const Rcpp::Shield<SEXP> call(Rf_lang4(kept(function), given, rows, ends));
    const Rcpp::Shield<SEXP> result(Rcpp::Rcpp_fast_eval(call, R_GlobalEnv));
    std::vector<std::vector<double>> blocks(Rf_xlength(result));
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      blocks[b] = doubles_of(VECTOR_ELT(result, static_cast<R_xlen_t>(b)));
    }
    return blocks;
  };
}

// The function to run on each block. `function` is a closure or list(name, smallest block) of a
// named function. `outputs` describes the numbers of a closure: lower, upper, and the change that
// one row can cause, or NaN.
struct Blocks {
  BlockResults results;
  std::vector<BlockOutput> outputs;
};

bool is_named(SEXP function) { return TYPEOF(function) == VECSXP; }

NamedBlocks named_from_r(SEXP function,
                         const ColumnSpec& column,
                         const BlockDesign& design,
                         Gaps gaps) {
  const Rcpp::List given(function);
  const std::string name = Rcpp::as<std::string>(given.at(0));
  return named_blocks(
      parse_block_function(name), column, design, size_from_r(given.at(1), "size"), gaps);
}

std::vector<BlockOutput> outputs_from_r(const Rcpp::List& outputs) {
  const Rcpp::NumericVector lower = outputs["lower"];
  const Rcpp::NumericVector upper = outputs["upper"];
  const Rcpp::NumericVector sensitivity = outputs["sensitivity"];
  std::vector<BlockOutput> all;
  for (R_xlen_t j = 0; j < lower.size(); ++j) {
    std::optional<double> promised;
    if (!std::isnan(sensitivity.at(j))) promised = sensitivity.at(j);
    all.emplace_back(lower.at(j), upper.at(j), promised);
  }
  return all;
}

// `drops`: whether blocks exclude rows with a missing value; otherwise missing values are imputed.
Blocks blocks_from_r(
    const Rcpp::List& columns, SEXP design, bool drops, SEXP function, SEXP outputs) {
  const Gaps gaps = drops ? Gaps::dropped : Gaps::imputed;
  std::vector<ColumnSpec> all = columns_from_r(columns);
  BlockDesign of = from_handle<BlockDesign>(design);
  if (is_named(function)) {
    NamedBlocks named = named_from_r(function, all.at(0), of, gaps);
    return {BlockResults(std::move(all), std::move(of), std::move(named.function), 1, gaps),
            {named.output}};
  }
  std::vector<std::string> names;
  for (const ColumnSpec& column : all) names.push_back(column.name);
  std::vector<BlockOutput> numbers = outputs_from_r(outputs);
  return {BlockResults(std::move(all),
                       std::move(of),
                       blocks_function_from_r(function, names),
                       numbers.size(),
                       gaps),
          std::move(numbers)};
}

std::vector<Interval> intervals_from_r(const Rcpp::NumericVector& ends) {
  const auto half = ends.size() / 2;
  std::vector<Interval> all;
  for (R_xlen_t i = 0; i < half; ++i) all.emplace_back(ends[i], ends[half + i]);
  return all;
}

BlockDesign block_design_from_r(const std::string& scheme, SEXP rows, SEXP blocks, SEXP number) {
  const std::uint64_t k = size_from_r(blocks, "blocks");
  if (scheme == "labels") return BlockDesign::labels(k);
  const std::uint64_t n = size_from_r(rows, "rows");
  const std::uint64_t m = size_from_r(number, "number");
  return scheme == "subsets" ? BlockDesign::subsets(n, k, m, secure_bits())
                             : BlockDesign::partitions(n, k, m);
}

}  // namespace

// Builds a block design, and says how many blocks can contain one row. `scheme` is partitions,
// subsets or labels; `number` is the number of partitions or the size of a subset.
// [[Rcpp::export(rng = false)]]
SEXP core_block_design(std::string scheme, SEXP rows, SEXP blocks, SEXP number) {
  return guarded([&]() -> SEXP {
    const BlockDesign design = block_design_from_r(scheme, rows, blocks, number);
    const Rcpp::RObject handle = to_handle(design);
    const auto overlap = static_cast<double>(design.overlap());
    return Rcpp::List::create(Rcpp::_["design"] = handle, Rcpp::_["overlap"] = overlap);
  });
}

// Describes the numbers of each block: their ends and step. Also gives the sensitivity to one row,
// of one number and of all numbers together, in steps.
// [[Rcpp::export(rng = false)]]
SEXP core_block_outputs(Rcpp::List columns, SEXP design, bool drops, SEXP blocks, SEXP outputs) {
  return guarded([&] {
    const std::uint32_t overlap = from_handle<BlockDesign>(design).overlap();
    Rcpp::NumericVector lower, upper, sensitivity, move;
    Rcpp::IntegerVector exponent;
    for (const BlockOutput& each : blocks_from_r(columns, design, drops, blocks, outputs).outputs) {
      lower.push_back(static_cast<double>(each.range.lower));
      upper.push_back(static_cast<double>(each.range.upper));
      exponent.push_back(each.range.lattice.exponent);
      sensitivity.push_back(static_cast<double>(each.sensitivity));
      move.push_back(each.move(overlap));
    }
    return Rcpp::DataFrame::create(Rcpp::_["lower"] = lower,
                                   Rcpp::_["upper"] = upper,
                                   Rcpp::_["exponent"] = exponent,
                                   Rcpp::_["sensitivity"] = sensitivity,
                                   Rcpp::_["move"] = move);
  });
}

// Takes columns and outputs as parallel vectors.
// [[Rcpp::export(rng = false)]]
SEXP core_make_block_aggregate(Rcpp::List columns,
                               SEXP design,
                               bool drops,
                               SEXP blocks,
                               SEXP outputs,
                               Rcpp::List measurements) {
  return guarded([&] {
    Blocks given = blocks_from_r(columns, design, drops, blocks, outputs);
    std::vector<Composable> members;
    for (SEXP member : measurements) members.push_back(from_handle<Measurement>(member));
    return to_handle(make_block_aggregate(
        std::move(given.results), std::move(given.outputs), std::move(members)));
  });
}

// `rule`: a closure that maps lower and upper quartiles of the columns to lower and upper ends of
// the numbers, and raises no errors. `otherwise`: its value for the full range of all columns. The
// noise scale is the least that lets `d_in` cost at most `epsilon`, times `selection_ratio` for
// selections and `mean_ratio` for means.
// [[Rcpp::export(rng = false)]]
SEXP core_make_helped_mean(Rcpp::List columns,
                           SEXP design,
                           bool drops,
                           SEXP blocks,
                           SEXP outputs,
                           Rcpp::List candidates,
                           SEXP rule,
                           Rcpp::NumericVector otherwise,
                           double selection_ratio,
                           double mean_ratio,
                           SEXP d_in,
                           double epsilon) {
  return guarded([&] {
    RangeHelper helper;
    for (SEXP points : candidates) {
      helper.candidates.push_back(Rcpp::as<std::vector<double>>(points));
    }
    helper.otherwise = intervals_from_r(otherwise);
    helper.ranges = [function = keep_alive(rule)](const std::vector<Interval>& inputs) {
      Rcpp::NumericVector ends(2 * inputs.size());
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        ends[i] = inputs[i].first;
        ends[inputs.size() + i] = inputs[i].second;
      }
      const Rcpp::Shield<SEXP> call(Rf_lang2(kept(function), ends));
      return intervals_from_r(Rcpp::NumericVector(Rcpp::Rcpp_fast_eval(call, R_GlobalEnv)));
    };
    const BlockResults results = blocks_from_r(columns, design, drops, blocks, outputs).results;
    const auto make = [&](double scale) {
      return make_helped_mean(
          results, helper, mul_up(selection_ratio, scale), mul_up(mean_ratio, scale));
    };
    const Distance distance = distance_from_r(d_in, results.metric());
    return to_handle(
        calibrate({"scale", Values::reals}, make, distance, Scalar(epsilon)).measurement);
  });
}

// The noise scale is the least that lets `d_in` cost at most `epsilon`. `drops_failures`: whether
// failed blocks are dropped and counted. `squares`: whether to sum squares as well.
// [[Rcpp::export(rng = false)]]
SEXP core_make_joint_blocks(Rcpp::List columns,
                            SEXP design,
                            bool drops,
                            SEXP blocks,
                            SEXP outputs,
                            bool drops_failures,
                            bool squares,
                            SEXP d_in,
                            double epsilon) {
  return guarded([&] {
    const Blocks given = blocks_from_r(columns, design, drops, blocks, outputs);
    const auto make = [&](double scale) {
      return make_joint_blocks(given.results, given.outputs, {drops_failures, squares, scale});
    };
    const Distance distance = distance_from_r(d_in, given.results.metric());
    return to_handle(
        calibrate({"scale", Values::reals}, make, distance, Scalar(epsilon)).measurement);
  });
}
