#include "core/catalogue/families.h"

namespace dp {
namespace {

// Over numbers of the type `.T`.
Constructor typed_metric(const char* name, Metric (*make)(AtomType)) {
  return constructor(name, make, {".T"}).needs({});
}

// Of distances under `metric`, one for each partition.
Constructor partition_metric(const char* name, MetricKind kind) {
  return constructor(
             name,
             {"metric"},
             [kind](const Arguments& in) { return l0pinf_distance(kind, in.metric("metric")); })
      .needs({});
}

}  // namespace

std::vector<Constructor> metric_constructors() {
  return {
      constructor("symmetric_distance", symmetric_distance).needs({}),
      constructor("insert_delete_distance", insert_delete_distance).needs({}),
      constructor("change_one_distance", change_one_distance).needs({}),
      constructor("hamming_distance", hamming_distance).needs({}),
      constructor("discrete_distance", discrete_distance).needs({}),
      typed_metric("absolute_distance", absolute_distance),
      typed_metric("l1_distance", l1_distance),
      typed_metric("l2_distance", l2_distance),
      constructor("linf_distance", linf_distance, {".T", "monotonic"}).needs({}),
      partition_metric("l01inf_distance", MetricKind::l01inf),
      partition_metric("l02inf_distance", MetricKind::l02inf),
      constructor("user_distance",
                  {"identifier", "descriptor"},
                  [](const Arguments& in) -> Made {
                    return user_distance(in.text("identifier"), in.object("descriptor"));
                  })
          .needs({"honest-but-curious"}),
  };
}

}  // namespace dp
