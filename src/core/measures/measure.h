// Measures: how far apart two distributions of releases are. The unit of a privacy loss.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/domains/domain.h"

namespace dp {

enum class MeasureKind {
  max_divergence,                // epsilon
  zero_concentrated_divergence,  // rho
  renyi_divergence,              // alpha -> epsilon
  smoothed_max_divergence,       // epsilon -> delta, a privacy profile
  approximate,                   // (distance of `inner`, delta)
  user
};

struct Measure {
  MeasureKind kind;
  std::shared_ptr<const Measure> inner;  // approximate
  std::string identifier;                // user; plays no part in equality
  Opaque descriptor;                     // user
  // user: whether two descriptors are equal, decided by the language that owns them
  std::function<bool(const Opaque&, const Opaque&)> same_descriptor;
};

Measure max_divergence();
Measure zero_concentrated_divergence();
Measure renyi_divergence();
Measure smoothed_max_divergence();
Measure approximate(Measure inner);  // throws `type` for a Renyi divergence or an approximate one

bool operator==(const Measure& a, const Measure& b);
inline bool operator!=(const Measure& a, const Measure& b) { return !(a == b); }

std::string debug(const Measure& measure);               // "Approximate(MaxDivergence)"
std::string type_name(const Measure& measure);           // "Approximate<MaxDivergence>"
std::string distance_type_name(const Measure& measure);  // "(f64, f64)"

// Reads "MaxDivergence", "Approximate<MaxDivergence>", ...; throws type_parse.
Measure parse_measure(const std::string& text);

}  // namespace dp
