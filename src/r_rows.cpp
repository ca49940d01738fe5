#include "r_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "boundary.h"
#include "core/numeric/cast.h"
#include "core/transformations/sums/int_kernels.h"
#include "r_scalars.h"
#include "r_settled.h"
#include "r_text_rows.h"

namespace dp::r {
namespace {

// Address of R's elements; null for a compact sequence, which has none (see settled()).
template <class S>
const S* data_or_null(SEXP vector) {
  return static_cast<const S*>(DATAPTR_OR_NULL(vector));
}

template <class S>
void copy_region(SEXP vector, std::size_t begin, std::size_t size, S* out) {
  const auto at = static_cast<R_xlen_t>(begin);
  const auto n = static_cast<R_xlen_t>(size);
  if constexpr (std::is_same_v<S, double>) {
    REAL_GET_REGION(vector, at, n, out);
  } else if (TYPEOF(vector) == LGLSXP) {
    LOGICAL_GET_REGION(vector, at, n, out);
  } else {
    INTEGER_GET_REGION(vector, at, n, out);
  }
}

// Rows of type T made from R elements of type S by a converter, which has
//   static bool missing(S), static T convert(S, AtomType)
// and kSameBits if S and T are one type and convert() returns its argument.
template <class S, class T, class Converter>
class ConvertedColumn final : public Column {
 public:
  ConvertedColumn(SEXP vector, AtomType type, bool option)
      : vector_(vector),
        alive_(keep_alive(vector)),
        data_(data_or_null<S>(vector)),
        size_(static_cast<std::size_t>(Rf_xlength(vector))),
        type_(type),
        option_(option) {}

  AtomType type() const override { return type_; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return data_ != nullptr; }
  bool contiguous() const override { return Converter::kSameBits && data_ != nullptr && !option_; }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    S region[kBatchRows];
    const S* from = data_ == nullptr ? region : data_ + begin;
    if (data_ == nullptr) copy_region(vector_, begin, size, region);
    if constexpr (Converter::kSameBits) {
      if (data_ != nullptr && !option_) {
        check_present(from, size);
        return {from, nullptr, size};
      }
    }
    T* to = buffer.cells<T>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      const bool missing = Converter::missing(from[i]);
      if (valid != nullptr) {
        valid[i] = missing ? 0 : 1;
      } else if (missing && !Converter::kMissingIsValue) {
        refuse_nonmember();
      }
      to[i] = missing && !Converter::kMissingIsValue ? T() : Converter::convert(from[i], type_);
    }
    return {to, valid, size};
  }

 private:
  static void check_present([[maybe_unused]] const S* from, [[maybe_unused]] std::size_t size) {
    if constexpr (!Converter::kMissingIsValue) {
      if (int_kernels().holds(from, size, NA_INTEGER)) refuse_nonmember();
    }
  }

  SEXP vector_;
  Opaque alive_;
  const S* data_;
  std::size_t size_;
  AtomType type_;
  bool option_;
};

template <class T>
struct FromInteger {
  static constexpr bool kSameBits = std::is_same_v<T, int>;
  static constexpr bool kMissingIsValue = false;
  static bool missing(int x) { return x == NA_INTEGER; }
  static T convert(int x, AtomType) {
    if constexpr (std::is_unsigned_v<T>) {
      if (x < 0) refuse_nonmember();
    }
    if constexpr (sizeof(T) < sizeof(int)) {
      if (x < std::numeric_limits<T>::min() || x > std::numeric_limits<T>::max()) {
        refuse_nonmember();
      }
    }
    return static_cast<T>(x);
  }
};

// NA of a double is a NaN: an ordinary value for floats, a null for option rows. Option rows also
// read any other NaN as null, so that rows that can be null never hold a NaN.
template <class T>
struct FromDouble {
  static constexpr bool kSameBits = std::is_same_v<T, double>;
  static constexpr bool kMissingIsValue = true;
  static bool missing(double x) { return std::isnan(x); }
  static T convert(double x, AtomType) { return static_cast<T>(x); }
};

struct FromLogical {
  static constexpr bool kSameBits = false;
  static constexpr bool kMissingIsValue = false;
  static bool missing(int x) { return x == NA_LOGICAL; }
  static bool convert(int x, AtomType) { return x != 0; }
};

template <class T>
struct FromInteger64 {
  static constexpr bool kSameBits = false;
  static constexpr bool kMissingIsValue = false;
  static bool missing(double x) { return integer64_of(x) == kMissingInteger64; }
  static T convert(double x, AtomType) {
    const std::int64_t value = integer64_of(x);
    if (!cast::fits<T>(value)) refuse_nonmember();
    return static_cast<T>(value);
  }
};

