// Objects of the framework, from the rows of the catalogue.
#include <optional>
#include <string>

#include "boundary.h"
#include "core/catalogue/catalogue.h"
#include "core/combinators/chain.h"
#include "r_arguments.h"
#include "r_plan.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// The class of each in R, by which R wraps its handle.
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

}  // namespace

// Of each constructor: name, module, arguments, and the features that it needs.
// [[Rcpp::export(rng = false)]]
SEXP core_catalogue() {
  return guarded([&] {
    std::vector<std::string> names, modules;
    Rcpp::List arguments, features;
    for (const Family& family : catalogue()) {
      for (const Constructor& each : family.constructors) {
        names.push_back(each.name());
        modules.push_back(family.module);
        arguments.push_back(Rcpp::wrap(each.arguments()));
        features.push_back(Rcpp::wrap(each.features()));
      }
    }
    return SEXP(Rcpp::List::create(Rcpp::_["name"] = names,
                                   Rcpp::_["module"] = modules,
                                   Rcpp::_["arguments"] = arguments,
                                   Rcpp::_["features"] = features));
  });
}

// What the constructor makes of its arguments, in their order: a list of one handle, whose name is
// the class of what it holds.
// [[Rcpp::export(rng = false)]]
SEXP core_build(std::string step, Rcpp::List args) {
  return guarded([&] {
    const Constructor& constructor = constructor_called(step);
    const RArguments given(constructor, args, nullptr);
    Made made = constructor.make(given);
    return made_to_r(
        std::move(made),
        Rcpp::List::create(Rcpp::_["constructor"] = step, Rcpp::_["args"] = given.given()));
  });
}

// The same after a transformation, an R object: it takes the place of the first two arguments, and
// what is made is chained to it. Only transformations and measurements can be.
// [[Rcpp::export(rng = false)]]
SEXP core_build_after(std::string step, SEXP before, Rcpp::List args) {
  return guarded([&] {
    const Constructor& constructor = constructor_called(step);
    const auto& inner = from_handle<Transformation>(handle_of(before, "transformation", "lhs"));
    const RArguments given(constructor, args, &inner);
    const Made made = constructor.make(given);
    const auto node = [&](const char* outer) {
      return Rcpp::List::create(Rcpp::_["constructor"] = step,
                                Rcpp::_["args"] = given.given(),
                                Rcpp::_["input"] = before,
                                Rcpp::_["outer"] = outer);
    };
    if (const auto* outer = std::get_if<Transformation>(&made)) {
      return made_to_r(make_chain_tt(*outer, inner), node("transformation1"));
    }
    if (const auto* outer = std::get_if<Measurement>(&made)) {
      return made_to_r(make_chain_mt(*outer, inner), node("measurement1"));
    }
    return Rcpp::Function(Rcpp::Environment::namespace_env("PSIlence")["refuse_chain"])(
        class_in_r(made));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_keep_plan(SEXP handle, SEXP node) {
  return guarded([&] {
    keep_plan(handle, node);
    return R_NilValue;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_plan(SEXP handle) { return node_of(handle); }

// [[Rcpp::export(rng = false)]]
SEXP core_plan_digest(SEXP handle) { return digest_of(handle); }

// [[Rcpp::export(rng = false)]]
bool core_is_null(SEXP handle) {
  return TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle) == nullptr;
}
