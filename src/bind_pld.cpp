#include "boundary.h"
#include "core/accounting/pld.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// `measurements` is not empty, `times` as long; `step` is a number or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_compose_pld(Rcpp::List measurements, Rcpp::List times, SEXP d_in, SEXP step) {
  return guarded([&] {
    if (measurements.size() == 0 || times.size() != measurements.size()) {
      throw Error(ErrorKind::failed_cast, "there must be measurements, and a number for each.");
    }
    std::vector<RepeatedMeasurement> members;
    for (R_xlen_t i = 0; i < measurements.size(); ++i) {
      members.push_back(
          {from_handle<Measurement>(measurements[i]), size_from_r(times[i], "times")});
    }
    const Distance distance = distance_from_r(d_in, members.front().measurement->input_metric());
    const auto grid =
        Rf_isNull(step) ? std::nullopt : std::optional<double>(double_from_r(step, "step"));
    return to_handle(compose_pld(members, distance, grid));
  });
}
