// Metrics: how far apart two members of a domain are. Public, immutable, compared by structure.
#pragma once

#include <memory>
#include <string>

#include "core/domains/atom_type.h"
#include "core/domains/domain.h"

namespace dp {

enum class MetricKind {
  symmetric,      // additions + removals between multisets
  insert_delete,  // the same between sequences
  change_one,     // substitutions between multisets of one known size
  hamming,        // substitutions between sequences of one known size
  absolute,
  l1,
  l2,
  linf,
  l01inf,  // (l0, l1, linf) of the distances per partition under `inner`
  l02inf,
  discrete,
  user
};

struct Metric {
  MetricKind kind;
  AtomType distance_type = AtomType::u32;  // of absolute, l1, l2, linf
  bool monotonic = false;                  // linf: all components move in one direction
  std::shared_ptr<const Metric> inner;     // l01inf, l02inf
  std::string identifier;                  // user
  Opaque descriptor;                       // user; plays no part in equality
};

Metric symmetric_distance();
Metric insert_delete_distance();
Metric change_one_distance();
Metric hamming_distance();
Metric discrete_distance();
Metric absolute_distance(AtomType distance_type);
Metric l1_distance(AtomType distance_type);
Metric l2_distance(AtomType distance_type);
Metric linf_distance(AtomType distance_type, bool monotonic);
Metric l0pinf_distance(MetricKind kind, Metric inner);
Metric user_distance(std::string identifier, Opaque descriptor);

bool operator==(const Metric& a, const Metric& b);
inline bool operator!=(const Metric& a, const Metric& b) { return !(a == b); }

// symmetric, insert_delete, change_one, hamming: distances between datasets, in rows (u32).
bool is_dataset_metric(const Metric& metric);
bool is_bounded(const Metric& metric);  // change_one, hamming: the number of rows is public
bool is_ordered(const Metric& metric);  // insert_delete, hamming: the order of rows matters

std::string debug(const Metric& metric);               // "L1Distance(f64)"
std::string type_name(const Metric& metric);           // "L1Distance<f64>"
std::string distance_type_name(const Metric& metric);  // "f64", "(u32, i32, i32)"

// Reads "SymmetricDistance", "L1Distance<i32>", ...; throws type_parse.
Metric parse_metric(const std::string& text);

// Throws `type`, saying which `metric` came and that `condition` must hold.
[[noreturn]] void refuse_metric(const Metric& metric, const std::string& condition);

// Throws `type` unless `metric` is a distance between datasets.
void check_dataset_metric(const Metric& metric);

}  // namespace dp
