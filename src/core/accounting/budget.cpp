#include "core/accounting/budget.h"

#include <algorithm>

#include "core/accounting/compose.h"
#include "core/measures/loss.h"

namespace dp {
namespace {

void check_number(const Distance& budget) {
  if (!(number_in<double>(budget) >= 0)) {
    throw Error(ErrorKind::failed_map, "a privacy loss must be a number, and at least 0.");
  }
}

}  // namespace

void check_budget(const Measure& measure, const Distance& budget) {
  if (measure.kind == MeasureKind::renyi_divergence) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(measure) +
                    ". A budget is a number or a pair, to be compared with.");
  }
  check_composable(measure);
  if (measure.kind == MeasureKind::approximate) {
    const ApproximateLoss parts = approximate_in(budget);
    check_number(parts.inner);
    check_number(Scalar(parts.delta));
  } else {
    check_number(budget);
  }
}

bool is_within(const Distance& loss, const Distance& budget) {
  const auto* parts = loss.as<Distance::Tuple>();
  const auto* limits = budget.as<Distance::Tuple>();
  if (parts != nullptr && limits != nullptr) {
    return std::equal(parts->begin(), parts->end(), limits->begin(), limits->end(), is_within);
  }
  return number_in<double>(loss) <= number_in<double>(budget);
}

bool is_sequential(const Measure& measure) {
  return is_approximate(measure, MeasureKind::zero_concentrated_divergence);
}

}  // namespace dp
