// Runs the user's functions isolated from the caller's handlers and restarts, and restores
// variables afterwards.
#include <Rversion.h>

#include "boundary.h"
#include "r_jumps.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// The binding of `symbol`: the function of an active binding, or a promise without forcing it.
SEXP bound(SEXP symbol, SEXP environment) {
  if (R_BindingIsActive(symbol, environment)) return R_ActiveBindingFunction(symbol, environment);
#if R_VERSION < R_Version(4, 5, 0)
  return Rf_findVarInFrame(environment, symbol);
#else
  return R_getVarEx(symbol, environment, FALSE, R_UnboundValue);
#endif
}

// Restores the binding of `symbol` that bound() returned.
void bind_again(SEXP symbol, SEXP value, bool active, SEXP environment) {
  const bool locked = R_existsVarInFrame(environment, symbol) != FALSE &&
                      R_BindingIsLocked(symbol, environment) != FALSE;
  if (locked) R_unLockBinding(symbol, environment);
  R_removeVarFromFrame(symbol, environment);
  if (active) {
    R_MakeActiveBinding(symbol, value, environment);
  } else {
    Rf_defineVar(symbol, value, environment);
  }
  if (locked) R_LockBinding(symbol, environment);
}

bool is_bound_to(SEXP symbol, SEXP value, bool active, SEXP environment) {
  return R_existsVarInFrame(environment, symbol) != FALSE &&
         (R_BindingIsActive(symbol, environment) != FALSE) == active &&
         bound(symbol, environment) == value;
}

SEXP names_in(SEXP environment) { return R_lsInternal3(environment, TRUE, FALSE); }

// Lists the bindings of an environment: symbols, values, and which are active.
SEXP bindings_of(SEXP environment) {
  const Rcpp::Shield<SEXP> names(names_in(environment));
  const R_xlen_t size = Rf_xlength(names);
  const Rcpp::Shield<SEXP> bindings(Rf_allocVector(VECSXP, 3));
  for (const int part : {0, 1}) SET_VECTOR_ELT(bindings, part, Rf_allocVector(VECSXP, size));
  SET_VECTOR_ELT(bindings, 2, Rf_allocVector(LGLSXP, size));
  for (R_xlen_t i = 0; i < size; ++i) {
    const SEXP symbol = Rf_installChar(STRING_ELT(names, i));
    SET_VECTOR_ELT(VECTOR_ELT(bindings, 0), i, symbol);
    SET_VECTOR_ELT(VECTOR_ELT(bindings, 1), i, bound(symbol, environment));
    LOGICAL(VECTOR_ELT(bindings, 2))[i] = R_BindingIsActive(symbol, environment);
  }
  return bindings;
}

void remove_others(SEXP environment, SEXP symbols) {
  const Rcpp::Shield<SEXP> names(names_in(environment));
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    const SEXP symbol = Rf_installChar(STRING_ELT(names, i));
    R_xlen_t place = 0;
    while (place < Rf_xlength(symbols) && VECTOR_ELT(symbols, place) != symbol) ++place;
    if (place == Rf_xlength(symbols)) R_removeVarFromFrame(symbol, environment);
  }
}

void restore(SEXP environment, SEXP bindings) {
  const SEXP symbols = VECTOR_ELT(bindings, 0);
  for (R_xlen_t i = 0; i < Rf_xlength(symbols); ++i) {
    const SEXP symbol = VECTOR_ELT(symbols, i);
    const SEXP value = VECTOR_ELT(VECTOR_ELT(bindings, 1), i);
    const bool active = LOGICAL(VECTOR_ELT(bindings, 2))[i] != 0;
    if (!is_bound_to(symbol, value, active, environment)) {
      bind_again(symbol, value, active, environment);
    }
  }
  if (Rf_xlength(environment) != Rf_xlength(symbols)) remove_others(environment, symbols);
}

SEXP tag_of_bindings() { return Rf_install("dp_bindings"); }

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorKind::ffi, sentence);
}

void check_environments(SEXP environments) {
  require(TYPEOF(environments) == VECSXP, "`environments` must be a list of them.");
  for (R_xlen_t i = 0; i < Rf_xlength(environments); ++i) {
    require(TYPEOF(VECTOR_ELT(environments, i)) == ENVSXP,
            "`environments` must be a list of them.");
  }
}

}  // namespace

// Lists the bindings of each environment in a list. R never sees the values, because accessing a
// promise would evaluate it.
// [[Rcpp::export(rng = false)]]
SEXP core_bindings(SEXP environments) {
  return guarded([&] {
    check_environments(environments);
    const R_xlen_t size = Rf_xlength(environments);
    const Rcpp::Shield<SEXP> all(Rf_allocVector(VECSXP, size));
    for (R_xlen_t i = 0; i < size; ++i) {
      SET_VECTOR_ELT(all, i, bindings_of(VECTOR_ELT(environments, i)));
    }
    return R_MakeExternalPtr(nullptr, tag_of_bindings(), all);
  });
}

// Restores only the bindings that core_bindings() saw.
// [[Rcpp::export(rng = false)]]
SEXP core_restore_bindings(SEXP environments, SEXP seen) {
  return guarded([&] {
    check_environments(environments);
    const bool tagged = TYPEOF(seen) == EXTPTRSXP && R_ExternalPtrTag(seen) == tag_of_bindings();
    const SEXP all = tagged ? R_ExternalPtrProtected(seen) : R_NilValue;
    require(Rf_xlength(all) == Rf_xlength(environments), "`seen` must be bindings of these.");
    for (R_xlen_t i = 0; i < Rf_xlength(all); ++i) {
      restore(VECTOR_ELT(environments, i), VECTOR_ELT(all, i));
    }
    return R_NilValue;
  });
}

// Whether R's options are still `seen`, a list of them: the same objects in the same order.
// [[Rcpp::export(rng = false)]]
SEXP core_same_options(SEXP seen) {
  return guarded([&] {
    require(TYPEOF(seen) == VECSXP, "`seen` must be a list.");
    SEXP rest = Rf_findVarInFrame(R_BaseEnv, Rf_install(".Options"));
    R_xlen_t same = 0;
    while (rest != R_NilValue && same < Rf_xlength(seen) && CAR(rest) == VECTOR_ELT(seen, same)) {
      rest = CDR(rest);
      ++same;
    }
    return Rf_ScalarLogical(rest == R_NilValue && same == Rf_xlength(seen));
  });
}

// Calls `body(waiting)` without handlers, and with no restart but "abort". Every jump out of the
// body ends here. Returns whether the body completed. Interrupts and time limits wait until the
// body has handlers and allows them; `waiting` says whether some were already pending.
// [[Rcpp::export(rng = false)]]
SEXP core_run_alone(SEXP body) {
  return guarded([&] {
    require(Rf_isFunction(body) != FALSE, "`body` must be a function.");
    const Undisturbed undisturbed;
    const Rcpp::Shield<SEXP> waiting(Rf_ScalarLogical(undisturbed.before()));
    const Rcpp::Shield<SEXP> call(Rf_lang2(body, waiting));
    const SEXP evaluated = call;
    return Rf_ScalarLogical(R_ToplevelExec(
        [](void* given) { Rf_eval(static_cast<SEXP>(given), R_GlobalEnv); }, evaluated));
  });
}
