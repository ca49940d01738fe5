#include "core/combinators/fixed_loss_map.h"

namespace dp {
PrivacyMap promise(const Distance& d_in, const Distance& loss, const std::string& refusal) {
  return [=](const Distance& asked) {
    if (!is_distance(asked)) throw Error(ErrorKind::failed_map, "d_in must be non-negative");
    if (!at_most(asked, d_in)) throw Error(ErrorKind::relation_debug, refusal);
    return loss;
  };
}

}  // namespace dp
