#include "core/engine/execute.h"

#include <gtest/gtest.h>

#include "core/engine/function.h"
#include "core/runtime/one_thread.h"
#include "core/runtime/parallel.h"
#include "core/transformations/rows/row_wise.h"
#include "engine/source_rows.h"
#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::execute_test {
namespace {

// Around the sizes of batches (2^10), of ranges (2^17), and of enough work for a thread (2^19).
constexpr std::size_t kSizes[] = {
    0, 1, 2, 1023, 1024, 1025, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, (1 << 19) + 7};
constexpr std::size_t kThreads[] = {1, 2, 3, 8};

class Execute : public ::testing::Test {
 protected:
  void TearDown() override {
    set_thread_count(1);
    set_interrupt_check({});
  }
};

// An order-sensitive hash of rows. It changes if parts are merged in a different order, twice, or
// not at all.
class OrderedHash final : public Reducer {
 public:
  static constexpr std::uint64_t kBase = 6364136223846793005u;

  struct Part final : Partial {
    std::uint64_t hash = 0;
    std::uint64_t weight = 1;
    void update(const Batch& batch) override {
      for (std::size_t i = 0; i < batch.size; ++i) {
        hash = hash * kBase + static_cast<std::uint64_t>(batch.as<std::int64_t>()[i]) + 1;
        weight *= kBase;
      }
    }
    void merge(Partial&& later) override {
      const auto& part = static_cast<const Part&>(later);
      hash = hash * part.weight + part.hash;
      weight *= part.weight;
    }
  };

  std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Part>(); }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    return Scalar(static_cast<const Part&>(*merged(std::move(parts))).hash);
  }
};

std::uint64_t plain_hash(std::size_t n, std::int64_t (*f)(std::int64_t)) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < n; ++i) {
    hash = hash * OrderedHash::kBase + static_cast<std::uint64_t>(f(ComputedRows::at(i))) + 1;
  }
  return hash;
}

std::int64_t same(std::int64_t x) { return x; }
std::int64_t thrice_plus(std::int64_t x) { return 3 * x + 7; }

Function thrice_plus_rows() {
  return row_map<std::int64_t, std::int64_t>(AtomType::i64, thrice_plus);
}
Function hash_rows() { return reduce_function<OrderedHash>(); }

std::uint64_t hash_of(const Function& f, const Value& rows) {
  return element_in<std::uint64_t>(f(rows));
}

TEST_F(Execute, ReductionsDoNotDependOnThreadsNorOnWhereRowsLie) {
  for (const std::size_t n : kSizes) {
    const auto twice = thrice_plus_rows().then(thrice_plus_rows());
    const auto expected = plain_hash(n, same);
    const auto expected_twice =
        plain_hash(n, [](std::int64_t x) { return thrice_plus(thrice_plus(x)); });
    for (const std::size_t threads : kThreads) {
      set_thread_count(threads);
      for (const ColumnPtr& rows : {stored_rows(n), ColumnPtr(std::make_shared<ComputedRows>(n))}) {
        EXPECT_EQ(hash_of(hash_rows(), rows), expected) << n << " rows, " << threads << " threads";
        EXPECT_EQ(hash_of(twice.then(hash_rows()), rows), expected_twice) << n;
      }
    }
  }
}

TEST_F(Execute, CollectedRowsDoNotDependOnThreadsNorOnWhereRowsLie) {
  for (const std::size_t n : kSizes) {
    for (const std::size_t threads : kThreads) {
      set_thread_count(threads);
      for (const ColumnPtr& rows : {stored_rows(n), ColumnPtr(std::make_shared<ComputedRows>(n))}) {
        const ColumnPtr out = rows_in(thrice_plus_rows()(rows));
        EXPECT_EQ(out->size(), n);
        EXPECT_EQ(hash_of(hash_rows(), out), plain_hash(n, thrice_plus)) << n;
      }
    }
  }
}

TEST_F(Execute, NullsAndTextAreCollectedInOrder) {
  set_thread_count(3);
  const std::size_t n = (1 << 19) + 7;
  const auto even_only = row_map_to_option<std::int64_t, std::string>(
      AtomType::string, [](std::int64_t x) -> std::optional<std::string> {
        if (x % 2 != 0) return std::nullopt;
        return std::to_string(x);
      });
  const auto out = to_dataset<std::string>(even_only(ColumnPtr(std::make_shared<ComputedRows>(n))));
  ASSERT_EQ(out.size(), n);
  for (std::size_t i = 0; i < n; i += 997) {
    const std::int64_t x = ComputedRows::at(i);
    EXPECT_EQ(out[i], x % 2 == 0 ? Row<std::string>(std::to_string(x)) : std::nullopt) << i;
  }
}

