// Builds framework objects from the catalogue.
#include <optional>
#include <string>

#include "boundary.h"
#include "core/catalogue/catalogue.h"
#include "core/combinators/chain.h"
#include "r_arguments.h"
#include "r_plan.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// Names the R class of each kind of object. R sets this class on the handle.
const char* class_in_r(const Made& made) {
  constexpr const char* kClasses[] = {"domain",
                                      "metric",
                                      "measure",
                                      "transformation",
                                      "measurement",
                                      "odometer",
                                      "opendp_function",
                                      "privacy_profile"};
  return kClasses[made.index()];
}

template <class T>
SEXP handle_to(T object) {
  return to_handle(std::move(object));
}
SEXP handle_to(Postprocessor object) { return to_handle(std::move(object.function)); }

SEXP made_to_r(Made made, const Rcpp::List& node) {
  const std::string kind = class_in_r(made);
  Rcpp::RObject takes;
  if (const auto* function = std::get_if<Postprocessor>(&made);
      function && !function->takes.empty()) {
    takes = Rcpp::wrap(function->takes);
  }
  const Rcpp::Shield<SEXP> handle(
      std::visit([](auto&& object) { return handle_to(std::move(object)); }, std::move(made)));
  keep_plan(handle, node);
  return Rcpp::List::create(Rcpp::_[kind] = Rcpp::RObject(handle), Rcpp::_["takes"] = takes);
}

Rcpp::List step_node(const std::string& step, const RArguments& given) {
  return Rcpp::List::create(Rcpp::_["constructor"] = step, Rcpp::_["args"] = given.given());
}

// Describes a step that is chained to `before`, as the argument `outer` of the chain.
Rcpp::List step_node(const std::string& step,
                     const RArguments& given,
                     SEXP before,
                     const char* outer) {
  return Rcpp::List::create(Rcpp::_["constructor"] = step,
                            Rcpp::_["args"] = given.given(),
                            Rcpp::_["input"] = before,
                            Rcpp::_["outer"] = outer);
}

// Reads a loss: one number, or the parts of a pair.
Distance loss_from_r(const Rcpp::NumericVector& loss) {
  if (loss.size() == 1) return Scalar(double{loss[0]});
  Distance::Tuple parts;
  for (const double part : loss) parts.emplace_back(Scalar(part));
  return parts;
}

// Finds the transformation before a step; null if there is none.
const Transformation* transformation_before(SEXP before) {
  if (Rf_isNull(before)) return nullptr;
  return &from_handle<Transformation>(handle_of(before, "transformation", "lhs"));
}

}  // namespace

// Lists every constructor: name, module, arguments, required features, and an example. The example
// is the text between the parentheses of a call, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_catalogue() {
  return guarded([&] {
    std::vector<std::string> names, modules;
    Rcpp::List arguments, features, examples;
    for (const Family& family : catalogue()) {
      for (const Constructor& each : family.constructors) {
        names.push_back(each.name());
        modules.push_back(family.module);
        arguments.push_back(Rcpp::wrap(each.arguments()));
        features.push_back(Rcpp::wrap(each.features()));
        examples.push_back(each.example() ? Rcpp::wrap(*each.example()) : R_NilValue);
      }
    }
    return SEXP(Rcpp::List::create(Rcpp::_["name"] = names,
                                   Rcpp::_["module"] = modules,
                                   Rcpp::_["arguments"] = arguments,
                                   Rcpp::_["features"] = features,
                                   Rcpp::_["example"] = examples));
  });
}

// Calls a constructor with its arguments in order. Returns a list of one handle, named by the class
// of the object that it holds. `before` is NULL or a transformation (an R object): it replaces the
// first two arguments, and the new object is chained to it. Only transformations and measurements
// can be chained.
// [[Rcpp::export(rng = false)]]
SEXP core_build(std::string step, SEXP before, Rcpp::List args) {
  return guarded([&]() -> SEXP {
    const Constructor& constructor = constructor_called(step);
    const Transformation* inner = transformation_before(before);
    const RArguments given(constructor, args, inner);
    Made made = constructor.make(given);
    if (inner == nullptr) return made_to_r(std::move(made), step_node(step, given));
    const auto node = [&](const char* outer) { return step_node(step, given, before, outer); };
    if (const auto* outer = std::get_if<Transformation>(&made)) {
      return made_to_r(make_chain_tt(*outer, *inner), node("transformation1"));
    }
    if (const auto* outer = std::get_if<Measurement>(&made)) {
      return made_to_r(make_chain_mt(*outer, *inner), node("measurement1"));
    }
    return Rcpp::Function(Rcpp::Environment::namespace_env("PSIlence")["refuse_chain"])(
        class_in_r(made));
  });
}

// Builds a step like core_build(), but calibrates the argument `free`. It gets the least value
// whose loss at distance `d_in` is at most `loss`; the value given in `args` is ignored. The plan
// records the step with the calibrated value.
// [[Rcpp::export(rng = false)]]
SEXP core_calibrate(std::string step,
                    SEXP before,
                    Rcpp::List args,
                    std::string free,
                    SEXP d_in,
                    Rcpp::NumericVector loss) {
  return guarded([&] {
    const Constructor& constructor = constructor_called(step);
    const Transformation* inner = transformation_before(before);
    RArguments given(constructor, args, inner);
    const auto make = [&](double value) {
      given.set(free, value);
      return std::get<Measurement>(constructor.make(given));
    };
    // A step that takes no space has the same metric for every value, so any value reveals it.
    const auto metric = [&]() -> Metric {
      return constructor.takes_space() ? given.metric("input_metric") : make(1).input_metric();
    };
    const Distance distance = inner == nullptr
                                  ? distance_from_r(d_in, metric())
                                  : inner->map(distance_from_r(d_in, inner->input_metric()));
    const Calibrated found =
        calibrate(constructor.free_argument(free), make, distance, loss_from_r(loss));
    given.set(free, found.value);
    if (inner == nullptr) {
      return made_to_r(found.measurement, step_node(step, given));
    }
    return made_to_r(make_chain_mt(found.measurement, *inner),
                     step_node(step, given, before, "measurement1"));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_keep_plan(SEXP handle, SEXP node) {
  return guarded([&] {
    keep_plan(handle, node);
    return R_NilValue;
  });
}

// Computes the digest of a node without a handle, such as the node of a statistic.
// [[Rcpp::export(rng = false)]]
SEXP core_node_digest(Rcpp::List node) {
  return guarded([&] { return node_digest(node); });
}

// Returns list(node, digest) of the plan that a handle keeps, each NULL if there is none.
// [[Rcpp::export(rng = false)]]
SEXP core_identity(SEXP handle) {
  return Rcpp::List::create(Rcpp::_["node"] = Rcpp::RObject(node_of(handle)),
                            Rcpp::_["digest"] = Rcpp::RObject(digest_of(handle)));
}

// [[Rcpp::export(rng = false)]]
bool core_is_null(SEXP handle) {
  return TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle) == nullptr;
}
