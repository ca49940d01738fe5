// Row by row, and the order and number of rows.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/cast_inherent.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/drop_null.h"
#include "core/transformations/rows/find.h"
#include "core/transformations/rows/find_bin.h"
#include "core/transformations/rows/identity.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/impute_uniform.h"
#include "core/transformations/rows/impute_uniform_float.h"
#include "core/transformations/rows/index.h"
#include "core/transformations/rows/is_equal.h"
#include "core/transformations/rows/is_null.h"
#include "core/transformations/rows/lipschitz_float_mul.h"
#include "core/transformations/rows/metric_cast.h"
#include "core/transformations/rows/ordering.h"
#include "core/transformations/rows/resize.h"
#include "core/transformations/rows/user_transformation.h"

namespace dp {
namespace {

// Rows of a domain with nulls are padded with nulls unless there is a constant.
Made resized(const Arguments& in) {
  const Domain& domain = in.domain("input_domain");
  const RowDomain rows = row_domain(domain);
  std::optional<Scalar> fill;
  if (!rows.option || in.is_given("constant")) fill = in.constant("constant", rows.atom.type);
  return make_resize(
      domain, in.metric("input_metric"), in.size("size"), fill, parse_metric(in.descriptor(".MO")));
}

Made indexed(const Arguments& in) {
  const AtomType type = in.type(".TOA", in.is_given("categories") ? "categories" : "null");
  return make_index(in.domain("input_domain"),
                    in.metric("input_metric"),
                    in.constants("categories", type),
                    in.constant("null", type),
                    type);
}

Made imputed_uniformly(const Arguments& in) {
  const auto end = [](const Scalar& number) { return std::get<double>(number); };
  const Bounds bounds = in.bounds("bounds", AtomType::f64);
  return make_impute_uniform(
      in.domain("input_domain"), in.metric("input_metric"), end(bounds.lower), end(bounds.upper));
}

Made imputed_uniformly_as_float(const Arguments& in) {
  const Domain& domain = in.domain("input_domain");
  const AtomType type = row_domain(domain).atom.type;
  if (!is_float(type)) detail::refuse_type(type, "floats");
  return make_impute_uniform_float(domain, in.metric("input_metric"), in.bounds("bounds", type));
}

Made user_transformation(const Arguments& in) {
  const Domain& input = in.domain("input_domain");
  const Domain& output = in.domain("output_domain");
  const Metric& distances = in.metric("output_metric");
  return make_user_transformation(input,
                                  in.metric("input_metric"),
                                  output,
                                  distances,
                                  in.callback("function_", input, output),
                                  in.map("stability_map", distances));
}

}  // namespace

std::vector<Constructor> row_constructors() {
  return {
      constructor("make_cast", make_cast, {"input_domain", "input_metric", ".TOA"})
          .example(in_r::rows_of("i32") + ", .TOA = 'f64'"),
      constructor("make_cast_default", make_cast_default, {"input_domain", "input_metric", ".TOA"})
          .example(in_r::rows_of("i32") + ", .TOA = 'f64'"),
      constructor(
          "make_cast_inherent", make_cast_inherent, {"input_domain", "input_metric", ".TOA"})
          .example(in_r::rows_of("i32") + ", .TOA = 'f64'"),
      constructor("make_clamp", make_clamp, {"input_domain", "input_metric", "bounds"})
          .example(in_r::rows_of("i32") + ", bounds = c(0L, 10L)"),
      constructor("make_drop_null", make_drop_null, {"input_domain", "input_metric"})
          .example(in_r::optional_rows()),
      constructor("make_find", make_find, {"input_domain", "input_metric", "categories"})
          .example(in_r::rows_of("i32") + ", categories = c(3L, 1L)"),
      constructor("make_find_bin", make_find_bin, {"input_domain", "input_metric", "edges"})
          .example(in_r::rows_of("i32") + ", edges = c(1L, 3L)"),
      constructor("make_identity", make_identity, {"domain", "metric"})
          .example(in_r::rows_of("i32"))
          .needs(kPromised),
      constructor("make_impute_constant",
                  make_impute_constant,
                  {"input_domain", "input_metric", "constant"})
          .example(in_r::optional_rows() + ", constant = 0"),
      constructor(
          "make_impute_uniform", {"input_domain", "input_metric", "bounds"}, imputed_uniformly)
          .example(in_r::optional_rows() + ", bounds = c(0, 1)"),
      constructor("make_impute_uniform_float",
                  {"input_domain", "input_metric", "bounds"},
                  imputed_uniformly_as_float)
          .example(in_r::rows_of("f64") + ", bounds = c(0, 1)"),
      constructor(
          "make_index", {"input_domain", "input_metric", "categories", "null", ".TOA"}, indexed)
          .example(in_r::rows_of("usize") + ", categories = c('a', 'b'), null = 'c'"),
      constructor("make_is_equal", make_is_equal, {"input_domain", "input_metric", "value"})
          .example(in_r::rows_of("i32") + ", value = 3L"),
      constructor("make_is_null", make_is_null, {"input_domain", "input_metric"})
          .example(in_r::optional_rows()),
      constructor("make_lipschitz_float_mul",
                  make_lipschitz_float_mul,
                  {"input_domain", "input_metric", "constant", "bounds"})
          .example(in_r::number_of("f64") + ", constant = 2, bounds = c(0, 1)"),
      constructor("make_metric_bounded", make_metric_bounded, {"input_domain", "input_metric"})
          .example(in_r::bounded_rows("c(0L, 10L)", "size = 4")),
      constructor("make_metric_unbounded", make_metric_unbounded, {"input_domain", "input_metric"})
          .example(in_r::bounded_rows("c(0L, 10L)", "size = 4", "change_one_distance()")),
      constructor("make_ordered_random", make_ordered_random, {"input_domain", "input_metric"})
          .example(in_r::rows_of("i32")),
      constructor(
          "make_resize", {"input_domain", "input_metric", "size", "constant", ".MO"}, resized)
          .example(in_r::rows_of("i32") + ", size = 4, constant = 0L"),
      constructor("make_unordered", make_unordered, {"input_domain", "input_metric"})
          .example(in_r::rows_of("i32", "insert_delete_distance()")),
      constructor("make_user_transformation",
                  {"input_domain",
                   "input_metric",
                   "output_domain",
                   "output_metric",
                   "function_",
                   "stability_map"},
                  user_transformation)
          .example("input_domain = vector_domain(atom_domain(.T = 'i32')), input_metric = "
                   "symmetric_distance(), output_domain = vector_domain(atom_domain(.T = 'i32')), "
                   "output_metric = symmetric_distance(), function_ = identity, stability_map = "
                   "identity")
          .needs(kPromised),
  };
}

}  // namespace dp
