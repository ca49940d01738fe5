#include "core/metrics/privacy_unit.h"

namespace dp {

std::optional<std::uint64_t> distance_of_neighbours(const PrivacyUnit& owed,
                                                    const PrivacyUnit& released) {
  if (owed.what != released.what || owed.columns != released.columns) return std::nullopt;
  if (owed.relation == released.relation) return owed.count;
  if (owed.relation == PrivacyUnit::Relation::add_remove) return std::nullopt;
  return std::uint64_t{2} * owed.count;
}

}  // namespace dp
