#include "core/transformations/rows/resize.h"

#include <algorithm>
#include <utility>

#include "core/data/membership.h"
#include "core/engine/any_size.h"
#include "core/transformations/rows/gather.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

class Resize final : public WholeStage, public TakesAnySize {
 public:
  Resize(std::size_t size, std::optional<Scalar> padding, bool ordered_input, bool ordered_output)
      : size_(size),
        padding_(std::move(padding)),
        ordered_input_(ordered_input),
        ordered_output_(ordered_output) {}

  bool passes(std::size_t n) const override { return n == size_ && !shuffles(n); }
  bool streams() const override { return true; }

  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    const std::size_t count = std::max(rows.size(), size_);
    return gather(rows,
                  shuffles(rows.size()) ? places_at_random(count) : places_in_order(count),
                  size_,
                  padding_);
  }

 private:
  bool shuffles(std::size_t n) const { return !ordered_input_ && (n > size_ || ordered_output_); }

  std::size_t size_;
  std::optional<Scalar> padding_;
  bool ordered_input_;
  bool ordered_output_;
};

void check_metrics(const Metric& input, const Metric& output) {
  check_dataset_metric(input);
  check_dataset_metric(output);
  if (is_bounded(input) ? output != input : is_bounded(output)) {
    refuse_metric(output,
                  is_bounded(input) ? "the output metric of a bounded distance must be the same"
                                    : "the output metric must be SymmetricDistance or "
                                      "InsertDeleteDistance");
  }
}

void check_constant(const RowDomain& rows, const std::optional<Scalar>& constant) {
  if (!constant) {
    if (rows.option) return;
    throw Error(ErrorKind::make_transformation, "constant must not be null: no row may be.");
  }
  if (!carries(*constant, rows.atom.type)) {
    throw Error(ErrorKind::failed_cast,
                std::string("constant must have the carrier type ") + name(rows.atom.type) + ".");
  }
  if (!member(rows.atom, *constant)) {
    throw Error(ErrorKind::make_transformation, "row domain must contain the imputation constant");
  }
}

}  // namespace

Transformation make_resize(const Domain& input_domain,
                           const Metric& input_metric,
                           std::uint64_t size,
                           const std::optional<Scalar>& constant,
                           const Metric& output_metric) {
  const RowDomain rows = row_domain(input_domain);
  check_metrics(input_metric, output_metric);
  check_constant(rows, constant);
  if (size == 0) throw Error(ErrorKind::make_transformation, "row size must be greater than zero");
  return Transformation(input_domain,
                        input_metric,
                        vector_of(*input_domain.as<VectorDomain>()->element, size),
                        output_metric,
                        stage_function<Resize>(static_cast<std::size_t>(size),
                                               constant,
                                               is_ordered(input_metric),
                                               is_ordered(output_metric)),
                        constant_map(output_metric, is_bounded(input_metric) ? 1 : 2));
}

}  // namespace dp
