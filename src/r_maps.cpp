#include "r_maps.h"

#include <memory>
#include <string>
#include <vector>

#include "core/data/map.h"
#include "core/numeric/cast.h"
#include "core/transformations/counts/hashable.h"
#include "core/transformations/rows/public_elements.h"
#include "r_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

constexpr const char* kMapClass = "dp_map";

ColumnPtr rows_of(AtomType type, const std::vector<Scalar>& elements) {
  return visit_atom(type, [&](auto tag) -> ColumnPtr {
    return make_column(type, elements_as<typename decltype(tag)::type>(elements, "arg"));
  });
}

[[noreturn]] void refuse_map() {
  throw Error(ErrorKind::failed_cast, "arg must be a hash table, or a vector with names.");
}

std::vector<Scalar> keys_from_names(SEXP vector, AtomType type) {
  const Rcpp::Shield<SEXP> names(Rf_getAttrib(vector, R_NamesSymbol));
  if (TYPEOF(names) != STRSXP) refuse_map();
  std::vector<Scalar> keys;
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    std::optional<Scalar> key = key_from_name(STRING_ELT(names, i), type);
    if (!key) refuse_nonmember();
    keys.push_back(std::move(*key));
  }
  return keys;
}

// Contents of a hash table: keys and values at equal positions, in any order.
struct Entries {
  Rcpp::List keys;
  Rcpp::List values;
  R_xlen_t next = 0;
};

Entries entries_of(SEXP object) {
  const R_hashtab_type table = R_asHashtable(object);
  const int n = R_numhash(table);
  Entries entries{Rcpp::List(n), Rcpp::List(n)};
  // Called from C, so it must not throw: it only stores the entries.
  const auto store = [](SEXP key, SEXP value, void* to) {
    auto* into = static_cast<Entries*>(to);
    SET_VECTOR_ELT(into->keys, into->next, key);
    SET_VECTOR_ELT(into->values, into->next, value);
    ++into->next;
  };
  R_maphashC(table, store, &entries);
  return entries;
}

// Keys can have several types, because R compares them with identical().
std::vector<Scalar> keys_of_table(const Rcpp::List& keys, AtomType type) {
  const bool wide = type == AtomType::i64 || type == AtomType::u64 || type == AtomType::usize;
  std::vector<Scalar> found;
  for (SEXP key : keys) {
    const bool digits = TYPEOF(key) == STRSXP && !OBJECT(key) && Rf_xlength(key) == 1;
    if (digits && wide) {
      std::optional<Scalar> read = key_from_name(STRING_ELT(key, 0), type);
      if (!read) refuse_nonmember();
      found.push_back(std::move(*read));
    } else {
      found.push_back(datum_from_r(key, type));
    }
  }
  return found;
}

}  // namespace

std::optional<Scalar> key_from_name(SEXP name, AtomType type) {
  std::string room;
  const std::optional<std::string_view> read = text_of(name, room);
  if (!read) return std::nullopt;
  const std::string text(*read);
  return visit_atom(type, [&](auto tag) -> std::optional<Scalar> {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      if (text != "TRUE" && text != "FALSE") return std::nullopt;
      return text == "TRUE";
    } else if constexpr (!kIsHashable<T>) {
      return std::nullopt;
    } else {
      return round_cast<T>(text);
    }
  });
}

SEXP name_from_key(const Scalar& key) {
  const std::string text = std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool>) {
          return value ? "TRUE" : "FALSE";
        } else if constexpr (!kIsHashable<T>) {
          throw Error(ErrorKind::type, "floats and 128-bit integers are no keys.");
        } else {
          return *round_cast<std::string>(value);
        }
      },
      key);
  return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

// Keys are checked first, so that errors do not depend on the compiler's evaluation order.
MapPtr map_from_r(SEXP object, AtomType key, AtomType value) {
  if (R_isHashtable(object)) {
    const Entries entries = entries_of(object);
    const ColumnPtr keys = rows_of(key, keys_of_table(entries.keys, key));
    return sorted_map(*keys, *rows_of(value, data_from_r(entries.values, value)));
  }
  if (Rf_inherits(object, kMapClass)) {
    if (TYPEOF(object) != VECSXP || Rf_xlength(object) != 2) refuse_map();
    const ColumnPtr keys = rows_of(key, data_from_r(VECTOR_ELT(object, 0), key));
    return sorted_map(*keys, *rows_of(value, data_from_r(VECTOR_ELT(object, 1), value)));
  }
  if (!Rf_isVector(object)) refuse_map();
  const ColumnPtr keys = rows_of(key, keys_from_names(object, key));
  return sorted_map(*keys, *rows_of(value, data_from_r(object, value)));
}

SEXP map_to_r(const Map& map, Wide wide_keys, Wide wide_values) {
  const Rcpp::Shield<SEXP> keys(rows_to_r(*map.keys, wide_keys));
  const Rcpp::Shield<SEXP> values(rows_to_r(*map.values, wide_values));
  Rcpp::List columns =
      Rcpp::List::create(Rcpp::Named("key") = SEXP(keys), Rcpp::Named("value") = SEXP(values));
  columns.attr("class") = kMapClass;
  return columns;
}

}  // namespace dp::r
