// Sample and aggregate for functions of the user's.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "boundary.h"
#include "core/random/bit_source.h"
#include "core/sample_aggregate/block_aggregate.h"
#include "core/sample_aggregate/trimmed_mean.h"
#include "core/sample_aggregate/winsorized_mean.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// A closure of columns, places (from 1) and ends that gives doubles, and raises no errors.
BlocksFunction blocks_function_from_r(SEXP closure, const std::vector<std::string>& names) {
  const auto function = keep_alive(closure);
  return [function, names](const std::vector<std::vector<double>>& columns,
                           const BlockPlaces& places) {
    Rcpp::List given(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) given[i] = Rcpp::wrap(columns[i]);
    given.names() = Rcpp::wrap(names);
    Rcpp::NumericVector rows(places.rows.begin(), places.rows.end());
    rows = rows + 1;
    const Rcpp::NumericVector ends(places.ends.begin(), places.ends.end());
    const Rcpp::Shield<SEXP> call(Rf_lang4(kept(function), given, rows, ends));
    const Rcpp::Shield<SEXP> result(Rcpp::Rcpp_fast_eval(call, R_GlobalEnv));
    return std::vector<double>(REAL(result), REAL(result) + Rf_xlength(result));
  };
}

BlockOutput block_output(double lower, double upper, double sensitivity) {
  std::optional<double> promised;
  if (!std::isnan(sensitivity)) promised = sensitivity;
  return BlockOutput(lower, upper, promised);
}

std::vector<BlockColumn> columns_from_r(const Rcpp::List& columns) {
  const Rcpp::CharacterVector names = columns["name"];
  const Rcpp::NumericVector lower = columns["lower"];
  const Rcpp::NumericVector upper = columns["upper"];
  const Rcpp::NumericVector impute_lower = columns["impute_lower"];
  const Rcpp::NumericVector impute_upper = columns["impute_upper"];
  const Rcpp::LogicalVector whole = columns["whole"];
  std::vector<BlockColumn> all;
  for (R_xlen_t i = 0; i < names.size(); ++i) {
    all.push_back({Rcpp::as<std::string>(names[i]),
                   lower[i],
                   upper[i],
                   impute_lower[i],
                   impute_upper[i],
                   whole[i] != 0});
  }
  return all;
}

}  // namespace

// `scheme` is partitions, subsets or labels; `repeats` or `size` is what the first two need.
// [[Rcpp::export(rng = false)]]
SEXP core_block_design(std::string scheme, SEXP rows, SEXP blocks, SEXP number) {
  return guarded([&] {
    const std::uint64_t k = size_from_r(blocks, "blocks");
    if (scheme == "labels") return to_handle(BlockDesign::labels(k));
    const std::uint64_t n = size_from_r(rows, "rows");
    const std::uint64_t m = size_from_r(number, "number");
    return to_handle(scheme == "subsets" ? BlockDesign::subsets(n, k, m, secure_bits())
                                         : BlockDesign::partitions(n, k, m));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_block_overlap(SEXP design) {
  return guarded([&] { return Rf_ScalarReal(from_handle<BlockDesign>(design).overlap()); });
}

// Steps of the lattice of one number: its ends, exponent, and how far one row moves it. NaN for a
// sensitivity that nobody promises.
// [[Rcpp::export(rng = false)]]
SEXP core_block_output(double lower, double upper, double sensitivity) {
  return guarded([&] {
    const BlockOutput output = block_output(lower, upper, sensitivity);
    return Rcpp::List::create(Rcpp::_["lower"] = static_cast<double>(output.range.lower),
                              Rcpp::_["upper"] = static_cast<double>(output.range.upper),
                              Rcpp::_["exponent"] = output.range.lattice.exponent,
                              Rcpp::_["sensitivity"] = static_cast<double>(output.sensitivity));
  });
}

// Columns and outputs as parallel vectors.
// [[Rcpp::export(rng = false)]]
SEXP core_make_block_aggregate(
    Rcpp::List columns, SEXP design, SEXP closure, Rcpp::List outputs, Rcpp::List measurements) {
  return guarded([&] {
    std::vector<BlockColumn> all = columns_from_r(columns);
    std::vector<std::string> names;
    for (const BlockColumn& column : all) names.push_back(column.name);
    const Rcpp::NumericVector lower = outputs["lower"];
    const Rcpp::NumericVector upper = outputs["upper"];
    const Rcpp::NumericVector sensitivity = outputs["sensitivity"];
    std::vector<BlockOutput> numbers;
    for (R_xlen_t j = 0; j < lower.size(); ++j) {
      numbers.push_back(block_output(lower[j], upper[j], sensitivity[j]));
    }
    std::vector<Measurement> members;
    for (SEXP member : measurements) members.push_back(from_handle<Measurement>(member));
    return to_handle(make_block_aggregate(std::move(all),
                                          from_handle<BlockDesign>(design),
                                          blocks_function_from_r(closure, names),
                                          std::move(numbers),
                                          std::move(members)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_trimmed_sum(
    SEXP input_domain, SEXP input_metric, SEXP trim, double shift, double beta) {
  return guarded([&] {
    return to_handle(make_trimmed_sum(from_handle<Domain>(input_domain),
                                      from_handle<Metric>(input_metric),
                                      size_from_r(trim, "trim"),
                                      shift,
                                      beta));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_winsorized_mean(SEXP input_domain,
                               SEXP input_metric,
                               int exponent,
                               Rcpp::NumericVector quantiles,
                               Rcpp::NumericVector candidates,
                               double reach,
                               double selection_scale,
                               double scale) {
  return guarded([&] {
    WinsorizedRule rule{{quantiles[0], quantiles[1]}, {}, reach, selection_scale, scale};
    for (const double each : candidates) rule.candidates.push_back(static_cast<std::int64_t>(each));
    return to_handle(make_winsorized_mean(from_handle<Domain>(input_domain),
                                          from_handle<Metric>(input_metric),
                                          Lattice{exponent},
                                          rule));
  });
}
