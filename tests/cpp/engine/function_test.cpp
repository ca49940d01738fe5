#include "core/engine/function.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/row_wise.h"
#include "engine/source_rows.h"
#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::function_test {
namespace {

// x + 1, x + 2, ...: an operator that a reducer can absorb.
class Plus final : public RowOperator {
 public:
  explicit Plus(std::int64_t add) : add_(add) {}
  std::int64_t add() const { return add_; }
  AtomType output_type() const override { return AtomType::i64; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    std::int64_t* to = buffer.cells<std::int64_t>(in.size);
    for (std::size_t i = 0; i < in.size; ++i) to[i] = in.as<std::int64_t>()[i] + add_;
    return {to, nullptr, in.size};
  }

 private:
  std::int64_t add_;
};

// Sum of rows. Each absorbed operator adds a constant to every row.
class FusedSum final : public Reducer {
 public:
  explicit FusedSum(std::int64_t add, int fused) : add_(add), fused_(fused) {}

  struct Part final : Partial {
    explicit Part(std::int64_t add) : add_(add) {}
    void update(const Batch& batch) override {
      for (std::size_t i = 0; i < batch.size; ++i) sum += batch.as<std::int64_t>()[i] + add_;
    }
    void merge(Partial&& later) override { sum += static_cast<const Part&>(later).sum; }
    std::int64_t sum = 0;

   private:
    std::int64_t add_;
  };

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<Part>(add_);
  }
  // The sum, and the number of absorbed operators.
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    return Value::Tuple{Scalar(static_cast<const Part&>(*merged(std::move(parts))).sum),
                        Scalar(fused_)};
  }
  std::shared_ptr<const Reducer> fuse(const RowOperator& before) const override {
    const auto* plus = dynamic_cast<const Plus*>(&before);
    if (plus == nullptr) return nullptr;
    return std::make_shared<FusedSum>(add_ + plus->add(), fused_ + 1);
  }

 private:
  std::int64_t add_;
  int fused_;
};

class Echo final : public WholeStage {
 public:
  explicit Echo(bool passes) : passes_(passes) {}
  bool passes(std::size_t) const override { return passes_; }
  Value run(const Value& value) const override { return value; }

 private:
  bool passes_;
};

struct Result {
  std::int64_t sum;
  std::int32_t fused;
};

Result run(const Function& f) {
  const Value out = f(to_value<std::int64_t>(AtomType::i64, {10, 20, 30}));
  const auto& tuple = *out.as<Value::Tuple>();
  return {element_in<std::int64_t>(tuple[0]), element_in<std::int32_t>(tuple[1])};
}

Function plus(std::int64_t add) { return row_function<Plus>(add); }
Function sum() { return reduce_function<FusedSum>(std::int64_t{0}, 0); }
Function negate() {
  return row_map<std::int64_t, std::int64_t>(AtomType::i64, [](std::int64_t x) { return -x; });
}

TEST(Function, AReducerTakesOverOperatorsFromTheLastBackwards) {
  const Function f = plus(1).then(plus(2)).then(sum());
  EXPECT_EQ(run(f).sum, 69);
  EXPECT_EQ(run(f).fused, 2);
}

TEST(Function, FusionStopsAtWhatTheReducerDoesNotKnow) {
  const Function f = plus(1).then(negate()).then(plus(2)).then(sum());
  EXPECT_EQ(run(f).sum, -63 + 6);
  EXPECT_EQ(run(f).fused, 1);
}

TEST(Function, FusionStopsAtAWholeStageUnlessItPasses) {
  for (const bool passes : {false, true}) {
    const Function f = plus(1).then(stage_function<Echo>(passes)).then(plus(2)).then(sum());
    EXPECT_EQ(run(f).sum, 69);
    EXPECT_EQ(run(f).fused, passes ? 2 : 1);
  }
}

TEST(Function, CompositionIsAssociative) {
  const Function left = plus(1).then(plus(2)).then(sum());
  const Function right = plus(1).then(plus(2).then(sum()));
  EXPECT_EQ(left.stages().size(), right.stages().size());
  EXPECT_EQ(run(left).sum, run(right).sum);
  EXPECT_EQ(run(left).fused, run(right).fused);
}

TEST(Function, CompositionLeavesItsPartsAlone) {
  const Function first = plus(1);
  first.then(sum());
  EXPECT_EQ(first.stages().size(), 1u);
  const Value out = first(to_value<std::int64_t>(AtomType::i64, {1}));
  EXPECT_EQ(to_dataset<std::int64_t>(out), (Dataset<std::int64_t>{2}));
}

TEST(Function, AWholeFunctionSeesTheValueItself) {
  const Function f = whole_function([](const Value& value) -> Value { return value; });
  EXPECT_EQ(element_in<bool>(f(Scalar(true))), true);
}

// Rows of a wrong type would be misread, even beyond their end.
TEST(Function, OnACarrierNothingElseIsRead) {
  const Function f = on_carrier(vector_of(default_atom(AtomType::i64)), plus(1));
  EXPECT_EQ(to_dataset<std::int64_t>(f(to_value<std::int64_t>(AtomType::i64, {1}))),
            (Dataset<std::int64_t>{2}));
  expect_error(ErrorKind::failed_cast, [&] { f(to_value<std::int32_t>(AtomType::i32, {1})); });
  expect_error(ErrorKind::failed_cast, [&] { f(to_value<std::uint64_t>(AtomType::u64, {1})); });
  expect_error(ErrorKind::failed_cast, [&] { f(Scalar(std::int64_t{1})); });
}

}  // namespace
}  // namespace dp::test::function_test
