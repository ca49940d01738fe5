// All constructors of the framework, by name.
#pragma once

#include <string>
#include <vector>

#include "core/catalogue/constructor.h"

namespace dp {

// Constructors that belong together, and what the framework calls the module they are in.
struct Family {
  std::string module;
  std::vector<Constructor> constructors;
};

const std::vector<Family>& catalogue();

// Throws `type` if there is none.
const Constructor& constructor_called(const std::string& name);

}  // namespace dp
