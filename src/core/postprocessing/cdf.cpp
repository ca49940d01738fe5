#include "core/postprocessing/cdf.h"

#include <numeric>

#include "core/postprocessing/numbers.h"

namespace dp {

Function make_cdf(AtomType type) {
  return visit_float(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return whole_function([type](const Value& arg) -> Value {
      std::vector<T> sums = numbers_in<T>(arg, type);
      if (sums.empty()) throw Error(ErrorKind::failed_function, "arg must not be empty.");
      std::partial_sum(sums.begin(), sums.end(), sums.begin());
      const T total = sums.back();
      for (T& sum : sums) sum /= total;
      return make_column(type, sums);
    });
  });
}

}  // namespace dp
