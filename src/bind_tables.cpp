// Binds tables of counts: their planned design, and tables rebuilt from released effects.
#include <vector>

#include "boundary.h"
#include "core/error.h"
#include "core/query/combined_noise.h"
#include "core/tables/design.h"
#include "core/tables/rebuilt.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

tables::Shape shape_from_r(const Rcpp::IntegerVector& sizes) {
  tables::Shape shape;
  for (const int size : sizes) {
    if (size == NA_INTEGER || size < 0) {
      throw Error(ErrorKind::failed_cast, "numbers of cells must be whole numbers.");
    }
    shape.push_back(static_cast<std::size_t>(size));
  }
  return shape;
}

// Indices in R begin at 1.
tables::ColumnSet columns_from_r(const Rcpp::IntegerVector& columns, std::size_t most) {
  tables::ColumnSet set;
  for (const int column : columns) {
    const bool follows = set.empty() || static_cast<int>(set.back()) < column - 1;
    if (column < 1 || static_cast<std::size_t>(column) > most || !follows) {
      throw Error(ErrorKind::failed_cast, "columns of a table must be increasing indices.");
    }
    set.push_back(static_cast<std::size_t>(column - 1));
  }
  return set;
}

Rcpp::IntegerVector columns_to_r(const tables::ColumnSet& set) {
  Rcpp::IntegerVector columns;
  for (const std::size_t column : set) columns.push_back(static_cast<int>(column) + 1);
  return columns;
}

}  // namespace

// Returns list(columns, share): the effects to measure. `columns` is a list of indices.
// [[Rcpp::export(rng = false)]]
SEXP core_planned_design(Rcpp::IntegerVector sizes,
                         Rcpp::List workload,
                         Rcpp::NumericVector importance,
                         bool replaced) {
  return guarded([&]() -> SEXP {
    const tables::Shape shape = shape_from_r(sizes);
    std::vector<tables::WorkloadTable> wanted;
    for (R_xlen_t i = 0; i < workload.size(); ++i) {
      wanted.push_back({columns_from_r(Rcpp::as<Rcpp::IntegerVector>(workload[i]), shape.size()),
                        importance[i]});
    }
    const tables::Design design = tables::planned_design(shape, wanted, replaced);
    Rcpp::List columns;
    Rcpp::NumericVector shares;
    for (const tables::PlannedEffect& each : design.effects) {
      columns.push_back(columns_to_r(each.columns));
      shares.push_back(each.share);
    }
    return Rcpp::List::create(Rcpp::_["columns"] = columns, Rcpp::_["share"] = shares);
  });
}

// A table of `sizes` cells from released effects: `kept` has the indices of the columns of each
// effect, `deviations` the deviation of the noise in its numbers. Returns list(estimate, std_error,
// reach); `reach` bounds the error with probability 1 - alpha.
// [[Rcpp::export(rng = false)]]
SEXP core_rebuilt_table(Rcpp::IntegerVector sizes,
                        Rcpp::List kept,
                        Rcpp::List numbers,
                        Rcpp::NumericVector deviations,
                        double alpha) {
  return guarded([&]() -> SEXP {
    const tables::Shape shape = shape_from_r(sizes);
    std::vector<tables::NoisyEffect> effects;
    for (R_xlen_t i = 0; i < kept.size(); ++i) {
      tables::NoisyEffect effect;
      effect.kept.assign(shape.size(), false);
      const auto columns = columns_from_r(Rcpp::as<Rcpp::IntegerVector>(kept[i]), shape.size());
      for (const std::size_t column : columns) effect.kept[column] = true;
      effect.numbers = Rcpp::as<std::vector<double>>(numbers[i]);
      effect.deviation = deviations[i];
      if (effect.numbers.size() != tables::cells_of(tables::kept_shape(shape, effect.kept))) {
        throw Error(ErrorKind::failed_cast, "an effect must have a number for each cell.");
      }
      effects.push_back(std::move(effect));
    }
    const tables::RebuiltTable table = tables::rebuilt_table(shape, effects);
    const query::CombinedReach reach(query::NoiseKind::gaussian, Alpha(alpha));
    return Rcpp::List::create(Rcpp::_["estimate"] = table.estimates,
                              Rcpp::_["std_error"] = table.deviation,
                              Rcpp::_["reach"] = reach.of(table.deviation * table.deviation, 0));
  });
}
