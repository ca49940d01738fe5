#include "r_scalars.h"

#include <cmath>
#include <cstring>

#include "core/numeric/cast.h"

namespace dp::r {
namespace {

[[noreturn]] void refuse(const char* what, const std::string& expected, SEXP object) {
  throw Error(ErrorKind::failed_cast,
              std::string(what) + ": inferred type is " + describe_type(object) + ", expected " +
                  expected + ". See https://github.com/opendp/opendp/discussions/298");
}

[[noreturn]] void refuse_value(const char* what, const std::string& must) {
  throw Error(ErrorKind::failed_cast, std::string(what) + " must " + must + ".");
}

void check_length_one(SEXP object, const char* what) {
  if (Rf_xlength(object) != 1) {  // and not which it is: that of `arg` is private
    throw Error(
        ErrorKind::failed_cast,
        std::string(what) + ": The slice length must be one when creating a scalar from FfiSlice.");
  }
}

bool is_integer64(SEXP object) {
  return TYPEOF(object) == REALSXP && Rf_inherits(object, "integer64");
}

std::int64_t integer64(SEXP object) {
  std::int64_t value;
  std::memcpy(&value, REAL(object), sizeof value);
  return value;
}

template <class T, class S>
T exactly(S value, const char* what) {
  try {
    return exact_cast<T>(value);
  } catch (const Error&) {
    if (std::is_unsigned_v<T> && value < 0) refuse_value(what, "not be negative");
    refuse_value(what, "be in the range of its type");
  }
}

template <class T>
T whole(double value, const char* what) {
  if (!(std::trunc(value) == value) || std::isinf(value)) {
    refuse_value(what, "be a whole number");
  }
  const std::optional<T> out = round_cast<T>(value);
  if (!out) {
    refuse_value(
        what,
        std::is_unsigned_v<T> && value < 0 ? "not be negative" : "be in the range of its type");
  }
  return *out;
}

template <class T>
Scalar integer_from_r(SEXP object, AtomType type, bool take_doubles, const char* what) {
  if (is_integer64(object)) {
    if (integer64(object) == std::numeric_limits<std::int64_t>::min()) {
      refuse_value(what, "not be missing");
    }
    return exactly<T>(integer64(object), what);
  }
  if (TYPEOF(object) == INTSXP) {
    if (INTEGER(object)[0] == NA_INTEGER) refuse_value(what, "not be missing");
    return exactly<T>(INTEGER(object)[0], what);
  }
  if (TYPEOF(object) == REALSXP && take_doubles) return whole<T>(REAL(object)[0], what);
  refuse(what, name(type), object);
}

template <class T>
Scalar float_from_r(SEXP object, AtomType type, bool take_integers, const char* what) {
  if (is_integer64(object)) refuse(what, name(type), object);
  if (TYPEOF(object) == REALSXP) return static_cast<T>(REAL(object)[0]);
  if (TYPEOF(object) == INTSXP && take_integers) {
    if (INTEGER(object)[0] == NA_INTEGER) refuse_value(what, "not be missing");
    return static_cast<T>(INTEGER(object)[0]);
  }
  refuse(what, name(type), object);
}

std::string string_element(SEXP object, const char* what) {
  const SEXP text = STRING_ELT(object, 0);
  if (text == NA_STRING) refuse_value(what, "not be missing");
  if (Rf_getCharCE(text) == CE_BYTES) refuse_value(what, "be text, not bytes");
  return Rf_translateCharUTF8(text);
}

Scalar from_r(SEXP object, AtomType type, bool generous, const char* what) {
  check_length_one(object, what);
  if (OBJECT(object) && !is_integer64(object)) refuse(what, name(type), object);
  return visit_atom(type, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      if (TYPEOF(object) != LGLSXP) refuse(what, name(type), object);
      if (LOGICAL(object)[0] == NA_LOGICAL) refuse_value(what, "not be missing");
      return LOGICAL(object)[0] != 0;
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (TYPEOF(object) != STRSXP) refuse(what, name(type), object);
      return string_element(object, what);
    } else if constexpr (dp::detail::is_float_carrier<T>) {
      return float_from_r<T>(object, type, generous, what);
    } else {
      return integer_from_r<T>(object, type, generous || !fits_r_integer<T>, what);
    }
  });
}

}  // namespace

