#include "core/metrics/metric_space.h"

#include <string>

namespace dp {
namespace {

[[noreturn]] void refuse_space(const std::string& sentence) {
  throw Error(ErrorKind::metric_space, sentence);
}

[[noreturn]] void refuse_pair(const Domain& domain, const Metric& metric) {
  refuse_space(debug(metric) + " is not a metric on " + debug(domain));
}

bool is_norm(const Metric& metric) {
  return metric.kind == MetricKind::l1 || metric.kind == MetricKind::l2;
}

bool is_partition_metric(const Metric& metric) {
  return metric.kind == MetricKind::l01inf || metric.kind == MetricKind::l02inf;
}

void require_absolute_inner(const Domain& domain, const Metric& metric) {
  if (metric.inner->kind != MetricKind::absolute) refuse_pair(domain, metric);
}

void check_vector(const Domain& domain, const VectorDomain& vector, const Metric& metric) {
  if (is_dataset_metric(metric)) {
    if (is_bounded(metric) && !vector.size) {
      refuse_space(metric.kind == MetricKind::change_one
                       ? "change-one distance requires a known dataset size"
                       : "Hamming distance requires a known dataset size");
    }
    return;
  }
  const auto* atom = vector.element->as<AtomDomain>();
  if (atom == nullptr) refuse_pair(domain, metric);
  if (is_norm(metric)) {
    if (atom->nan) refuse_space("LpDistance requires non-nan elements");
  } else if (metric.kind == MetricKind::linf) {
    if (atom->nan) refuse_space("LInfDistance requires non-nan elements");
    if (atom->type != metric.distance_type) refuse_pair(domain, metric);
  } else if (is_partition_metric(metric)) {
    require_absolute_inner(domain, metric);
    if (atom->nan) refuse_space("PartitionDistance requires non-nan elements");
  } else {
    refuse_pair(domain, metric);
  }
}

void check_atom(const Domain& domain, const AtomDomain& atom, const Metric& metric) {
  if (metric.kind == MetricKind::discrete) return;
  if (metric.kind == MetricKind::symmetric && atom.type == AtomType::string) return;
  if (metric.kind != MetricKind::absolute) refuse_pair(domain, metric);
  if (atom.nan) refuse_space("AbsoluteDistance requires non-nan elements");
}

void check_map(const Domain& domain, const MapDomain& map, const Metric& metric) {
  const auto* value = map.value->as<AtomDomain>();
  if (value == nullptr || map.key->as<AtomDomain>() == nullptr) refuse_pair(domain, metric);
  if (is_norm(metric)) {
    if (value->nan) refuse_space("LpDistance requires non-nan elements");
  } else if (is_partition_metric(metric)) {
    require_absolute_inner(domain, metric);
    if (value->nan) {
      refuse_space("PartitionDistance<" + type_name(*metric.inner) +
                   "> requires non-nullable elements");
    }
  } else {
    refuse_pair(domain, metric);
  }
}

}  // namespace

void check_metric_space(const Domain& domain, const Metric& metric) {
  if (metric.kind == MetricKind::user || domain.as<UserDomain>()) return;
  if (const auto* vector = domain.as<VectorDomain>()) {
    check_vector(domain, *vector, metric);
  } else if (const auto* atom = domain.as<AtomDomain>()) {
    check_atom(domain, *atom, metric);
  } else if (const auto* map = domain.as<MapDomain>()) {
    check_map(domain, *map, metric);
  } else if (domain.as<DataFrameDomain>()) {
    if (!is_dataset_metric(metric) || metric.kind == MetricKind::hamming) {
      refuse_pair(domain, metric);
    }
  } else if (metric.kind != MetricKind::discrete || !domain.as<BitVectorDomain>()) {
    refuse_pair(domain, metric);
  }
}

}  // namespace dp
