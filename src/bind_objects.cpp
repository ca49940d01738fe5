// Invocation, maps and parts of transformations, measurements and functions.
#include <chrono>

#include "boundary.h"
#include "core/engine/parallel.h"
#include "core/engine/progress.h"
#include "core/measurements/measurement.h"
#include "core/transformations/transformation.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_transformation_invoke(SEXP transformation, SEXP arg) {
  return guarded([&] {
    const auto& it = from_handle<Transformation>(transformation);
    return value_to_r(it.invoke(value_from_r(arg, it.input_domain())), it.output_domain(), arg);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_transformation_map(SEXP transformation, SEXP d_in) {
  return guarded([&] {
    const auto& it = from_handle<Transformation>(transformation);
    return distance_to_r(it.map(distance_from_r(d_in, it.input_metric())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_transformation_check(SEXP transformation, SEXP d_in, SEXP d_out) {
  return guarded([&] {
    const auto& it = from_handle<Transformation>(transformation);
    return Rf_ScalarLogical(it.check(distance_from_r(d_in, it.input_metric()),
                                     limit_from_r(d_out, it.output_metric())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_transformation_parts(SEXP transformation) {
  return guarded([&] {
    const auto& it = from_handle<Transformation>(transformation);
    return Rcpp::List::create(
        Rcpp::_["input_domain"] = Rcpp::RObject(to_handle(it.input_domain())),
        Rcpp::_["input_metric"] = Rcpp::RObject(to_handle(it.input_metric())),
        Rcpp::_["output_domain"] = Rcpp::RObject(to_handle(it.output_domain())),
        Rcpp::_["output_metric"] = Rcpp::RObject(to_handle(it.output_metric())),
        Rcpp::_["function"] =
            Rcpp::RObject(to_handle(on_carrier(it.input_domain(), it.function()))));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measurement_invoke(SEXP measurement, SEXP arg) {
  return guarded([&] {
    const auto& it = from_handle<Measurement>(measurement);
    return value_to_r(it.invoke(value_from_r(arg, it.input_domain())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measurement_map(SEXP measurement, SEXP d_in) {
  return guarded([&] {
    const auto& it = from_handle<Measurement>(measurement);
    return distance_to_r(it.map(distance_from_r(d_in, it.input_metric())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measurement_check(SEXP measurement, SEXP d_in, SEXP d_out) {
  return guarded([&] {
    const auto& it = from_handle<Measurement>(measurement);
    return Rf_ScalarLogical(it.check(distance_from_r(d_in, it.input_metric()),
                                     distance_from_r(d_out, it.output_measure())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measurement_parts(SEXP measurement) {
  return guarded([&] {
    const auto& it = from_handle<Measurement>(measurement);
    return Rcpp::List::create(
        Rcpp::_["input_domain"] = Rcpp::RObject(to_handle(it.input_domain())),
        Rcpp::_["input_metric"] = Rcpp::RObject(to_handle(it.input_metric())),
        Rcpp::_["output_measure"] = Rcpp::RObject(to_handle(it.output_measure())),
        Rcpp::_["function"] =
            Rcpp::RObject(to_handle(on_carrier(it.input_domain(), it.function()))));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_set_threads(SEXP count) {
  return guarded([&] {
    set_thread_count(static_cast<std::size_t>(size_from_r(count, "count")));
    return R_NilValue;
  });
}

namespace {

using Clock = std::chrono::steady_clock;

void check_for_interrupt(void*) { R_CheckUserInterrupt(); }

}  // namespace

// Lets the core ask, between blocks, whether the user wants to stop: twenty times a second, however
// often it asks.
// [[Rcpp::export(rng = false)]]
SEXP core_listen_to_interrupts() {
  return guarded([&] {
    set_interrupt_check([asked = Clock::time_point{}]() mutable {
      const auto now = Clock::now();
      if (now - asked < std::chrono::milliseconds(50)) return false;
      asked = now;
      return R_ToplevelExec(check_for_interrupt, nullptr) == FALSE;
    });
    return R_NilValue;
  });
}

// Lets `show`, an R function of a number in [0, 1], know how far a pass over data has come; 1 when
// it is over. What it throws is lost: the pass goes on.
// [[Rcpp::export(rng = false)]]
SEXP core_listen_to_progress(SEXP show) {
  return guarded([&] {
    const Opaque function = keep_alive(show);
    set_progress([function, progress = Progress()](std::size_t done, std::size_t total) mutable {
      const Progress::Say say = progress.at(done, total, Clock::now());
      if (say == Progress::Say::nothing) return;
      const double share = static_cast<double>(done) / static_cast<double>(total);
      const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(share));
      const Rcpp::Shield<SEXP> call(Rf_lang2(kept(function), argument));
      R_tryEvalSilent(call, R_BaseEnv, nullptr);
    });
    return R_NilValue;
  });
}