std::string describe_element_type(SEXP object) {
  if (Rf_inherits(object, "factor")) return "factor";
  std::string type;
  switch (TYPEOF(object)) {
    case INTSXP:
      type = "i32";
      break;
    case REALSXP:
      type = is_integer64(object) ? "integer64" : "f64";
      break;
    case LGLSXP:
      type = "bool";
      break;
    case STRSXP:
      type = "String";
      break;
    default:
      return Rf_type2char(TYPEOF(object));
  }
  const bool own_class = OBJECT(object) && !is_integer64(object);
  return own_class ? "an object of its own class over " + type : type;
}

std::string describe_type(SEXP object) {
  const std::string type = describe_element_type(object);
  const bool is_vector = Rf_isVectorAtomic(object) && Rf_xlength(object) != 1;
  return is_vector && !Rf_inherits(object, "factor") ? "Vec<" + type + ">" : type;
}

Scalar scalar_from_r(SEXP object, AtomType type, const char* what) {
  return from_r(object, type, false, what);
}

Scalar number_from_r(SEXP object, AtomType type, const char* what) {
  return from_r(object, type, true, what);
}

Bounds bounds_from_r(SEXP object, AtomType type) {
  // Only vectors: R cannot make a list of an environment or a function.
  if (!Rf_isVector(object) || Rf_xlength(object) != 2) {
    throw Error(ErrorKind::failed_cast,
                "bounds must hold two elements, lower and upper, not " +
                    std::to_string(Rf_xlength(object)) + ".");
  }
  const Rcpp::Shield<SEXP> both(TYPEOF(object) == VECSXP ? object
                                                         : Rf_coerceVector(object, VECSXP));
  if (is_integer64(object)) {  // coercion drops the class
    const auto* bits = REAL(object);
    const auto end = [&](int i) {
      const Rcpp::Shield<SEXP> one(Rf_ScalarReal(bits[i]));
      const Rcpp::Shield<SEXP> label(Rf_mkString("integer64"));
      Rf_setAttrib(one, R_ClassSymbol, label);
      return scalar_from_r(one, type, "bounds");
    };
    return {end(0), end(1)};
  }
  return {scalar_from_r(VECTOR_ELT(both, 0), type, "bounds"),
          scalar_from_r(VECTOR_ELT(both, 1), type, "bounds")};
}

std::uint64_t size_from_r(SEXP object, const char* what) {
  const auto size = std::get<std::uint64_t>(number_from_r(object, AtomType::usize, what));
  if (size > (std::uint64_t{1} << 53)) refuse_value(what, "be at most 2^53");
  return size;
}

double double_from_r(SEXP object, const char* what) {
  return std::get<double>(number_from_r(object, AtomType::f64, what));
}

bool flag_from_r(SEXP object, const char* what) {
  return std::get<bool>(scalar_from_r(object, AtomType::boolean, what));
}

std::string string_from_r(SEXP object, const char* what) {
  return std::get<std::string>(scalar_from_r(object, AtomType::string, what));
}

SEXP scalar_to_r(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> SEXP {
        using T = std::decay_t<decltype(value)>;
        const Rcpp::Shield<SEXP> out(Rf_allocVector(r_type<T>(), 1));
        const Cell<T> cell = value;
        set_element<T>(out, 0, &cell);
        return out;
      },
      scalar);
}

SEXP distance_number_to_r(const Scalar& scalar) {
  return std::visit(
      [&](const auto& value) -> SEXP {
        using T = std::decay_t<decltype(value)>;
        if constexpr (dp::detail::is_integer_carrier<T> && !fits_r_integer<T>) {
          return Rf_ScalarReal(cast_up<double>(value));
        } else {
          return scalar_to_r(scalar);
        }
      },
      scalar);
}

}  // namespace dp::r
