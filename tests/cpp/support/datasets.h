// Datasets for tests: rows that may be null, hostile values, and exact distances.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/data/column.h"
#include "core/data/value.h"
#include "core/domains/domain.h"
#include "core/metrics/metric.h"
#include "core/numeric/limits.h"

namespace dp::test {

template <class T>
using Row = std::optional<T>;

template <class T>
using Dataset = std::vector<Row<T>>;

// Total order on rows. All NaN are equal, and -0 differs from 0, so rows are equal if no function
// can distinguish them. Null is the least row, NaN the greatest.
template <class T>
bool row_less(const Row<T>& a, const Row<T>& b) {
  if (!a || !b) return !a && b;
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(*a) || std::isnan(*b)) return !std::isnan(*a) && std::isnan(*b);
    if (*a == *b) return !std::signbit(*a) && std::signbit(*b);
  }
  return *a < *b;
}

template <class T>
bool same_row(const Row<T>& a, const Row<T>& b) {
  return !row_less(a, b) && !row_less(b, a);
}

template <class T>
Value to_value(AtomType type, const Dataset<T>& data) {
  auto rows = std::make_shared<OwnedColumn<T>>(type, data.size());
  const bool any_null = std::any_of(data.begin(), data.end(), [](const auto& row) { return !row; });
  std::uint8_t* valid = any_null ? rows->valid() : nullptr;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!data[i]) {
      valid[i] = 0;
    } else if constexpr (std::is_same_v<T, std::string>) {
      rows->cells()[i] = rows->keep(*data[i]);
    } else {
      rows->cells()[i] = *data[i];
    }
  }
  return ColumnPtr(rows);
}

template <class T>
Dataset<T> to_dataset(const Value& value) {
  const ColumnPtr& rows = rows_in(value);
  Dataset<T> data;
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows->size(); begin += kBatchRows) {
    const Batch batch = rows->read(begin, std::min(kBatchRows, rows->size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (batch.valid != nullptr && batch.valid[i] == 0) {
        data.emplace_back();
      } else {
        data.emplace_back(T(batch.as<T>()[i]));
      }
    }
  }
  return data;
}

// Additions and removals between multisets.
template <class T>
std::uint64_t symmetric(Dataset<T> a, Dataset<T> b) {
  std::sort(a.begin(), a.end(), row_less<T>);
  std::sort(b.begin(), b.end(), row_less<T>);
  std::uint64_t distance = 0;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && row_less(*x, *y))) {
      ++x, ++distance;
    } else if (x == a.end() || row_less(*y, *x)) {
      ++y, ++distance;
    } else {
      ++x, ++y;
    }
  }
  return distance;
}

// Additions and removals between sequences: all rows outside a longest common subsequence.
template <class T>
std::uint64_t insert_delete(const Dataset<T>& a, const Dataset<T>& b) {
  std::vector<std::uint64_t> common(b.size() + 1, 0);
  for (const auto& row : a) {
    std::uint64_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint64_t above = common[j + 1];
      common[j + 1] = same_row(row, b[j]) ? diagonal + 1 : std::max(above, common[j]);
      diagonal = above;
    }
  }
  return a.size() + b.size() - 2 * common.back();
}

// Substitutions cannot make datasets of different sizes equal.
inline constexpr std::uint64_t kApart = std::numeric_limits<std::uint64_t>::max();

template <class T>
std::uint64_t hamming(const Dataset<T>& a, const Dataset<T>& b) {
  if (a.size() != b.size()) return kApart;
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += same_row(a[i], b[i]) ? 0 : 1;
  return distance;
}

template <class T>
std::uint64_t change_one(const Dataset<T>& a, const Dataset<T>& b) {
  return a.size() == b.size() ? symmetric(a, b) / 2 : kApart;
}

template <class T>
std::uint64_t dataset_distance(MetricKind kind, const Dataset<T>& a, const Dataset<T>& b) {
  switch (kind) {
    case MetricKind::symmetric:
      return symmetric(a, b);
    case MetricKind::insert_delete:
      return insert_delete(a, b);
    case MetricKind::change_one:
      return change_one(a, b);
    case MetricKind::hamming:
      return hamming(a, b);
    default:
      throw Error(ErrorKind::type, "not a distance between datasets.");
  }
}

template <class T>
bool is_member(const AtomDomain& atom, const T& element) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(element)) return atom.nan && !atom.bounds;
  }
  return !atom.bounds ||
         (std::get<T>(atom.bounds->lower) <= element && element <= std::get<T>(atom.bounds->upper));
}

// Whether `data` is in a vector domain of atoms or options with carrier T.
template <class T>
bool is_member(const RowDomain& domain, const Dataset<T>& data) {
  return (!domain.size || *domain.size == data.size()) &&
         std::all_of(data.begin(), data.end(), [&](const Row<T>& row) {
           return row ? is_member(domain.atom, *row) : domain.option;
         });
}

// Hostile values that are members of `atom`: bounds and their neighbours, zeros, subnormals, huge
// values, infinities, NaN, and limits of integer types. For an option, also null.
template <class T>
std::vector<Row<T>> special_rows(const AtomDomain& atom, bool option) {
  std::vector<T> values;
  if constexpr (std::is_same_v<T, std::string>) {
    values = {
        "", "a", "1", "-1", "false", "NaN", "1e400", " 1", "2147483648", std::string(1, '\0')};
  } else if constexpr (std::is_same_v<T, bool>) {
    values = {false, true};
  } else if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    for (const T x : {T(0),
                      T(1),
                      T(0.1),
                      Limits::denorm_min(),
                      Limits::min(),
                      T(2147483647),
                      T(2147483649),
                      T(0x1p53),
                      T(0x1p53 + 2),
                      Limits::max(),
                      Limits::infinity()}) {
      values.push_back(x);
      values.push_back(-x);
    }
    values.push_back(Limits::quiet_NaN());
    if (atom.bounds) {
      for (const Scalar& bound : {atom.bounds->lower, atom.bounds->upper}) {
        const T x = std::get<T>(bound);
        values.insert(
            values.end(),
            {x, std::nextafter(x, Limits::infinity()), std::nextafter(x, -Limits::infinity())});
      }
    }
  } else {
    values = {T(0), T(1), T(2), T(kMax<T> / 2), T(kMax<T> - 1), kMax<T>, T(kMin<T> + 1), kMin<T>};
    if (kIsSigned<T>) values.push_back(T(-1));
    if (atom.bounds) {
      const T lower = std::get<T>(atom.bounds->lower);
      const T upper = std::get<T>(atom.bounds->upper);
      values.insert(values.end(), {lower, upper, T(lower / 2 + upper / 2)});
      if (lower < upper) values.insert(values.end(), {T(lower + 1), T(upper - 1)});
    }
  }
  std::vector<Row<T>> rows;
  for (const T& value : values) {
    if (is_member(atom, value)) rows.emplace_back(value);
  }
  if (option) rows.emplace_back();
  return rows;
}

// Formats data for failure messages. Test data is not private.
template <class T>
std::string print(const Dataset<T>& data) {
  std::string out = "[";
  for (const auto& row : data)
    out += (out.size() == 1 ? "" : ", ") + (row ? debug(Scalar(*row)) : std::string("null"));
  return out + "]";
}

}  // namespace dp::test