TEST_F(Execute, AChainIsOnePassInBlocks) {
  const auto rows = std::make_shared<ComputedRows>(100000);
  hash_of(thrice_plus_rows().then(thrice_plus_rows()).then(hash_rows()), ColumnPtr(rows));
  EXPECT_EQ(rows->rows_read(), 100000u);
  EXPECT_LE(rows->largest_read(), kBatchRows);
}

TEST_F(Execute, StoredRowsAreReadWhereTheyLie) {
  // A reducer that records the addresses of its batches.
  class Where final : public Reducer {
   public:
    struct Part final : Partial {
      std::vector<const void*> cells;
      void update(const Batch& batch) override { cells.push_back(batch.cells); }
    };
    std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Part>(); }
    Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
      const auto& part = static_cast<const Part&>(*parts.at(0));
      return Value::Tuple{Scalar(static_cast<std::uint64_t>(part.cells.size())),
                          Opaque(const_cast<void*>(part.cells.at(0)), [](void*) {})};
    }
  };
  const ColumnPtr rows = stored_rows(5000);
  BatchBuffer buffer;
  const void* begin = rows->read(0, 1, buffer).cells;
  const Value out = reduce_function<Where>()(rows);
  const auto& tuple = *out.as<Value::Tuple>();
  EXPECT_EQ(element_in<std::uint64_t>(tuple[0]), 1u);  // one batch, however long
  EXPECT_EQ(tuple[1].as<Opaque>()->get(), begin);
}

TEST_F(Execute, RowsOfOneThreadAreReadByThatThread) {
  set_thread_count(8);
  const auto rows = std::make_shared<ComputedRows>((1 << 19) + 7, false);
  hash_of(hash_rows(), ColumnPtr(rows));
  thrice_plus_rows()(ColumnPtr(rows));
  EXPECT_EQ(rows->foreign_reads(), 0u);
}

// A pass over any range checks for a stop every 16 batches, which takes less than 0.2 s at 10
// microseconds per row.
TEST_F(Execute, AsksForInterruptsWithinSixteenBlocks) {
  class OneRange final : public Reducer {
   public:
    struct Part final : Partial {
      void update(const Batch&) override {}
    };
    std::vector<std::size_t> cuts(std::size_t size) const override { return {size}; }
    std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Part>(); }
    Value finish(std::vector<std::unique_ptr<Partial>>, std::size_t) const override {
      return Scalar(std::uint64_t{0});
    }
  };
  for (const bool concurrent : {true, false}) {
    const auto rows = std::make_shared<ComputedRows>(1000000, concurrent);
    std::size_t before = 0;
    std::size_t longest = 0;
    set_interrupt_check([&] {
      longest = std::max(longest, rows->rows_read() - before);
      before = rows->rows_read();
      return false;
    });
    const Value from = ColumnPtr(rows);
    thrice_plus_rows().then(reduce_function<OneRange>())(from);
    EXPECT_EQ(rows->rows_read(), 1000000u);
    EXPECT_LE(longest, 16 * kBatchRows);
    thrice_plus_rows()(from);
    EXPECT_LE(longest, 64 * kBatchRows);
  }
}

// Rows that other threads may read only up to a given row.
class TriedRows final : public Column, public TryableRows {
 public:
  TriedRows(std::size_t size, std::size_t limit) : rows_(size), limit_(limit) {}

  AtomType type() const override { return rows_.type(); }
  std::size_t size() const override { return rows_.size(); }
  bool concurrent() const override { return false; }
  bool worth_trying() const override { return true; }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    if (begin + size > limit_ && std::this_thread::get_id() != maker_) throw OneThreadOnly();
    return rows_.read(begin, size, buffer);
  }

 private:
  ComputedRows rows_;
  std::size_t limit_;
  std::thread::id maker_ = std::this_thread::get_id();
};

TEST_F(Execute, RowsThatOtherThreadsCannotReadAreReadAgainByOne) {
  set_thread_count(4);
  const std::size_t n = (1 << 20) + 7;
  for (const std::size_t limit : {std::size_t{0}, n / 2, n - 1, n}) {
    const auto rows = std::make_shared<TriedRows>(n, limit);
    EXPECT_EQ(hash_of(hash_rows(), ColumnPtr(rows)), plain_hash(n, same)) << limit;
    const ColumnPtr out = rows_in(thrice_plus_rows()(ColumnPtr(rows)));
    EXPECT_EQ(hash_of(hash_rows(), out), plain_hash(n, thrice_plus)) << limit;
  }
}

