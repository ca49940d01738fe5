#include "core/transformations/sums/mean.h"

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/rows/lipschitz_float_mul.h"
#include "core/transformations/sums/sum.h"

namespace dp {

Transformation make_mean(const Domain& input_domain, const Metric& input_metric) {
  check_dataset_metric(input_metric);
  const RowDomain rows = row_domain(input_domain);
  if (rows.option) throw Error(ErrorKind::failed_cast, "input_domain must not admit nulls.");
  return visit_float(rows.atom.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (!rows.size) {
      throw Error(ErrorKind::make_transformation,
                  "`input_domain` must have a known size. Use `make_resize` to fix it.");
    }
    if (!rows.atom.bounds) {
      throw Error(ErrorKind::make_transformation,
                  "`input_domain` must be bounded. Use `make_clamp` to bound data.");
    }
    if (*rows.size == 0) {
      throw Error(ErrorKind::make_transformation, "dataset size must be at least 1");
    }
    const T size = exact_cast<T>(*rows.size);
    const Bounds sums{mul_down(size, std::get<T>(rows.atom.bounds->lower)),
                      mul_up(size, std::get<T>(rows.atom.bounds->upper))};
    const Transformation sum = make_sum(input_domain, input_metric);
    return sum.then(make_lipschitz_float_mul(
        sum.output_domain(), sum.output_metric(), Scalar(T{1} / size), sums));
  });
}

}  // namespace dp