// Whole doubles as integers beyond R's integers.
template <class T>
struct FromWholeDouble {
  static constexpr bool kSameBits = false;
  static constexpr bool kMissingIsValue = false;
  static bool missing(double x) { return std::isnan(x); }
  static T convert(double x, AtomType) {
    if (!(std::trunc(x) == x && cast::whole_fits<T>(x))) refuse_nonmember();
    return static_cast<T>(x);
  }
};

// Days since 1970-01-01, which R stores as doubles or integers. Drops the time of day, as R does
// when it prints. Days beyond the range of i32, also infinite ones, become its ends.
struct WholeDays {
  static constexpr bool kSameBits = false;
  static constexpr bool kMissingIsValue = false;
  static bool missing(double days) { return std::isnan(days); }
  static std::int32_t convert(double days, AtomType) {
    constexpr double kEnd = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp(std::floor(days), -kEnd, kEnd));
  }
};

// Whole numbers as doubles, with NA as NA; R stores logical values in the same way.
struct DoubleFromInteger {
  static constexpr bool kSameBits = false;
  static constexpr bool kMissingIsValue = true;
  static bool missing(int x) { return x == NA_INTEGER; }
  static double convert(int x, AtomType) { return missing(x) ? NA_REAL : x; }
};

[[noreturn]] void refuse_type(SEXP vector, AtomType type) {
  throw Error(ErrorKind::failed_cast,
              std::string("Expected data of type Vec<") + name(type) + ">. Got Vec<" +
                  describe_element_type(vector) + ">");
}

// A matrix or an array is rejected: it has more elements than people, so elements are not rows.
bool is_table(SEXP vector) {
  return Rf_xlength(Rcpp::Shield<SEXP>(Rf_getAttrib(vector, R_DimSymbol))) > 1;
}

// Whether a vector has the storage that its class promises; users can set any class.
bool has_storage_of_class(SEXP vector) {
  if (Rf_inherits(vector, "factor")) return TYPEOF(vector) == INTSXP;
  if (Rf_inherits(vector, "integer64")) return TYPEOF(vector) == REALSXP;
  return TYPEOF(vector) == INTSXP || TYPEOF(vector) == REALSXP;
}

}  // namespace

std::optional<AtomType> row_type(SEXP vector) {
  if (is_table(vector)) return std::nullopt;
  if (OBJECT(vector)) {
    if (!has_storage_of_class(vector)) return std::nullopt;
    if (Rf_inherits(vector, "factor")) return AtomType::string;
    if (Rf_inherits(vector, "Date")) return AtomType::f64;
    if (Rf_inherits(vector, "integer64")) return AtomType::i64;
    return std::nullopt;
  }
  switch (TYPEOF(vector)) {
    case INTSXP:
      return AtomType::i32;
    case REALSXP:
      return AtomType::f64;
    case LGLSXP:
      return AtomType::boolean;
    case STRSXP:
      return AtomType::string;
    default:
      return std::nullopt;
  }
}

ColumnPtr rows_if_type(SEXP object, AtomType type, bool option) {
  if (!row_type(object)) return nullptr;
  const Rcpp::Shield<SEXP> vector(settled(object));
  const bool real = TYPEOF(vector) == REALSXP;
  const bool factor = Rf_inherits(vector, "factor");
  const bool date = Rf_inherits(vector, "Date");
  const bool integer64 = Rf_inherits(vector, "integer64");
  return visit_atom(type, [&](auto tag) -> ColumnPtr {
    using T = typename decltype(tag)::type;
    const auto rows = [&](auto stored, auto converter) -> ColumnPtr {
      using S = decltype(stored);
      return std::make_shared<ConvertedColumn<S, T, decltype(converter)>>(
          static_cast<SEXP>(vector), type, option);
    };
    if (factor) {
      if constexpr (std::is_same_v<T, std::string>) return label_rows(vector, option);
      return type == AtomType::usize ? place_rows(vector, option) : nullptr;
    }
    if (date) {
      if constexpr (std::is_same_v<T, std::int32_t>) {
        return real ? rows(double(), WholeDays()) : rows(int(), FromInteger<T>());
      } else if constexpr (std::is_same_v<T, double>) {
        return real ? rows(double(), FromDouble<T>()) : rows(int(), DoubleFromInteger());
      }
      return nullptr;
    }
    if constexpr (std::is_same_v<T, std::string>) {
      if (TYPEOF(vector) == STRSXP) return text_rows(vector, option);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (TYPEOF(vector) == LGLSXP) return rows(int(), FromLogical());
    } else if constexpr (dp::detail::is_float_carrier<T>) {
      if (real && !integer64) return rows(double(), FromDouble<T>());
    } else {
      if (integer64) return rows(double(), FromInteger64<T>());
      if constexpr (takes_doubles<T>) {
        if (real) return rows(double(), FromWholeDouble<T>());
      }
      if (TYPEOF(vector) == INTSXP) return rows(int(), FromInteger<T>());
    }
    return nullptr;
  });
}

