#include "r_plan.h"

#include <optional>
#include <string>

#include "boundary.h"
#include "core/limits.h"
#include "core/plan/encoder.h"
#include "r_integer64.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

using Form = Encoder::Form;

// Thrown if an object, or an object inside it, has no plan and so no digest.
class Unidentified {};

Digest digest_from_r(SEXP digest) {
  if (TYPEOF(digest) != RAWSXP || Rf_xlength(digest) != 32) throw Unidentified();
  Digest out;
  std::copy(RAW(digest), RAW(digest) + out.size(), out.begin());
  return out;
}

bool is_framework_object(SEXP x) {
  if (TYPEOF(x) != CLOSXP || !OBJECT(x)) return false;
  const Rcpp::Environment environment(CLOENV(x));
  return environment.exists("handle");
}

// R keeps the digest of a statistic, which is not a core object.
bool is_statistic(SEXP x) { return TYPEOF(x) == ENVSXP && Rf_inherits(x, "dpStatistic"); }

Digest digest_of_object(SEXP x) {
  if (is_statistic(x)) {
    const Rcpp::Function digest_in_r =
        Rcpp::Environment::namespace_env("PSIlence")["digest_of_statistic"];
    return digest_from_r(Rcpp::RObject(digest_in_r(x)));
  }
  return digest_from_r(digest_of(Rcpp::Environment(CLOENV(x))["handle"]));
}

void put_text(Encoder& out, SEXP element) {
  std::string room;
  const std::optional<std::string_view> text = text_of(element, room);
  if (text) {
    out.put(std::uint64_t{1});
    out.put(*text);
  } else {
    out.put_missing();
  }
}

void put_names(Encoder& out, SEXP x) {
  const SEXP names = Rf_getAttrib(x, R_NamesSymbol);
  if (Rf_isNull(names)) return out.begin(Form::nothing, 0);
  out.begin(Form::text, static_cast<std::uint64_t>(Rf_xlength(names)));
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) put_text(out, STRING_ELT(names, i));
}

// Encodes values without a canonical form in R's own bytes.
void put_foreign(Encoder& out, SEXP x) {
  const Rcpp::Function bytes_of = Rcpp::Environment::namespace_env("PSIlence")["canonical_bytes"];
  const Rcpp::RawVector bytes = bytes_of(Rcpp::List::create(Rcpp::RObject(x)));
  out.begin(Form::foreign, static_cast<std::uint64_t>(bytes.size()));
  out.put(std::string_view(reinterpret_cast<const char*>(RAW(bytes)),
                           static_cast<std::size_t>(bytes.size())));
}

bool is_plain(SEXP x) {
  for (SEXP each = ATTRIB(x); each != R_NilValue; each = CDR(each)) {
    if (TAG(each) != R_NamesSymbol && !is_integer64(x)) return false;
  }
  return true;
}

void put_value(Encoder& out, SEXP x, std::size_t depth);

