#include "core/measurements/stable_top_k.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/measurements/checked_column.h"
#include "core/measurements/laplace.h"
#include "core/measurements/refuse.h"
#include "core/measurements/threshold.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

// The places of the k largest counts in ascending order, and the distance to another set of them.
struct Largest {
  std::vector<std::uint64_t> places;
  Integer distance;
};

Largest largest(const std::vector<std::int64_t>& counts, std::uint64_t k) {
  std::vector<std::uint64_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t i, std::uint64_t j) {
    return counts[i] > counts[j];
  });
  const Integer gap = Integer(counts[order[k - 1]]) - counts[order[k]];
  order.resize(k);
  std::sort(order.begin(), order.end());
  return {std::move(order), std::max(Integer(0), Integer((gap + 1) / 2 - 1))};
}

}  // namespace

Measurement make_stable_top_k(const Domain& input_domain,
                              const Metric& input_metric,
                              std::uint64_t k,
                              double scale,
                              std::int64_t threshold) {
  const RowDomain domain = row_domain(input_domain);
  if (domain.atom.type != AtomType::i64 || input_metric.kind != MetricKind::linf) {
    throw Error(ErrorKind::type, "counts must be vectors of i64 under LInfDistance.");
  }
  check_metric_space(input_domain, input_metric);
  if (k < 1 || (domain.size && *domain.size <= k)) {
    refuse_measurement("k must be at least 1 and below the number of counts.");
  }
  if (!(scale > 0) || std::isinf(scale))
    refuse_measurement("the scale must be positive and finite.");
  const Rational exact_scale = exact_rational(scale);
  auto noise = std::make_shared<const DiscreteLaplace>(exact_scale);
  auto select =
      [k, threshold, noise = std::move(noise), size = domain.size](const Value& arg) -> Value {
    const Column& rows = *rows_in(arg);
    check_member_column<std::int64_t>(rows, size);
    if (rows.size() <= k) refuse_nonmember();
    std::vector<std::int64_t> counts(rows.size());
    each_cell<std::int64_t>(rows, [&](std::int64_t count, std::size_t i) { counts[i] = count; });
    Largest found = largest(counts, k);
    const bool told = found.distance + noise->draw(secure_bits()) >= threshold;
    if (!told) found.places.clear();
    return make_column<std::uint64_t>(AtomType::usize, found.places);
  };
  return Measurement(
      input_domain,
      input_metric,
      approximate(max_divergence()),
      whole_function(std::move(select)),
      [exact_scale, threshold](const Distance& d_in) -> Distance {
        const Integer d = number_in<std::int64_t>(d_in);
        if (d == 0) return Distance::Tuple{Scalar(0.0), Scalar(0.0)};
        if (d < 0 || d > threshold) {
          throw Error(ErrorKind::failed_map, "d_in must be between 0 and the threshold.");
        }
        return Distance::Tuple{Scalar(laplace_loss(Rational(d), exact_scale)),
                               Scalar(laplace_tail(Integer(threshold - (d - 1)), exact_scale))};
      });
}

}  // namespace dp
