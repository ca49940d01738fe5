#include "core/transformations/sums/sum.h"

#include <optional>

#include "core/transformations/rows/ordering.h"
#include "core/transformations/sums/float_sum.h"
#include "core/transformations/sums/int_sum.h"

namespace dp {
namespace {

constexpr std::uint64_t kSizeLimit = std::uint64_t{1} << 20;

// `sum`, preceded by a cast if its input is not in the order of `input_metric`.
Transformation from(const Metric& input_metric, const Transformation& sum) {
  if (sum.input_metric() == input_metric) return sum;
  const Transformation cast = is_ordered(input_metric)
                                  ? make_unordered(sum.input_domain(), input_metric)
                                  : make_ordered_random(sum.input_domain(), input_metric);
  return cast.then(sum);
}

Transformation int_sum(const AtomDomain& atom,
                       std::optional<std::uint64_t> size,
                       const Metric& metric) {
  const Bounds& bounds = *atom.bounds;
  const AtomType type = atom.type;
  if (size && !int_sum_can_overflow(*size, bounds, type)) {
    return from(metric, make_sized_bounded_int_checked_sum(*size, bounds, type));
  }
  if (is_ordered(metric)) {
    return size ? make_sized_bounded_int_ordered_sum(*size, bounds, type)
                : make_bounded_int_ordered_sum(bounds, type);
  }
  if (signs_agree(bounds, type)) {
    return size ? make_sized_bounded_int_monotonic_sum(*size, bounds, type)
                : make_bounded_int_monotonic_sum(bounds, type);
  }
  return size ? make_sized_bounded_int_split_sum(*size, bounds, type)
              : make_bounded_int_split_sum(bounds, type);
}

Transformation float_sum(const AtomDomain& atom,
                         std::optional<std::uint64_t> size,
                         const Metric& metric) {
  const Bounds& bounds = *atom.bounds;
  const Summation summation{SumOrder::pairwise, atom.type};
  if (!float_sum_can_overflow(size.value_or(kSizeLimit), bounds, summation)) {
    return from(metric,
                size ? make_sized_bounded_float_checked_sum(*size, bounds, summation)
                     : make_bounded_float_checked_sum(kSizeLimit, bounds, summation));
  }
  return from(metric,
              size ? make_sized_bounded_float_ordered_sum(*size, bounds, summation)
                   : make_bounded_float_ordered_sum(kSizeLimit, bounds, summation));
}

}  // namespace

Transformation make_sum(const Domain& input_domain, const Metric& input_metric) {
  check_dataset_metric(input_metric);
  if (is_bounded(input_metric)) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(input_metric) +
                    ". input_metric must be SymmetricDistance or InsertDeleteDistance.");
  }
  const RowDomain rows = row_domain(input_domain);
  if (rows.option) throw Error(ErrorKind::failed_cast, "input_domain must not admit nulls.");
  if (!is_number(rows.atom.type)) detail::refuse_type(rows.atom.type, "numbers");
  if (!rows.atom.bounds) {
    throw Error(ErrorKind::make_transformation,
                "`input_domain` must be bounded. Use `make_clamp` to bound data.");
  }
  return is_float(rows.atom.type) ? float_sum(rows.atom, rows.size, input_metric)
                                  : int_sum(rows.atom, rows.size, input_metric);
}

}  // namespace dp
