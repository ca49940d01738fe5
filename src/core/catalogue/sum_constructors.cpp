// Sums, and statistics from sums: means, variances, covariances.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/transformations/sums/float_sum.h"
#include "core/transformations/sums/int_sum.h"
#include "core/transformations/sums/lattice_sum.h"
#include "core/transformations/sums/mean.h"
#include "core/transformations/sums/sized_bounded_covariance.h"
#include "core/transformations/sums/sum.h"
#include "core/transformations/sums/sum_of_squared_deviations.h"
#include "core/transformations/sums/variance.h"

namespace dp {
namespace {

using SizedIntSum = Transformation (*)(std::uint64_t, const Bounds&, AtomType);
using IntSum = Transformation (*)(const Bounds&, AtomType);
using FloatSum = Transformation (*)(std::uint64_t, const Bounds&, Summation);

AtomType integer_type(const Arguments& in) {
  const AtomType type = in.type(".T", "bounds");
  if (!is_integer(type)) detail::refuse_type(type, "integers");
  return type;
}

Constructor int_sum(const char* name, SizedIntSum make) {
  return constructor(name, {"size", "bounds", ".T"}, [make](const Arguments& in) {
    const AtomType type = integer_type(in);
    return make(in.size("size"), in.bounds("bounds", type), type);
  });
}

Constructor int_sum(const char* name, IntSum make) {
  return constructor(name, {"bounds", ".T"}, [make](const Arguments& in) {
    const AtomType type = integer_type(in);
    return make(in.bounds("bounds", type), type);
  });
}

Constructor float_sum(const char* name, const char* size, FloatSum make) {
  return constructor(name, {size, "bounds", ".S"}, [size, make](const Arguments& in) {
    const Summation order = summation_of_bounds(in, ".S", "bounds");
    return make(in.size(size), in.bounds("bounds", order.type), order);
  });
}

Made covariance(const Arguments& in) {
  const Summation order = summation_of_bounds(in, ".S", "bounds_0");
  return make_sized_bounded_covariance(in.size("size"),
                                       in.bounds("bounds_0", order.type),
                                       in.bounds("bounds_1", order.type),
                                       in.size("ddof"),
                                       order);
}

}  // namespace

std::vector<Constructor> sum_constructors() {
  return {
      constructor("make_sum", make_sum, {"input_domain", "input_metric"})
          .example(in_r::bounded_rows("c(0L, 10L)")),
      constructor("make_lattice_sum", make_lattice_sum, {"input_domain", "input_metric"})
          .example(in_r::bounded_rows("c(0, 10)")),
      int_sum("make_sized_bounded_int_checked_sum", make_sized_bounded_int_checked_sum)
          .example("size = 4, bounds = c(0L, 10L)"),
      int_sum("make_bounded_int_monotonic_sum", make_bounded_int_monotonic_sum)
          .example("bounds = c(0L, 10L)"),
      int_sum("make_sized_bounded_int_monotonic_sum", make_sized_bounded_int_monotonic_sum)
          .example("size = 4, bounds = c(0L, 10L)"),
      int_sum("make_bounded_int_ordered_sum", make_bounded_int_ordered_sum)
          .example("bounds = c(0L, 10L)"),
      int_sum("make_sized_bounded_int_ordered_sum", make_sized_bounded_int_ordered_sum)
          .example("size = 4, bounds = c(0L, 10L)"),
      int_sum("make_bounded_int_split_sum", make_bounded_int_split_sum)
          .example("bounds = c(0L, 10L)"),
      int_sum("make_sized_bounded_int_split_sum", make_sized_bounded_int_split_sum)
          .example("size = 4, bounds = c(0L, 10L)"),
      float_sum("make_bounded_float_checked_sum", "size_limit", make_bounded_float_checked_sum)
          .example("size_limit = 4, bounds = c(0, 10)"),
      float_sum(
          "make_sized_bounded_float_checked_sum", "size", make_sized_bounded_float_checked_sum)
          .example("size = 4, bounds = c(0, 10)"),
      float_sum("make_bounded_float_ordered_sum", "size_limit", make_bounded_float_ordered_sum)
          .example("size_limit = 4, bounds = c(0, 10)"),
      float_sum(
          "make_sized_bounded_float_ordered_sum", "size", make_sized_bounded_float_ordered_sum)
          .example("size = 4, bounds = c(0, 10)"),
      constructor("make_mean", make_mean, {"input_domain", "input_metric"})
          .example(in_r::bounded_rows("c(0, 10)", "size = 4")),
      constructor("make_sum_of_squared_deviations",
                  make_sum_of_squared_deviations,
                  {"input_domain", "input_metric", ".S"})
          .example(in_r::bounded_rows("c(0, 1)", "size = 4")),
      constructor("make_variance", make_variance, {"input_domain", "input_metric", "ddof", ".S"})
          .example(in_r::bounded_rows("c(0, 1)", "size = 4")),
      constructor("make_sized_bounded_covariance",
                  {"size", "bounds_0", "bounds_1", "ddof", ".S"},
                  covariance)
          .example("size = 4, bounds_0 = c(0, 1), bounds_1 = c(-1, 0)"),
  };
}

}  // namespace dp