TEST_F(Execute, SmallDataIsNotWorthAThread) {
  set_thread_count(8);
  const auto rows = std::make_shared<ComputedRows>((1 << 19) - 1);
  hash_of(hash_rows(), ColumnPtr(rows));
  EXPECT_EQ(rows->foreign_reads(), 0u);
}

// A whole-data stage that passes up to 5 rows and otherwise drops the first row.
class DropFirst final : public WholeStage {
 public:
  bool passes(std::size_t size) const override { return size == 5; }
  Value run(const Value& value) const override {
    auto data = to_dataset<std::int64_t>(value);
    EXPECT_NE(data.size(), 5u) << "run() of a stage that passes";
    data.erase(data.begin());
    return to_value(AtomType::i64, data);
  }
};

TEST_F(Execute, AStageThatPassesDoesNotInterruptThePass) {
  const auto chain = thrice_plus_rows()
                         .then(stage_function<DropFirst>())
                         .then(thrice_plus_rows())
                         .then(hash_rows());
  const auto twice = [](std::int64_t x) { return thrice_plus(thrice_plus(x)); };
  const auto five = std::make_shared<ComputedRows>(5);
  EXPECT_EQ(hash_of(chain, ColumnPtr(five)), plain_hash(5, twice));
  EXPECT_EQ(five->rows_read(), 5u);
  std::uint64_t without_first = 0;
  for (std::size_t i = 1; i < 6; ++i) {
    without_first = without_first * OrderedHash::kBase +
                    static_cast<std::uint64_t>(twice(ComputedRows::at(i))) + 1;
  }
  EXPECT_EQ(hash_of(chain, ColumnPtr(std::make_shared<ComputedRows>(6))), without_first);
}

TEST_F(Execute, AStreamingStageReadsThroughTheOperatorsBeforeIt) {
  // Hashes its rows, and reports whether they were in one vector.
  class Streaming final : public WholeStage {
   public:
    bool streams() const override { return true; }
    Value run(const Value& value) const override {
      const Column& rows = *rows_in(value);
      std::uint64_t hash = 0;
      BatchBuffer buffer;
      for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
        const Batch in = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
        OrderedHash::Part part;
        part.update(in);
        hash = hash * part.weight + part.hash;
      }
      return Value::Tuple{Scalar(hash), Scalar(rows.contiguous())};
    }
  };
  const auto rows = std::make_shared<ComputedRows>(5000);
  const Value out = thrice_plus_rows().then(stage_function<Streaming>())(ColumnPtr(rows));
  const auto& tuple = *out.as<Value::Tuple>();
  EXPECT_EQ(element_in<std::uint64_t>(tuple[0]), plain_hash(5000, thrice_plus));
  EXPECT_FALSE(element_in<bool>(tuple[1]));
  EXPECT_EQ(rows->rows_read(), 5000u);
}

TEST_F(Execute, TheIdentityCopiesNothing) {
  const ColumnPtr rows = stored_rows(3);
  EXPECT_EQ(rows_in(Function()(rows)), rows);
  EXPECT_EQ(element_in<std::int32_t>(Function()(Scalar(7))), 7);
}

TEST_F(Execute, RowOperatorsWantRows) {
  expect_error(ErrorKind::failed_cast, [] { thrice_plus_rows()(Scalar(1)); });
  expect_error(ErrorKind::failed_cast, [] { hash_rows()(Scalar(1)); });
}

TEST_F(Execute, AnErrorInAWorkerReachesTheCallerAsItIs) {
  const auto fail_late =
      row_map<std::int64_t, std::int64_t>(AtomType::i64, [](std::int64_t x) -> std::int64_t {
        if (x == 999983) throw Error(ErrorKind::failed_function, "one fixed sentence");
        return x;
      });
  const std::size_t n = (1 << 20) + 7;  // holds every residue
  for (const std::size_t threads : kThreads) {
    set_thread_count(threads);
    for (const Function& f : {fail_late.then(hash_rows()), fail_late}) {
      const std::string text = expect_error(
          ErrorKind::failed_function, [&] { f(ColumnPtr(std::make_shared<ComputedRows>(n))); });
      EXPECT_EQ(text, "one fixed sentence");
    }
  }
}

TEST_F(Execute, StopsWhenTheUserWantsTo) {
  for (const std::size_t threads : {1, 8}) {
    set_thread_count(threads);
    // With many threads, the others may finish all work except the check before it.
    int questions = threads == 1 ? 0 : 2;
    set_interrupt_check([&] { return ++questions > 2; });
    const auto rows = std::make_shared<ComputedRows>(1 << 22);
    expect_error(ErrorKind::interrupted, [&] { hash_rows()(ColumnPtr(rows)); });
    EXPECT_LT(rows->rows_read(), rows->size());
  }
}

}  // namespace
}  // namespace dp::test::execute_test