namespace {

bool is_one_vector(SEXP object, const char* name) {
  return TYPEOF(object) == VECSXP && Rf_inherits(object, name) && Rf_xlength(object) == 1;
}

}  // namespace

bool is_numbers(SEXP object) { return is_one_vector(object, "dp_numbers"); }

bool is_texts(SEXP object) { return is_one_vector(object, "dp_texts"); }

ColumnPtr texts_from_r(SEXP texts) {
  return rows_from_r(VECTOR_ELT(texts, 0), AtomType::string, true);
}

ColumnPtr numbers_from_r(SEXP numbers) {
  const SEXP object = VECTOR_ELT(numbers, 0);
  const bool whole = TYPEOF(object) == INTSXP || TYPEOF(object) == LGLSXP;
  if (!whole || OBJECT(object) || is_table(object)) {
    return rows_from_r(object, AtomType::f64, false);
  }
  const Rcpp::Shield<SEXP> vector(settled(object));
  return std::make_shared<ConvertedColumn<int, double, DoubleFromInteger>>(
      static_cast<SEXP>(vector), AtomType::f64, false);
}

ColumnPtr rows_from_r(SEXP vector, AtomType type, bool option) {
  ColumnPtr rows = rows_if_type(vector, type, option);
  if (rows == nullptr) refuse_type(vector, type);
  return rows;
}

namespace {

template <class F>
void each_block(const Column& rows, F&& visit) {
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    visit(rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer), begin);
  }
}

bool is_present(const Batch& batch, std::size_t i) {
  return batch.valid == nullptr || batch.valid[i] != 0;
}

template <class T>
bool need_doubles(const Column& rows) {
  bool found = false;
  each_block(rows, [&](const Batch& batch, std::size_t) {
    for (std::size_t i = 0; i < batch.size; ++i) {
      found |= is_present(batch, i) && needs_double(batch.as<T>()[i]);
    }
  });
  return found;
}

// Collects rows into a vector of r_type<R>().
template <class T, class R = T>
SEXP collect(const Column& rows) {
  const Rcpp::Shield<SEXP> out(Rf_allocVector(r_type<R>(), static_cast<R_xlen_t>(rows.size())));
  each_block(rows, [&](const Batch& batch, std::size_t begin) {
    const Element<T>* cells = batch.as<T>();
    if constexpr (!std::is_same_v<T, std::string>) {
      if (batch.valid == nullptr) {
        std::copy(cells, cells + batch.size, r_cells<R>(out) + begin);
        return;
      }
    }
    for (std::size_t i = 0; i < batch.size; ++i) {
      const Element<T>* cell = is_present(batch, i) ? &cells[i] : nullptr;
      set_element<T, R>(out, static_cast<R_xlen_t>(begin + i), cell);
    }
  });
  return out;
}

template <class T>
SEXP collect_text(const Column& rows) {
  const Rcpp::Shield<SEXP> out(Rf_allocVector(STRSXP, static_cast<R_xlen_t>(rows.size())));
  each_block(rows, [&](const Batch& batch, std::size_t begin) {
    for (std::size_t i = 0; i < batch.size; ++i) {
      SET_STRING_ELT(
          out,
          static_cast<R_xlen_t>(begin + i),
          is_present(batch, i) ? Rf_mkChar(std::to_string(batch.as<T>()[i]).c_str()) : NA_STRING);
    }
  });
  return out;
}

template <class T>
SEXP collect_wide(const Column& rows, Wide wide) {
  if (wide == Wide::integer64) {
    const Rcpp::Shield<SEXP> out(Rf_allocVector(REALSXP, static_cast<R_xlen_t>(rows.size())));
    WideRange range;
    each_block(rows, [&](const Batch& batch, std::size_t begin) {
      for (std::size_t i = 0; i < batch.size; ++i) {
        const bool present = is_present(batch, i);
        if (present) range.add(batch.as<T>()[i]);
        REAL(out)
        [begin + i] =
            bits_of(present ? static_cast<std::int64_t>(batch.as<T>()[i]) : kMissingInteger64);
      }
    });
    if (!range.in_integer64()) return collect_text<T>(rows);
    set_integer64_class(out);
    return out;
  }
  WideRange range;
  each_block(rows, [&](const Batch& batch, std::size_t) {
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (is_present(batch, i)) range.add(batch.as<T>()[i]);
    }
  });
  return range.in_doubles() ? collect<T>(rows) : collect_wide<T>(rows, Wide::integer64);
}

}  // namespace

SEXP rows_to_r(const Column& rows, Wide wide) {
  if (rows.type() == AtomType::i32 && need_doubles<std::int32_t>(rows)) {
    return collect<std::int32_t, double>(rows);
  }
  return visit_atom(rows.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (is_wide_integer<T>) {
      return collect_wide<T>(rows, wide);
    } else {
      return collect<T>(rows);
    }
  });
}

}  // namespace dp::r
