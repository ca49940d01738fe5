// Binds operations on framework objects of any kind. A binding takes the R object and reads the
// kind from its handle.
#include <chrono>
#include <optional>
#include <string>

#include "boundary.h"
#include "core/combinators/chain.h"
#include "core/combinators/odometer.h"
#include "core/data/membership.h"
#include "core/data/public_size.h"
#include "core/measurements/measurement.h"
#include "core/measures/privacy_profile.h"
#include "core/runtime/parallel.h"
#include "core/runtime/progress.h"
#include "core/transformations/transformation.h"
#include "r_jumps.h"
#include "r_objects.h"
#include "r_plan.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

SEXP handle_in(SEXP object) {
  if (TYPEOF(object) != CLOSXP || !OBJECT(object)) {
    throw Error(ErrorKind::failed_cast, "expected an object of the framework.");
  }
  return Rcpp::Environment(CLOENV(object))["handle"];
}

template <class T>
bool holds(SEXP handle) {
  return TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install(handle_tag<T>());
}

// Applies `act` to the transformation or measurement that `handle` holds.
template <class F>
auto with_mapped(SEXP handle, F&& act) {
  if (holds<Transformation>(handle)) return act(from_handle<Transformation>(handle));
  return act(from_handle<Measurement>(handle));
}

// Records which map and distance produced the profiles and curves inside a distance.
void keep_origin(SEXP distance, const Rcpp::List& node) {
  if (TYPEOF(distance) == EXTPTRSXP) keep_plan(distance, node);
  if (TYPEOF(distance) != VECSXP) return;
  for (R_xlen_t i = 0; i < Rf_xlength(distance); ++i) keep_origin(VECTOR_ELT(distance, i), node);
}

// Wraps a new handle in an R object, made by the package's function for its class.
template <class T>
Rcpp::List named_handle(const char* kind, T object) {
  Rcpp::List out = Rcpp::List::create(Rcpp::RObject(to_handle(std::move(object))));
  out.names() = Rcpp::CharacterVector::create(kind);
  return out;
}

// Finds the parts that transformations and measurements share.
template <class T>
std::optional<Rcpp::List> input_part(const T& of, const std::string& part) {
  if (part == "input_domain") return named_handle("domain", of.input_domain());
  if (part == "input_metric") return named_handle("metric", of.input_metric());
  return std::nullopt;
}

template <class T>
std::optional<Rcpp::List> function_part(const T& of, const std::string& part) {
  if (part != "function") return input_part(of, part);
  Rcpp::List made = named_handle("opendp_function", on_carrier(of.input_domain(), of.function()));
  made["takes"] = carrier_name(of.input_domain());
  return made;
}

std::optional<Rcpp::List> part_of(const Transformation& of, const std::string& part) {
  if (part == "output_domain") return named_handle("domain", of.output_domain());
  if (part == "output_metric") return named_handle("metric", of.output_metric());
  return function_part(of, part);
}

std::optional<Rcpp::List> part_of(const Measurement& of, const std::string& part) {
  if (part == "output_measure") return named_handle("measure", of.output_measure());
  return function_part(of, part);
}

std::optional<Rcpp::List> part_of(const Odometer& of, const std::string& part) {
  if (part == "output_measure") return named_handle("measure", of.output_measure());
  return input_part(of, part);
}

Rcpp::List described(const std::string& debug,
                     const std::string& type,
                     const char* of,
                     const std::string& of_type,
                     const Opaque& descriptor) {
  return Rcpp::List::create(Rcpp::_["debug"] = debug,
                            Rcpp::_["type"] = type,
                            Rcpp::_[of] = of_type,
                            Rcpp::_["descriptor"] = descriptor ? kept(descriptor) : R_NilValue);
}

Rcpp::List description_of(const Domain& it) {
  const auto* user = it.as<UserDomain>();
  return described(debug(it),
                   type_name(it),
                   "carrier_type",
                   carrier_name(it),
                   user != nullptr ? user->descriptor : nullptr);
}

// Describes a metric or a measure.
template <class T>
Rcpp::List description_of(const T& it) {
  return described(
      debug(it), type_name(it), "distance_type", distance_type_name(it), it.descriptor);
}

}  // namespace

// Invokes an object on data: a transformation, an odometer, or one release of a measurement.
// [[Rcpp::export(rng = false)]]
SEXP core_invoke(SEXP object, SEXP arg) {
  return guarded([&]() -> SEXP {
    const SEXP handle = handle_in(object);
    if (holds<Transformation>(handle)) {
      const auto& it = from_handle<Transformation>(handle);
      return value_to_r(it.invoke(value_from_r(arg, it.input_domain())), it.output_domain(), arg);
    }
    if (holds<Odometer>(handle)) {
      const auto& it = from_handle<Odometer>(handle);
      return queryable_to_r(it.invoke(value_from_r(arg, it.input_domain())));
    }
    const auto& it = from_handle<Measurement>(handle);
    return value_to_r(it.invoke(value_from_r(arg, it.input_domain())));
  });
}

// Rejects an argument that is not a vector of the type and public number of rows that
// `measurement` takes, without reading any element. Other data are checked while they are read.
// [[Rcpp::export(rng = false)]]
SEXP core_check_rows(SEXP measurement, SEXP arg) {
  return guarded([&] {
    const Domain& domain = from_handle<Measurement>(handle_in(measurement)).input_domain();
    const auto* rows = domain.as<VectorDomain>();
    const bool is_read_whole = rows == nullptr || rows->element->as<VectorDomain>() != nullptr;
    if (!is_read_whole && !has_public_size(value_from_r(arg, domain), domain)) refuse_nonmember();
    return R_NilValue;
  });
}

