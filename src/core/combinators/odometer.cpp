#include "core/combinators/odometer.h"

#include <utility>

#include "core/data/membership.h"
#include "core/metrics/metric_space.h"

namespace dp {

Distance OdometerQueryable::loss(const Distance& d_in) {
  return guarded([&] { return compute_loss(d_in); });
}

Distance OdometerQueryable::loss_with(const Distance& d_in, const Value& query) {
  return guarded([&] { return compute_loss_with(d_in, query); });
}

Odometer::Odometer(QuerySpace space, Invocation invocation)
    : space_(std::move(space)), invocation_(std::move(invocation)) {
  check_metric_space(space_.input_domain, space_.input_metric);
}

OdometerQueryablePtr Odometer::invoke(const Value& arg) const {
  check_arg(arg, space_.input_domain);
  return invocation_(arg);
}

}  // namespace dp
