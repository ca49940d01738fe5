#include "r_arguments.h"

#include <algorithm>
#include <cctype>

#include "boundary.h"
#include "core/combinators/select_private_candidate.h"
#include "r_columns.h"
#include "r_program.h"
#include "r_query_lists.h"
#include "r_scalars.h"
#include "r_values.h"

namespace dp::r {
namespace {

Rcpp::Function of_package(const char* name) {
  return Rcpp::Environment::namespace_env("PSIlence")[name];
}

// Quotes the user's calls and symbols, which R would otherwise evaluate as arguments.
Rcpp::RObject quoted(SEXP object) {
  if (TYPEOF(object) != LANGSXP && TYPEOF(object) != SYMSXP) return object;
  return Rcpp::RObject(Rf_lang2(R_QuoteSymbol, object));
}

// Words in type descriptors mean themselves, except for two.
bool is_word(const std::string& text) {
  return !text.empty() && text != "int" && text != "float" &&
         std::all_of(
             text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::string descriptor_from_r(SEXP object) {
  if (TYPEOF(object) == STRSXP && !OBJECT(object) && Rf_xlength(object) == 1 &&
      STRING_ELT(object, 0) != NA_STRING) {
    const std::string text = CHAR(STRING_ELT(object, 0));
    if (is_word(text)) return text;
  }
  return Rcpp::as<std::string>(of_package("descriptor_text")(quoted(object)));
}

// Like score_of_pair(), but also reads lists that an R function released.
std::optional<double> score_of(const Value& release) {
  const auto* opaque = release.as<Opaque>();
  if (opaque == nullptr) return score_of_pair(release);
  const SEXP pair = kept(*opaque);
  if (TYPEOF(pair) != VECSXP || OBJECT(pair) || Rf_xlength(pair) != 2) return std::nullopt;
  const SEXP score = VECTOR_ELT(pair, 0);
  if (OBJECT(score) || Rf_xlength(score) != 1) return std::nullopt;
  if (TYPEOF(score) == REALSXP) return REAL(score)[0];
  if (TYPEOF(score) == INTSXP && INTEGER(score)[0] != NA_INTEGER) return INTEGER(score)[0];
  return std::nullopt;
}

// A map on distances that calls R for each.
template <class Space>
DistanceMap distance_map(Opaque closure, Space out) {
  return [closure, out](const Distance& d_in) {
    const Rcpp::Shield<SEXP> argument(distance_to_r(d_in));
    const Rcpp::RObject result = call_user(kept(closure), argument, true);
    return user_result(true, [&] { return distance_from_r(result, out); });
  };
}

}  // namespace

SEXP handle_of(SEXP object, const char* kind, const char* name) {
  if (!Rf_inherits(object, kind) || TYPEOF(object) != CLOSXP) {
    of_package("refuse_object")(quoted(object), kind, name);
  }
  return Rcpp::Environment(CLOENV(object))["handle"];
}

RArguments::RArguments(const Constructor& constructor,
                       const Rcpp::List& args,
                       const Transformation* before)
    : args_(Rf_shallow_duplicate(args)), before_(before) {
  const auto& names = constructor.arguments();
  names_.assign(names.begin() + (before == nullptr ? 0 : 2), names.end());
  if (static_cast<std::size_t>(args_.size()) != names_.size()) {
    throw Error(ErrorKind::type, constructor.name() + " takes another number of arguments.");
  }
  args_.names() = Rcpp::wrap(names_);
}

SEXP RArguments::at(const char* name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw Error(ErrorKind::type, std::string("no argument ") + name + ".");
  return VECTOR_ELT(args_, found - names_.begin());
}

void RArguments::set(const std::string& name, double value) {
  const auto place = std::find(names_.begin(), names_.end(), name) - names_.begin();
  args_[place] = Rcpp::RObject(Rf_ScalarReal(value));
}

bool RArguments::is_given(const char* name) const { return !Rf_isNull(at(name)); }

const Domain& RArguments::domain(const char* name) const {
  const bool is_input = before_ != nullptr && std::string_view(name) == "input_domain";
  return is_input ? before_->output_domain()
                  : from_handle<Domain>(handle_of(at(name), "domain", name));
}

const Metric& RArguments::metric(const char* name) const {
  const bool is_input = before_ != nullptr && std::string_view(name) == "input_metric";
  return is_input ? before_->output_metric()
                  : from_handle<Metric>(handle_of(at(name), "metric", name));
}

const Measure& RArguments::measure(const char* name) const {
  return from_handle<Measure>(handle_of(at(name), "measure", name));
}

const Transformation& RArguments::transformation(const char* name) const {
  return from_handle<Transformation>(handle_of(at(name), "transformation", name));
}

const Measurement& RArguments::measurement(const char* name) const {
  return from_handle<Measurement>(handle_of(at(name), "measurement", name));
}

const Odometer& RArguments::odometer(const char* name) const {
  return from_handle<Odometer>(handle_of(at(name), "odometer", name));
}

const Function& RArguments::function(const char* name) const {
  return from_handle<Function>(handle_of(at(name), "opendp_function", name));
}

std::vector<Measurement> RArguments::measurements(const char* name) const {
  const SEXP list = at(name);
  if (TYPEOF(list) != VECSXP || OBJECT(list))
    of_package("refuse_list")(quoted(list), "a list of measurements", name);
  std::vector<Measurement> all;
  for (R_xlen_t i = 0; i < Rf_xlength(list); ++i) {
    all.push_back(from_handle<Measurement>(handle_of(VECTOR_ELT(list, i), "measurement", name)));
  }
  return all;
}

std::string RArguments::descriptor(const char* name) const { return descriptor_from_r(at(name)); }

AtomType RArguments::type(const char* name, const char* example) const {
  if (name != nullptr && (is_given(name) || example == nullptr)) {
    return parse_atom_type(descriptor(name));
  }
  return parse_atom_type(
      Rcpp::as<std::string>(of_package("type_of_example")(quoted(at(example)), example)));
}

bool RArguments::is_flag(const char* name) const {
  return TYPEOF(at(name)) == LGLSXP && Rf_xlength(at(name)) == 1;
}

bool RArguments::flag(const char* name) const { return flag_from_r(at(name), name); }

std::string RArguments::text(const char* name) const { return string_from_r(at(name), name); }

std::vector<std::string> RArguments::texts(const char* name) const {
  return strings_from_r(at(name), name);
}

std::uint64_t RArguments::size(const char* name) const { return size_from_r(at(name), name); }

std::vector<std::uint64_t> RArguments::sizes(const char* name) const {
  const SEXP vector = at(name);
  std::vector<std::uint64_t> all;
  if (TYPEOF(vector) != INTSXP && TYPEOF(vector) != REALSXP) {
    all.push_back(size_from_r(vector, name));
    return all;
  }
  for (const double each : Rcpp::as<Rcpp::NumericVector>(vector)) {
    const Rcpp::Shield<SEXP> number(Rf_ScalarReal(each));
    all.push_back(size_from_r(number, name));
  }
  return all;
}

double RArguments::real(const char* name) const { return double_from_r(at(name), name); }

std::vector<double> RArguments::reals(const char* name) const {
  return Rcpp::as<std::vector<double>>(at(name));
}

std::vector<ColumnSpec> RArguments::columns(const char* name) const {
  return columns_from_r(at(name));
}

RowProgram RArguments::program(const char* name) const {
  return program_from_r(list_in(at(name), name));
}

Scalar RArguments::constant(const char* name, AtomType type) const {
  return scalar_from_r(at(name), type, name);
}

std::vector<Scalar> RArguments::constants(const char* name, AtomType type) const {
  return scalars_from_r(at(name), type, name);
}

Bounds RArguments::bounds(const char* name, AtomType type) const {
  return bounds_from_r(at(name), type);
}

Scalar RArguments::number(const char* name, AtomType type) const {
  return number_from_r(at(name), type, name);
}

Distance RArguments::distance(const char* name, const Metric& metric) const {
  return distance_from_r(at(name), metric);
}

Distance RArguments::distance(const char* name, const Measure& measure) const {
  return distance_from_r(at(name), measure);
}

std::vector<Distance> RArguments::distances(const char* name, const Measure& measure) const {
  const SEXP given = at(name);
  const bool is_vector = Rf_isVector(given) || Rf_isNull(given);
  if (!is_vector || OBJECT(given))
    of_package("refuse_list")(quoted(given), "a vector or a list of losses", name);
  std::vector<Distance> all;
  for (SEXP each : Rcpp::as<Rcpp::List>(given)) all.push_back(distance_from_r(each, measure));
  return all;
}

Opaque RArguments::isolated(const char* name, const char* isolate) const {
  const Rcpp::List callback = of_package(isolate)(quoted(at(name)), name);
  const auto place = std::find(names_.begin(), names_.end(), name) - names_.begin();
  args_[place] = callback["logged"];
  return keep_alive(callback["callback"]);
}

Arguments::DataFunction RArguments::callback(const char* name,
                                             const Domain& in,
                                             const Domain& out) const {
  return [closure = isolated(name, "isolated_argument"), in, out](const Value& arg) {
    const Rcpp::Shield<SEXP> argument(value_to_r(arg, in, R_NilValue));
    const Rcpp::RObject result = call_user(kept(closure), argument, false);
    return user_result(false, [&] { return value_from_r(result, out); });
  };
}

Arguments::DataFunction RArguments::callback(const char* name,
                                             const Domain& in,
                                             const std::string& out) const {
  return [closure = isolated(name, "isolated_argument"), in, out](const Value& arg) {
    const Rcpp::Shield<SEXP> argument(value_to_r(arg, in, R_NilValue));
    const Rcpp::RObject result = call_user(kept(closure), argument, false);
    return user_result(false, [&] { return value_of_type(result, out); });
  };
}

// A postprocessor only sees a release, which is public, so its message can be shown.
Arguments::DataFunction RArguments::postprocessor(const char* name, const std::string& out) const {
  return [closure = isolated(name, "isolated_argument"), out](const Value& release) -> Value {
    const Rcpp::Shield<SEXP> argument(value_to_r(release));
    const Rcpp::RObject result = call_user(kept(closure), argument, true);
    return user_result(true, [&] { return value_of_type(result, out); });
  };
}

DistanceMap RArguments::map(const char* name, const Metric& out) const {
  return distance_map(isolated(name, "isolated_argument"), out);
}

DistanceMap RArguments::map(const char* name, const Measure& out) const {
  return distance_map(isolated(name, "isolated_loss_argument"), out);
}

std::function<double(double)> RArguments::curve(const char* name) const {
  return [closure = isolated(name, "isolated_argument")](double at) {
    const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(at));
    const Rcpp::RObject value = call_user(kept(closure), argument, true);
    return user_result(true, [&] { return double_from_r(value, "delta"); });
  };
}

Opaque RArguments::membership_test(const char* name) const {
  return isolated(name, "isolated_argument");
}

Opaque RArguments::object(const char* name) const { return keep_alive(at(name)); }

std::function<bool(const Opaque&, const Opaque&)> RArguments::same_objects() const {
  return [](const Opaque& a, const Opaque& b) {
    return R_compute_identical(kept(a), kept(b), 16) == TRUE;
  };
}

std::function<std::optional<double>(const Value&)> RArguments::score_of_release() const {
  return score_of;
}

}  // namespace dp::r
