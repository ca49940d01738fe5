#include "core/transformations/sums/variance.h"

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/rows/lipschitz_float_mul.h"
#include "core/transformations/sums/sized_floats.h"
#include "core/transformations/sums/sum_of_squared_deviations.h"

namespace dp {

Transformation make_variance(const Domain& input_domain,
                             const Metric& input_metric,
                             std::uint64_t ddof,
                             Summation summation) {
  const SizedFloats rows = sized_floats(input_domain, input_metric, summation);
  if (ddof >= rows.size) {
    throw Error(ErrorKind::make_transformation, "ddof must be smaller than dataset size");
  }
  return visit_float(rows.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T size = exact_cast<T>(rows.size);
    const T width = sub_up(std::get<T>(rows.bounds.upper), std::get<T>(rows.bounds.lower));
    const T largest = mul_up(div_up(mul_up(width, width), T{4}), size);
    const Transformation sum =
        make_sum_of_squared_deviations(input_domain, input_metric, {SumOrder::pairwise, rows.type});
    return sum.then(make_lipschitz_float_mul(sum.output_domain(),
                                             sum.output_metric(),
                                             Scalar(T{1} / exact_cast<T>(rows.size - ddof)),
                                             {Scalar(T{0}), Scalar(largest)}));
  });
}

}  // namespace dp
