#include "core/combinators/adaptive_composition.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "core/accounting/compose.h"
#include "core/combinators/fixed_loss_map.h"
#include "core/combinators/measurement_query.h"
#include "core/combinators/release_sequence.h"
#include "core/data/owned.h"

namespace dp {
namespace {

struct Plan {
  QuerySpace space;
  Distance d_in;
  std::vector<Distance> d_mids;
};

class AdaptiveCompositor final : public Queryable {
 public:
  AdaptiveCompositor(std::shared_ptr<const Plan> plan, const Value& data)
      : plan_(std::move(plan)),
        release_(plan_->space.output_measure,
                 owned(data),
                 "Adaptive compositor has received a new query. To satisfy the sequentiality "
                 "constraint of adaptive composition, only the most recent release from the parent "
                 "compositor may be interacted with.") {}

  std::string query_type() const override { return kMeasurementQuery; }

 private:
  Value answer(const Value& query) override {
    const Composable measurement = measurement_in(query, plan_->space);
    if (answered_ == plan_->d_mids.size()) refuse("out of queries");
    const Distance& share = plan_->d_mids[answered_];
    const Distance loss = measurement->map(plan_->d_in);
    if (!is_within(loss, share)) {
      refuse("insufficient budget for query: " + debug(loss) + " > " + debug(share));
    }
    ++answered_;  // charged, whatever comes of it
    return release_(measurement);
  }

  [[noreturn]] static void refuse(const std::string& sentence) {
    throw Error(ErrorKind::failed_function, sentence);
  }

  std::shared_ptr<const Plan> plan_;
  ReleaseSequence release_;
  std::size_t answered_ = 0;
};

}  // namespace

Measurement make_adaptive_composition(const Domain& input_domain,
                                      const Metric& input_metric,
                                      const Measure& output_measure,
                                      const Distance& d_in,
                                      const std::vector<Distance>& d_mids) {
  if (d_mids.empty()) {
    throw Error(ErrorKind::make_measurement, "d_mids must have at least one element");
  }
  for (const Distance& share : d_mids) check_budget(output_measure, share);
  const std::vector<Distance> reversed(d_mids.rbegin(), d_mids.rend());
  const Distance total = compose(output_measure, reversed);
  auto plan = std::make_shared<const Plan>(
      Plan{{input_domain, input_metric, output_measure}, d_in, d_mids});
  return Measurement(input_domain,
                     input_metric,
                     output_measure,
                     whole_function([plan](const Value& data) -> Value {
                       return QueryablePtr(std::make_shared<AdaptiveCompositor>(plan, data));
                     }),
                     promise(d_in,
                             total,
                             "d_in from the privacy map must be no greater than the d_in passed "
                             "into the constructor"));
}

}  // namespace dp
