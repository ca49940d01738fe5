#include "r_scalars.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/numeric/cast.h"
#include "core/numeric/utf8.h"

namespace dp::r {
namespace {

[[noreturn]] void refuse(const char* what, const std::string& expected, SEXP object) {
  throw Error(ErrorKind::failed_cast,
              std::string(what) + ": inferred type is " + describe_element_type(object) +
                  ", expected " + expected + ".");
}

// The error for a wrong value of the right type. Its message is for public values only.
class ValueError final : public Error {
 public:
  explicit ValueError(const std::string& sentence) : Error(ErrorKind::failed_cast, sentence) {}
};

[[noreturn]] void refuse_value(const char* what, const std::string& must) {
  throw ValueError(std::string(what) + " must " + must + ".");
}

// Applies `convert` to a private value.
template <class F>
auto as_private(F&& convert) {
  try {
    return convert();
  } catch (const ValueError&) {
    refuse_nonmember();
  }
}

void check_length_one(SEXP object, const char* what) {
  const R_xlen_t length = Rf_xlength(object);
  if (length != 1) {
    throw ValueError(std::string(what) + " must be one value, not " + std::to_string(length) + ".");
  }
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

// Whether R stores elements of `type` in such an object. `generous` takes whole doubles for
// integers and integers for floats.
bool has_type(SEXP object, AtomType type, bool generous) {
  const bool wide = is_integer64(object);
  if (OBJECT(object) && !wide) return false;
  return visit_atom(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return TYPEOF(object) == LGLSXP;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return TYPEOF(object) == STRSXP;
    } else if constexpr (dp::detail::is_float_carrier<T>) {
      return !wide && (TYPEOF(object) == REALSXP || (generous && TYPEOF(object) == INTSXP));
    } else {
      return wide || TYPEOF(object) == INTSXP ||
             ((generous || takes_doubles<T>)&&TYPEOF(object) == REALSXP);
    }
  });
}

void check_type(SEXP object, AtomType type, bool generous, const char* what) {
  if (!has_type(object, type, generous)) refuse(what, name(type), object);
}

int present(int value, int missing, const char* what) {
  if (value == missing) refuse_value(what, "not be missing");
  return value;
}

template <class T>
T integer_element(SEXP object, R_xlen_t at, const char* what) {
  if (is_integer64(object)) {
    const std::int64_t value = integer64_of(REAL_ELT(object, at));
    if (value == kMissingInteger64) refuse_value(what, "not be missing");
    return exactly<T>(value, what);
  }
  if (TYPEOF(object) == REALSXP) return whole<T>(REAL_ELT(object, at), what);
  return exactly<T>(present(INTEGER_ELT(object, at), NA_INTEGER, what), what);
}

template <class T>
T float_element(SEXP object, R_xlen_t at, const char* what) {
  if (TYPEOF(object) == REALSXP) return static_cast<T>(REAL_ELT(object, at));
  return static_cast<T>(present(INTEGER_ELT(object, at), NA_INTEGER, what));
}

std::string string_element(SEXP object, R_xlen_t at, const char* what) {
  const SEXP element = STRING_ELT(object, at);
  if (element == NA_STRING) refuse_value(what, "not be missing");
  std::string room;
  const std::optional<std::string_view> text = text_of(element, room);
  if (!text) refuse_value(what, "be text in UTF-8 or marked as Latin 1, not bytes");
  return std::string(*text);
}

Scalar element_from_r(SEXP object, R_xlen_t at, AtomType type, bool generous, const char* what) {
  check_type(object, type, generous, what);
  return visit_atom(type, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return present(LOGICAL_ELT(object, at), NA_LOGICAL, what) != 0;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return string_element(object, at, what);
    } else if constexpr (dp::detail::is_float_carrier<T>) {
      return float_element<T>(object, at, what);
    } else {
      return integer_element<T>(object, at, what);
    }
  });
}

Scalar from_r(SEXP object, AtomType type, bool generous, const char* what) {
  check_length_one(object, what);
  return element_from_r(object, 0, type, generous, what);
}