// Evaluates the map of a transformation or a measurement.
// [[Rcpp::export(rng = false)]]
SEXP core_map(SEXP object, SEXP d_in) {
  return guarded([&] {
    return with_mapped(handle_in(object), [&](const auto& it) -> SEXP {
      const Rcpp::Shield<SEXP> distance(
          distance_to_r(it.map(distance_from_r(d_in, it.input_metric()))));
      keep_origin(distance, Rcpp::List::create(Rcpp::_["d_in"] = d_in, Rcpp::_["of"] = object));
      return distance;
    });
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_check(SEXP object, SEXP d_in, SEXP d_out) {
  return guarded([&] {
    const SEXP handle = handle_in(object);
    if (holds<Transformation>(handle)) {
      const auto& it = from_handle<Transformation>(handle);
      return Rf_ScalarLogical(it.check(distance_from_r(d_in, it.input_metric()),
                                       limit_from_r(d_out, it.output_metric())));
    }
    const auto& it = from_handle<Measurement>(handle);
    return Rf_ScalarLogical(it.check(distance_from_r(d_in, it.input_metric()),
                                     distance_from_r(d_out, it.output_measure())));
  });
}

// Returns a part in the form of core_build(); NULL if the object has no part of that name.
// [[Rcpp::export(rng = false)]]
SEXP core_part(SEXP object, std::string name) {
  return guarded([&]() -> SEXP {
    const SEXP handle = handle_in(object);
    std::optional<Rcpp::List> part;
    if (holds<Transformation>(handle)) {
      part = part_of(from_handle<Transformation>(handle), name);
    } else if (holds<Odometer>(handle)) {
      part = part_of(from_handle<Odometer>(handle), name);
    } else {
      part = part_of(from_handle<Measurement>(handle), name);
    }
    if (!part) return R_NilValue;
    keep_plan((*part)[0], Rcpp::List::create(Rcpp::_["part"] = name, Rcpp::_["of"] = object));
    return *part;
  });
}

// Describes a domain, a metric or a measure: its printed form, its type, the type of its elements
// or distances, and the user's descriptor.
// [[Rcpp::export(rng = false)]]
SEXP core_describe(SEXP object) {
  return guarded([&]() -> SEXP {
    const SEXP handle = handle_in(object);
    if (holds<Domain>(handle)) return description_of(from_handle<Domain>(handle));
    if (holds<Metric>(handle)) return description_of(from_handle<Metric>(handle));
    return description_of(from_handle<Measure>(handle));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_member(SEXP domain, SEXP value) {
  return guarded([&] {
    const auto& it = from_handle<Domain>(handle_in(domain));
    const auto* user = it.as<UserDomain>();
    if (user != nullptr && user->member) {
      const Rcpp::RObject answer = call_user(kept(user->member), value, true);
      return Rf_ScalarLogical(user_result(
          true, [&] { return flag_from_r(answer, "the result of the member function"); }));
    }
    return Rf_ScalarLogical(member(it, value_from_r(value, it)));
  });
}

// Evaluates a privacy profile: its delta at `epsilon`, or its epsilon at `delta`. The other
// argument is NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_profile_at(SEXP profile, SEXP epsilon, SEXP delta) {
  return guarded([&] {
    const auto& it = from_handle<PrivacyProfile>(handle_in(profile));
    return Rf_ScalarReal(Rf_isNull(delta) ? it.delta(double_from_r(epsilon, "epsilon"))
                                          : it.epsilon(double_from_r(delta, "delta")));
  });
}

// Whether a distance given as a handle is a Renyi curve; otherwise it is a privacy profile.
// [[Rcpp::export(rng = false)]]
SEXP core_is_curve(SEXP distance) {
  return guarded([&] { return Rf_ScalarLogical(holds<Function>(distance)); });
}

// Throws unless two R objects have equal spaces: `domain` and `metric` must equal the input space
// of `object`.
// [[Rcpp::export(rng = false)]]
SEXP core_check_same_space(SEXP domain, SEXP metric, SEXP object) {
  return guarded([&] {
    const auto compare = [&](const auto& it) {
      check_same_domain(from_handle<Domain>(handle_in(domain)), it.input_domain());
      check_same_metric(from_handle<Metric>(handle_in(metric)), it.input_metric());
      return R_NilValue;
    };
    const SEXP handle = handle_in(object);
    if (holds<Odometer>(handle)) return compare(from_handle<Odometer>(handle));
    return with_mapped(handle, compare);
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

}  // namespace

// Checks for a user interrupt between blocks, at most twenty times a second even if the core asks
// more often. An interrupt jumps out. Also reports progress to `show`, an R function of a number in
// [0, 1]: NA if the length of the pass is unknown, 1 at its end. Errors from `show` are ignored and
// the pass continues.
// [[Rcpp::export(rng = false)]]
SEXP core_attend(SEXP show) {
  return guarded([&] {
    set_interrupt_check([asked = Clock::time_point{}]() mutable {
      const auto now = Clock::now();
      if (now - asked < std::chrono::milliseconds(50)) return false;
      asked = now;
      look_for_interrupts();
      return false;
    });
    const Opaque function = keep_alive(show);
    set_progress([function, progress = Progress()](std::size_t done, std::size_t total) mutable {
      const Progress::Say say = progress.at(done, total, Clock::now());
      if (say == Progress::Say::nothing) return;
      const bool known = total != kNoTotal || say == Progress::Say::done;
      const double share = known ? static_cast<double>(done) / static_cast<double>(total) : NA_REAL;
      const Undisturbed undisturbed;
      const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(share));
      const Rcpp::Shield<SEXP> call(Rf_lang2(kept(function), argument));
      R_tryEvalSilent(call, R_BaseEnv, nullptr);
    });
    return R_NilValue;
  });
}
