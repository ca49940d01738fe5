// Binds the core's limits on public sizes, and the check of how deeply code and lists are nested.
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/limits.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

bool is_code(SEXP part) { return TYPEOF(part) == LANGSXP || TYPEOF(part) == LISTSXP; }

bool is_list(SEXP part) { return TYPEOF(part) == VECSXP || TYPEOF(part) == EXPRSXP; }

// Whether `object` has at most `most_parts` parts, and none nested deeper than `most_depth` calls
// or lists. Does not recurse, and terminates even if parts are shared in a cycle.
bool is_shallow(SEXP object, std::size_t most_depth, std::size_t most_parts) {
  std::vector<std::pair<SEXP, std::size_t>> open{{object, 0}};
  for (std::size_t parts = 1; !open.empty(); ++parts) {
    const auto [part, depth] = open.back();
    open.pop_back();
    if (parts > most_parts) return false;
    if (!is_code(part) && !is_list(part)) continue;
    if (depth == most_depth) return false;
    if (is_list(part)) {
      for (R_xlen_t i = 0; i < Rf_xlength(part); ++i) {
        open.emplace_back(VECTOR_ELT(part, i), depth + 1);
      }
      continue;
    }
    for (SEXP rest = part; is_code(rest); rest = CDR(rest)) {
      open.emplace_back(CAR(rest), depth + 1);
    }
  }
  return true;
}

}  // namespace

// The constants of limits.h, by name.
// [[Rcpp::export(rng = false)]]
SEXP core_limits() {
  return guarded([&] {
    return Rcpp::List::create(Rcpp::_["nested_calls"] = static_cast<double>(limits::kNestedCalls),
                              Rcpp::_["parts_of_code"] = static_cast<double>(limits::kPartsOfCode),
                              Rcpp::_["nested_lists"] = static_cast<double>(limits::kNestedLists),
                              Rcpp::_["cells"] = static_cast<double>(limits::kCells),
                              Rcpp::_["numbers"] = static_cast<double>(limits::kNumbers),
                              Rcpp::_["leaves"] = static_cast<double>(limits::kLeaves));
  });
}

// Whether code, or a list, has at most `most_depth` nested calls or lists, and `most_parts` parts.
// [[Rcpp::export(rng = false)]]
SEXP core_is_shallow(SEXP object, double most_depth, double most_parts) {
  return guarded([&] {
    return Rf_ScalarLogical(is_shallow(
        object, static_cast<std::size_t>(most_depth), static_cast<std::size_t>(most_parts)));
  });
}
