# ALTREP vectors whose contents change between reads. The first `after` reads return `first`, later
# reads return `later`. With `pointer`, the vector exposes a data pointer and changes the data
# behind it. After its first read the length grows by `longer`.
fickle_code <- '
#include <Rcpp.h>
#include <R_ext/Altrep.h>

namespace {

R_altrep_class_t reals, integers, texts;

SEXP part(SEXP x, const char* name) {
  Rcpp::Environment state(R_altrep_data1(x));
  return state[name];
}

double number(SEXP x, const char* name) { return Rf_asReal(part(x, name)); }

void set(SEXP x, const char* name, double value) {
  Rcpp::Environment state(R_altrep_data1(x));
  state[name] = value;
}

// What is answered now; each element that is asked for brings the other answer nearer.
SEXP answer(SEXP x, double asked) {
  const double before = number(x, "asked");
  set(x, "asked", before + asked);
  return part(x, before < number(x, "after") ? "first" : "later");
}

R_xlen_t length(SEXP x) {
  const double calls = number(x, "calls");
  set(x, "calls", calls + 1);
  const R_xlen_t size = Rf_xlength(part(x, "first"));
  return calls < 1 ? size : size + static_cast<R_xlen_t>(number(x, "longer"));
}

R_xlen_t inside(SEXP x, R_xlen_t i) { return i % Rf_xlength(part(x, "first")); }

void* pointer(SEXP x, Rboolean) {
  SEXP now = answer(x, static_cast<double>(Rf_xlength(part(x, "first"))));
  SEXP memory = part(x, "memory");
  if (TYPEOF(now) == REALSXP) {
    std::copy(REAL(now), REAL(now) + Rf_xlength(now), REAL(memory));
    return REAL(memory);
  }
  if (TYPEOF(now) == INTSXP) {
    std::copy(INTEGER(now), INTEGER(now) + Rf_xlength(now), INTEGER(memory));
    return INTEGER(memory);
  }
  for (R_xlen_t i = 0; i < Rf_xlength(now); ++i) SET_STRING_ELT(memory, i, STRING_ELT(now, i));
  return const_cast<SEXP*>(STRING_PTR_RO(memory));
}

const void* pointer_or_null(SEXP x) {
  return number(x, "pointer") != 0 ? pointer(x, FALSE) : nullptr;
}

double real(SEXP x, R_xlen_t i) { return REAL(answer(x, 1))[inside(x, i)]; }
int integer(SEXP x, R_xlen_t i) { return INTEGER(answer(x, 1))[inside(x, i)]; }
SEXP text(SEXP x, R_xlen_t i) { return STRING_ELT(answer(x, 1), inside(x, i)); }

template <class Class>
void set_common(Class cls) {
  R_set_altrep_Length_method(cls, length);
  R_set_altvec_Dataptr_method(cls, pointer);
  R_set_altvec_Dataptr_or_null_method(cls, pointer_or_null);
}

}  // namespace

// [[Rcpp::export]]
SEXP fickle_vector(Rcpp::Environment state) {
  static bool made = false;
  if (!made) {
    reals = R_make_altreal_class("fickle_real", "fickle", nullptr);
    integers = R_make_altinteger_class("fickle_integer", "fickle", nullptr);
    texts = R_make_altstring_class("fickle_text", "fickle", nullptr);
    set_common(reals);
    set_common(integers);
    set_common(texts);
    R_set_altreal_Elt_method(reals, real);
    R_set_altinteger_Elt_method(integers, integer);
    R_set_altstring_Elt_method(texts, text);
    made = true;
  }
  SEXP first = state["first"];
  const R_altrep_class_t cls =
      TYPEOF(first) == REALSXP ? reals : TYPEOF(first) == INTSXP ? integers : texts;
  return R_new_altrep(cls, state, R_NilValue);
}
'

fickle <- local({
  compiled <- NULL
  function(first, later, after, pointer = FALSE, longer = 0) {
    if (is.null(compiled)) {
      compiled <<- new.env()
      Rcpp::sourceCpp(code = fickle_code, env = compiled)
    }
    state <- list2env(list(
      first = first, later = later, after = after, pointer = as.double(pointer), longer = longer,
      memory = rep(first, 1), asked = 0, calls = 0
    ))
    compiled$fickle_vector(state)
  }
})
