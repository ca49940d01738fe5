#include "core/engine/any_size.h"

#include <memory>

#include "core/data/membership.h"

namespace dp {

bool takes_any_size(const Function& function) {
  for (const Stage& stage : function.stages()) {
    if (std::holds_alternative<std::shared_ptr<const RowOperator>>(stage)) continue;
    const auto* whole = std::get_if<std::shared_ptr<const WholeStage>>(&stage);
    return whole != nullptr && dynamic_cast<const TakesAnySize*>(whole->get()) != nullptr;
  }
  return false;
}

void check_input(const Value& value,
                 const Domain& domain,
                 bool same_sizes,
                 const Function& function) {
  const auto* vector = domain.as<VectorDomain>();
  if (vector == nullptr || !vector->size || !same_sizes || !takes_any_size(function)) {
    return check_arg(value, domain);
  }
  VectorDomain any = *vector;
  any.size.reset();
  check_arg(value, any);
}

}  // namespace dp
