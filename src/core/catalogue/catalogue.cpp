#include "core/catalogue/catalogue.h"

#include <unordered_map>

#include "core/catalogue/families.h"

namespace dp {

const std::vector<Family>& catalogue() {
  static const std::vector<Family> families{
      {"domains", domain_constructors()},
      {"metrics", metric_constructors()},
      {"measures", measure_constructors()},
      {"transformations", row_constructors()},
      {"transformations", count_constructors()},
      {"transformations", sum_constructors()},
      {"transformations", frame_constructors()},
      {"transformations", quantile_constructors()},
      {"measurements", noise_constructors()},
      {"measurements", selection_constructors()},
      {"measurements", response_constructors()},
      {"combinators", combinator_constructors()},
      {"core", function_constructors()},
      {"accounting", accountant_constructors()},
      {"statistics", statistic_constructors()},
  };
  return families;
}

const Constructor& constructor_called(const std::string& name) {
  static const std::unordered_map<std::string, const Constructor*> by_name = [] {
    std::unordered_map<std::string, const Constructor*> all;
    for (const Family& family : catalogue()) {
      for (const Constructor& each : family.constructors) all.emplace(each.name(), &each);
    }
    return all;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) {
    throw Error(ErrorKind::type, "there is no constructor called " + name + ".");
  }
  return *found->second;
}

}  // namespace dp
