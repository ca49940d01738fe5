#include "core/transformations/rows/row_limit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/random/uniform.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

class FirstRows final : public Column {
 public:
  FirstRows(ColumnPtr all, std::size_t size) : all_(std::move(all)), size_(size) {}
  AtomType type() const override { return all_->type(); }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return all_->concurrent(); }
  bool contiguous() const override { return all_->contiguous(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    return all_->read(begin, size, buffer);
  }

 private:
  ColumnPtr all_;
  std::size_t size_;
};

class KeepFirst final : public WholeStage {
 public:
  explicit KeepFirst(std::uint64_t limit) : limit_(limit) {}
  bool passes(std::size_t size) const override { return size <= limit_; }
  bool streams() const override { return true; }
  Value run(const Value& value) const override {
    const ColumnPtr& rows = rows_in(value);
    if (passes(rows->size())) return value;
    return ColumnPtr(std::make_shared<FirstRows>(rows, static_cast<std::size_t>(limit_)));
  }

 private:
  std::uint64_t limit_;
};

// `count` of the numbers below `size`, as marks. Source: Floyd in Bentley (1987), "A sample of
// brilliance", Communications of the ACM 30(9).
std::vector<bool> draw_subset(std::size_t size, std::size_t count, BitSource& bits) {
  std::vector<bool> drawn(size);
  for (std::size_t last = size - count; last < size; ++last) {
    const std::size_t i = static_cast<std::size_t>(uniform_below(last + 1, bits));
    drawn[drawn[i] ? last : i] = true;
  }
  return drawn;
}

template <class T>
ColumnPtr marked_rows(const Column& rows, const std::vector<bool>& marks, std::size_t count) {
  auto kept = std::make_shared<OwnedColumn<T>>(rows.type(), count);
  Element<T>* to = kept->cells();
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    check_interrupt();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (marks[begin + i]) *to++ = batch.as<T>()[i];
    }
  }
  return kept;
}

class KeepSample final : public WholeStage {
 public:
  explicit KeepSample(std::uint64_t limit) : limit_(limit) {}
  bool passes(std::size_t size) const override { return size <= limit_; }
  bool streams() const override { return true; }
  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    if (passes(rows.size())) return value;
    const auto count = static_cast<std::size_t>(limit_);
    const std::vector<bool> marks = draw_subset(rows.size(), count, secure_bits());
    return visit_float(rows.type(), [&](auto tag) -> Value {
      return marked_rows<typename decltype(tag)::type>(rows, marks, count);
    });
  }

 private:
  std::uint64_t limit_;
};

}  // namespace

Function keep_first(std::uint64_t limit) { return stage_function<KeepFirst>(limit); }

Function keep_sample(std::uint64_t limit) { return stage_function<KeepSample>(limit); }

}  // namespace dp
