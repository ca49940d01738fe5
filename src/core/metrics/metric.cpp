#include "core/metrics/metric.h"

#include <utility>

namespace dp {
namespace {

const char* base_name(MetricKind kind) {
  switch (kind) {
    case MetricKind::symmetric:
      return "SymmetricDistance";
    case MetricKind::insert_delete:
      return "InsertDeleteDistance";
    case MetricKind::change_one:
      return "ChangeOneDistance";
    case MetricKind::hamming:
      return "HammingDistance";
    case MetricKind::absolute:
      return "AbsoluteDistance";
    case MetricKind::l1:
      return "L1Distance";
    case MetricKind::l2:
      return "L2Distance";
    case MetricKind::linf:
      return "LInfDistance";
    case MetricKind::l01inf:
      return "L01InfDistance";
    case MetricKind::l02inf:
      return "L02InfDistance";
    case MetricKind::discrete:
      return "DiscreteDistance";
    case MetricKind::user:
      return "ExtrinsicDistance";
  }
  throw Error(ErrorKind::type, "unknown metric.");
}

bool has_distance_type(MetricKind kind) {
  return kind == MetricKind::absolute || kind == MetricKind::l1 || kind == MetricKind::l2 ||
         kind == MetricKind::linf;
}

Metric plain(MetricKind kind) {
  Metric metric{};
  metric.kind = kind;
  return metric;
}

Metric typed(MetricKind kind, AtomType distance_type, bool monotonic = false) {
  if (!is_number(distance_type)) detail::refuse_type(distance_type, "numbers");
  Metric metric = plain(kind);
  metric.distance_type = distance_type;
  metric.monotonic = monotonic;
  return metric;
}

}  // namespace

Metric symmetric_distance() { return plain(MetricKind::symmetric); }
Metric insert_delete_distance() { return plain(MetricKind::insert_delete); }
Metric change_one_distance() { return plain(MetricKind::change_one); }
Metric hamming_distance() { return plain(MetricKind::hamming); }
Metric discrete_distance() { return plain(MetricKind::discrete); }

Metric absolute_distance(AtomType distance_type) {
  return typed(MetricKind::absolute, distance_type);
}
Metric l1_distance(AtomType distance_type) { return typed(MetricKind::l1, distance_type); }
Metric l2_distance(AtomType distance_type) { return typed(MetricKind::l2, distance_type); }
Metric linf_distance(AtomType distance_type, bool monotonic) {
  return typed(MetricKind::linf, distance_type, monotonic);
}

Metric l0pinf_distance(MetricKind kind, Metric inner) {
  Metric metric = plain(kind);
  metric.inner = std::make_shared<const Metric>(std::move(inner));
  return metric;
}

Metric user_distance(std::string identifier, Opaque descriptor) {
  Metric metric = plain(MetricKind::user);
  metric.identifier = std::move(identifier);
  metric.descriptor = std::move(descriptor);
  return metric;
}

bool operator==(const Metric& a, const Metric& b) {
  if (a.kind != b.kind || a.identifier != b.identifier || a.monotonic != b.monotonic) return false;
  if (has_distance_type(a.kind)) return a.distance_type == b.distance_type;
  return a.inner == nullptr || *a.inner == *b.inner;
}

bool is_dataset_metric(const Metric& metric) {
  return metric.kind == MetricKind::symmetric || metric.kind == MetricKind::insert_delete ||
         is_bounded(metric);
}

bool is_bounded(const Metric& metric) {
  return metric.kind == MetricKind::change_one || metric.kind == MetricKind::hamming;
}

bool is_ordered(const Metric& metric) {
  return metric.kind == MetricKind::insert_delete || metric.kind == MetricKind::hamming;
}

std::string debug(const Metric& metric) {
  const std::string base = base_name(metric.kind);
  if (metric.kind == MetricKind::user) return metric.identifier;
  if (metric.inner) return base + "(" + debug(*metric.inner) + ")";
  if (metric.kind == MetricKind::linf) {
    return base + (metric.monotonic ? "(monotonic, T=" : "(T=") + name(metric.distance_type) + ")";
  }
  return base + "(" + (has_distance_type(metric.kind) ? name(metric.distance_type) : "") + ")";
}

std::string type_name(const Metric& metric) {
  const std::string base = base_name(metric.kind);
  if (metric.inner) return base + "<" + type_name(*metric.inner) + ">";
  return has_distance_type(metric.kind) ? base + "<" + name(metric.distance_type) + ">" : base;
}

std::string distance_type_name(const Metric& metric) {
  if (metric.kind == MetricKind::user) return "ExtrinsicObject";
  if (metric.inner) {
    const std::string part = distance_type_name(*metric.inner);
    return "(u32, " + part + ", " + part + ")";
  }
  return name(metric.distance_type);
}

Metric parse_metric(const std::string& text) {
  constexpr MetricKind kPlain[] = {MetricKind::symmetric,
                                   MetricKind::insert_delete,
                                   MetricKind::change_one,
                                   MetricKind::hamming,
                                   MetricKind::discrete};
  for (MetricKind kind : kPlain) {
    if (text == base_name(kind)) return plain(kind);
  }
  const std::size_t open = text.find('<');
  if (open != std::string::npos && text.back() == '>') {
    const std::string base = text.substr(0, open);
    const std::string argument = text.substr(open + 1, text.size() - open - 2);
    for (MetricKind kind :
         {MetricKind::absolute, MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
      if (base == base_name(kind)) return typed(kind, parse_atom_type(argument));
    }
    for (MetricKind kind : {MetricKind::l01inf, MetricKind::l02inf}) {
      if (base == base_name(kind)) return l0pinf_distance(kind, parse_metric(argument));
    }
  }
  throw Error(ErrorKind::type_parse, "failed to parse type: " + text);
}

void refuse_metric(const Metric& metric, const std::string& condition) {
  throw Error(ErrorKind::type,
              "No match for concrete type " + type_name(metric) + ". " + condition + ".");
}

void check_dataset_metric(const Metric& metric) {
  if (!is_dataset_metric(metric)) {
    refuse_metric(metric,
                  "input_metric must be a distance between datasets: SymmetricDistance, "
                  "InsertDeleteDistance, ChangeOneDistance or HammingDistance");
  }
}

}  // namespace dp