void put_elements(Encoder& out, SEXP x, std::size_t depth) {
  const R_xlen_t n = Rf_xlength(x);
  for (R_xlen_t i = 0; i < n; ++i) {
    switch (TYPEOF(x)) {
      case LGLSXP:
      case INTSXP: {
        const int value = TYPEOF(x) == LGLSXP ? LOGICAL(x)[i] : INTEGER(x)[i];
        if (value == NA_INTEGER) {
          out.put_missing();
        } else {
          out.put(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
        }
        break;
      }
      case REALSXP:
        if (is_integer64(x)) {
          out.put(static_cast<std::uint64_t>(integer64_of(REAL(x)[i])));
        } else if (R_IsNA(REAL(x)[i]) != 0) {
          out.put_missing();
        } else {
          out.put(REAL(x)[i]);
        }
        break;
      case STRSXP:
        put_text(out, STRING_ELT(x, i));
        break;
      case RAWSXP:
        out.put(std::uint64_t{RAW(x)[i]});
        break;
      default:
        put_value(out, VECTOR_ELT(x, i), depth + 1);
    }
  }
}

std::optional<Form> form_of(SEXP x) {
  switch (TYPEOF(x)) {
    case LGLSXP:
      return Form::logical;
    case INTSXP:
      return Form::integer;
    case REALSXP:
      return is_integer64(x) ? Form::wide : Form::number;
    case STRSXP:
      return Form::text;
    case RAWSXP:
      return Form::raw;
    case VECSXP:
      return Form::list;
    default:
      return std::nullopt;
  }
}

// Limits recursion to `depth` lists.
void put_value(Encoder& out, SEXP x, std::size_t depth = 0) {
  if (depth > limits::kNestedLists) {
    throw Error(ErrorKind::ffi,
                "an argument must have at most " + std::to_string(limits::kNestedLists) +
                    " lists within each other.");
  }
  if (Rf_isNull(x)) return out.begin(Form::nothing, 0);
  if (is_framework_object(x) || is_statistic(x)) {
    out.begin(Form::object, 1);
    return out.put(digest_of_object(x));
  }
  const std::optional<Form> form = form_of(x);
  if (!form || !is_plain(x)) return put_foreign(out, x);
  out.begin(*form, static_cast<std::uint64_t>(Rf_xlength(x)));
  put_elements(out, x, depth);
  put_names(out, x);
}

// Skips NULL arguments. An argument added after a plan was written is NULL today, so the plan keeps
// its digest.
void put_arguments(Encoder& out, const Rcpp::List& args) {
  const SEXP names = Rf_getAttrib(args, R_NamesSymbol);
  for (R_xlen_t i = 0; i < args.size(); ++i) {
    if (Rf_isNull(VECTOR_ELT(args, i))) continue;
    out.put(std::string_view(CHAR(STRING_ELT(names, i))));
    put_value(out, args[i]);
  }
}

Digest part_digest(const std::string& part, const Digest& of) {
  Encoder out;
  out.put(std::string_view("part"));
  out.put(part);
  out.put(of);
  return out.digest();
}

void put_object(Encoder& out, const char* name, const Digest& digest) {
  out.put(std::string_view(name));
  out.begin(Form::object, 1);
  out.put(digest);
}

// A chain has the same plan as the chain with every step written out.
Digest chain_digest(const std::string& outer, const Digest& step, const Digest& before) {
  Encoder out;
  out.put(std::string_view("step"));
  out.put(std::string_view(outer == "transformation1" ? "make_chain_tt" : "make_chain_mt"));
  put_object(out, outer.c_str(), step);
  put_object(out, "transformation0", before);
  return out.digest();
}

Digest digest_of_node(const Rcpp::List& node) {
  if (node.containsElementNamed("part")) {
    return part_digest(Rcpp::as<std::string>(node["part"]), digest_of_object(node["of"]));
  }
  Encoder out;
  if (node.containsElementNamed("d_in")) {
    out.put(std::string_view("map"));
    put_value(out, node["d_in"]);
    out.put(digest_of_object(node["of"]));
    return out.digest();
  }
  if (node.containsElementNamed("statistic")) {
    out.put(std::string_view("statistic"));
    out.put(Rcpp::as<std::string>(node["statistic"]));
    put_arguments(out, node["args"]);
    return out.digest();
  }
  out.put(std::string_view("step"));
  out.put(Rcpp::as<std::string>(node["constructor"]));
  if (!node.containsElementNamed("input")) {
    put_arguments(out, node["args"]);
    return out.digest();
  }
  const Digest before = digest_of_object(node["input"]);
  put_object(out, "input_domain", part_digest("output_domain", before));
  put_object(out, "input_metric", part_digest("output_metric", before));
  put_arguments(out, node["args"]);
  return chain_digest(Rcpp::as<std::string>(node["outer"]), out.digest(), before);
}

// Data kept with a plan, in the order of keep_plan().
SEXP kept_by(SEXP handle, R_xlen_t place) {
  if (TYPEOF(handle) != EXTPTRSXP) return R_NilValue;
  const SEXP kept = R_ExternalPtrProtected(handle);
  const bool is_plan = TYPEOF(kept) == VECSXP && Rf_xlength(kept) == 2;
  return is_plan ? VECTOR_ELT(kept, place) : R_NilValue;
}

SEXP digest_to_r(const Digest& digest) {
  Rcpp::RawVector out(digest.size());
  std::copy(digest.begin(), digest.end(), out.begin());
  return out;
}

}  // namespace

void keep_plan(SEXP handle, SEXP node) {
  if (TYPEOF(handle) != EXTPTRSXP || (!Rf_isNull(node) && TYPEOF(node) != VECSXP)) {
    throw Error(ErrorKind::failed_cast, "a plan is a list, kept by a handle.");
  }
  if (Rf_isNull(node)) {
    R_SetExternalPtrProtected(handle, R_NilValue);
    return;
  }
  const Rcpp::RObject digest = node_digest(node);
  const Rcpp::List kept =
      Rcpp::List::create(Rcpp::_["node"] = Rcpp::RObject(node), Rcpp::_["digest"] = digest);
  R_SetExternalPtrProtected(handle, kept);
}

SEXP node_digest(const Rcpp::List& node) {
  try {
    return digest_to_r(digest_of_node(node));
  } catch (const Unidentified&) {
    return R_NilValue;
  }
}

SEXP node_of(SEXP handle) { return kept_by(handle, 0); }

SEXP digest_of(SEXP handle) { return kept_by(handle, 1); }

}  // namespace dp::r
