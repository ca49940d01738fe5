// Functions that make the declared number of rows of however many they are given.
#pragma once

#include "core/data/value.h"
#include "core/domains/domain.h"
#include "core/engine/function.h"

namespace dp {

// A whole-data stage that takes any number of rows, whatever its input domain declares.
class TakesAnySize {
 public:
  virtual ~TakesAnySize() = default;
};

// Whether such a stage comes first, ignoring row operators, which accept any number of rows.
bool takes_any_size(const Function& function);

// Like check_arg() of membership.h, except for the number of rows if `function` takes any and
// neighbours have equally many (`same_sizes`): the map then holds for datasets of every size.
void check_input(const Value& value,
                 const Domain& domain,
                 bool same_sizes,
                 const Function& function);

}  // namespace dp
