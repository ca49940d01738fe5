#include "core/transformations/rows/metric_cast.h"

#include "core/numeric/cast.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

std::uint64_t known_size(const Domain& input_domain) {
  const auto* vector = input_domain.as<VectorDomain>();
  if (vector == nullptr) {
    throw Error(ErrorKind::failed_cast,
                "input_domain must be a vector, not " + debug(input_domain) + ".");
  }
  if (!vector->size) {
    throw Error(ErrorKind::failed_function,
                "dataset size must be known. Either specify size in the input domain or use "
                "make_resize");
  }
  return *vector->size;
}

}  // namespace

Transformation make_metric_bounded(const Domain& input_domain, const Metric& input_metric) {
  if (!is_dataset_metric(input_metric) || is_bounded(input_metric)) {
    refuse_metric(input_metric, "input_metric must be SymmetricDistance or InsertDeleteDistance");
  }
  const std::uint64_t size = known_size(input_domain);
  const bool ordered = is_ordered(input_metric);
  return Transformation(input_domain,
                        input_metric,
                        input_domain,
                        ordered ? hamming_distance() : change_one_distance(),
                        Function(),
                        map_rows<std::uint32_t>([=](std::uint32_t d_in) -> std::uint32_t {
                          if (!ordered || d_in < 2) return d_in / 2;
                          return exact_cast<std::uint32_t>(size);
                        }));
}

Transformation make_metric_unbounded(const Domain& input_domain, const Metric& input_metric) {
  if (!is_bounded(input_metric)) {
    refuse_metric(input_metric, "input_metric must be ChangeOneDistance or HammingDistance");
  }
  known_size(input_domain);
  const Metric output_metric =
      is_ordered(input_metric) ? insert_delete_distance() : symmetric_distance();
  return Transformation(input_domain,
                        input_metric,
                        input_domain,
                        output_metric,
                        Function(),
                        constant_map(output_metric, 2));
}

}  // namespace dp
