#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/counts/count_by.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/counts/count_distinct.h"

namespace dp {
namespace {

Transformation count_by(const Domain& domain, const Metric& metric, AtomType value_type) {
  return make_count_by(domain, metric, value_type);
}

Made counted_by_categories(const Arguments& in) {
  const Domain& domain = in.domain("input_domain");
  return make_count_by_categories(domain,
                                  in.metric("input_metric"),
                                  in.constants("categories", row_domain(domain).atom.type),
                                  in.flag("null_category"),
                                  parse_metric(in.descriptor(".MO")),
                                  in.type(".TOA", nullptr));
}

}  // namespace

std::vector<Constructor> count_constructors() {
  return {
      constructor("make_count", make_count, {"input_domain", "input_metric", ".TO"})
          .example(in_r::rows_of("i32")),
      constructor("make_count_by", count_by, {"input_domain", "input_metric", ".TV"})
          .example(in_r::rows_of("i32")),
      constructor("make_count_by_categories",
                  {"input_domain", "input_metric", "categories", "null_category", ".MO", ".TOA"},
                  counted_by_categories)
          .example(in_r::rows_of("i32") + ", categories = c(3L, 1L)"),
      constructor(
          "make_count_distinct", make_count_distinct, {"input_domain", "input_metric", ".TO"})
          .example(in_r::rows_of("i32")),
  };
}

}  // namespace dp