template <class T>
SEXP wide_to_r(T value, Wide wide) {
  WideRange range;
  range.add(value);
  if (wide == Wide::doubles && range.in_doubles()) {
    return Rf_ScalarReal(static_cast<double>(value));
  }
  if (!range.in_integer64()) return Rf_mkString(std::to_string(value).c_str());
  const Rcpp::Shield<SEXP> out(Rf_ScalarReal(bits_of(static_cast<std::int64_t>(value))));
  set_integer64_class(out);
  return out;
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

Scalar scalar_from_r(SEXP object, AtomType type, const char* what) {
  return from_r(object, type, false, what);
}

Scalar datum_from_r(SEXP object, AtomType type) {
  check_type(object, type, false, "arg");  // before its length, of which it says nothing
  return as_private([&] { return from_r(object, type, false, "arg"); });
}

std::vector<Scalar> data_from_r(SEXP object, AtomType type) {
  return as_private([&] { return scalars_from_r(object, type, "arg"); });
}

Scalar number_from_r(SEXP object, AtomType type, const char* what) {
  return from_r(object, type, true, what);
}

std::vector<Scalar> scalars_from_r(SEXP object, AtomType type, const char* what) {
  if (!Rf_isVector(object) && !Rf_isNull(object)) refuse(what, name(type), object);
  const R_xlen_t n = Rf_xlength(object);
  const bool list = TYPEOF(object) == VECSXP && !OBJECT(object);
  std::vector<Scalar> scalars;
  scalars.reserve(static_cast<std::size_t>(n));
  for (R_xlen_t i = 0; i < n; ++i) {
    scalars.push_back(list ? scalar_from_r(VECTOR_ELT(object, i), type, what)
                           : element_from_r(object, i, type, false, what));
  }
  return scalars;
}

Bounds bounds_from_r(SEXP object, AtomType type) {
  // Accepts only vectors: R cannot make a list of an environment or a function.
  if (!Rf_isVector(object) || Rf_xlength(object) != 2) {
    throw Error(ErrorKind::failed_cast,
                "bounds must hold two elements, lower and upper, not " +
                    std::to_string(Rf_xlength(object)) + ".");
  }
  std::vector<Scalar> ends = scalars_from_r(object, type, "bounds");
  return {std::move(ends[0]), std::move(ends[1])};
}

std::uint64_t size_from_r(SEXP object, const char* what) {
  const auto size = std::get<std::uint64_t>(number_from_r(object, AtomType::usize, what));
  if (size > (std::uint64_t{1} << 53)) refuse_value(what, "be at most 2^53");
  return size;
}

std::optional<int> grid_exponent_from_r(SEXP k) {
  if (Rf_isNull(k)) return std::nullopt;
  const auto exponent = std::get<std::int32_t>(number_from_r(k, AtomType::i32, "k"));
  if (exponent == std::numeric_limits<std::int32_t>::min()) {
    throw Error(ErrorKind::make_measurement, "k must not be i32::MIN");
  }
  return exponent;
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

std::vector<std::string> strings_from_r(SEXP object, const char* what) {
  std::vector<std::string> strings;
  for (Scalar& scalar : scalars_from_r(object, AtomType::string, what)) {
    strings.push_back(std::get<std::string>(std::move(scalar)));
  }
  return strings;
}

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  const char* bytes = text.data();
  std::size_t left = text.size();
  for (; left >= 32; bytes += 32, left -= 32) {
    std::uint64_t words[4];
    std::memcpy(words, bytes, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHigh) != 0) return false;
  }
  std::uint64_t all = 0;
  for (; left >= 8; bytes += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    all |= word;
  }
  for (; left > 0; ++bytes, --left) all |= static_cast<unsigned char>(*bytes);
  return (all & kHigh) == 0;
}

std::optional<std::string_view> text_of(SEXP element, std::string& room) {
  if (element == NA_STRING) return std::nullopt;
  const std::string_view bytes(CHAR(element), static_cast<std::size_t>(LENGTH(element)));
  if (is_ascii(bytes)) return bytes;
  const cetype_t encoding = Rf_getCharCE(element);
  if (encoding == CE_LATIN1) {
    const void* memory = vmaxget();
    room = Rf_translateCharUTF8(element);
    vmaxset(memory);
    return room;
  }
  if (encoding == CE_BYTES || !is_utf8(bytes)) return std::nullopt;
  return bytes;
}

SEXP scalar_to_r(const Scalar& scalar, Wide wide) {
  return std::visit(
      [wide](const auto& value) -> SEXP {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int32_t>) {
          if (needs_double(value)) return Rf_ScalarReal(value);
        }
        if constexpr (is_wide_integer<T>) return wide_to_r(value, wide);
        const Rcpp::Shield<SEXP> out(Rf_allocVector(r_type<T>(), 1));
        const Element<T> cell = value;
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
