#include "core/sample_aggregate/block_total.h"

#include <memory>
#include <utility>

namespace dp {
namespace {

class Total final : public Partial {
 public:
  void update(const Batch& batch) override {
    const auto* rows = batch.as<std::int64_t>();
    for (std::size_t i = 0; i < batch.size; ++i) sum_ += rows[i];
  }
  void merge(Partial&& later) override { sum_ += static_cast<Total&>(later).sum_; }
  int128_t sum() const { return sum_; }

 private:
  int128_t sum_ = 0;
};

class BlockTotal final : public Reducer {
 public:
  std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Total>(); }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    return Scalar(static_cast<const Total&>(*merged(std::move(parts))).sum());
  }
};

}  // namespace

Transformation make_block_total(const Domain& input_domain, const Metric& input_metric) {
  const RowDomain rows = row_domain(input_domain);
  if (rows.atom.type != AtomType::i64 || rows.option) {
    throw Error(ErrorKind::failed_cast, "input_domain must be a vector of i64.");
  }
  if (!rows.size) throw Error(ErrorKind::make_transformation, "input_domain must have a size.");
  if (input_metric != l1_distance(AtomType::i64)) {
    throw Error(ErrorKind::type, "input_metric must be L1Distance(i64).");
  }
  return Transformation(input_domain,
                        input_metric,
                        non_nan_atom(AtomType::i128),
                        absolute_distance(AtomType::i128),
                        reduce_function<BlockTotal>(),
                        [](const Distance& d_in) -> Distance {
                          return Scalar(int128_t{number_in<std::int64_t>(d_in)});
                        });
}

}  // namespace dp
