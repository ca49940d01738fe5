#include "core/catalogue/families.h"

namespace dp {
namespace {

// Over numbers of the type `.T`.
Constructor typed_metric(const char* name, Metric (*make)(AtomType)) {
  return constructor(name, make, {".T"}).needs({});
}

// A distance between partitions, with one distance under `metric` for each of them.
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
      constructor("symmetric_distance", symmetric_distance).example("").needs({}),
      constructor("insert_delete_distance", insert_delete_distance).example("").needs({}),
      constructor("change_one_distance", change_one_distance).example("").needs({}),
      constructor("hamming_distance", hamming_distance).example("").needs({}),
      constructor("discrete_distance", discrete_distance).example("").needs({}),
      typed_metric("absolute_distance", absolute_distance).example(".T = f64"),
      typed_metric("l1_distance", l1_distance).example("'i32'"),
      typed_metric("l2_distance", l2_distance).example("'f32'"),
      constructor("linf_distance", linf_distance, {".T", "monotonic"})
          .example("'f64', monotonic = TRUE")
          .needs({}),
      partition_metric("l01inf_distance", MetricKind::l01inf).example("absolute_distance('i32')"),
      partition_metric("l02inf_distance", MetricKind::l02inf).example("absolute_distance('i32')"),
      constructor("user_distance",
                  {"identifier", "descriptor"},
                  [](const Arguments& in) -> Made {
                    return user_distance(in.text("identifier"), in.object("descriptor"));
                  })
          .example("'mine'")
          .needs({"honest-but-curious"}),
  };
}

}  // namespace dp
