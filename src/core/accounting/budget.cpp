#include "core/accounting/budget.h"

#include <algorithm>

#include "core/accounting/compose.h"
#include "core/measures/loss.h"

namespace dp {

void check_budget(const Measure& measure, const Distance& budget) {
  if (measure.kind == MeasureKind::renyi_divergence) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(measure) +
                    ". A budget is a number or a pair, to be compared with.");
  }
  compose(measure, {budget});
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
