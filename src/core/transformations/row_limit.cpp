#include "core/transformations/row_limit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/engine/parallel.h"
#include "core/random/uniform.h"

namespace dp {
namespace {

class FirstRows final : public Rows {
 public:
  FirstRows(RowsPtr all, std::size_t size) : all_(std::move(all)), size_(size) {}
  AtomType type() const override { return all_->type(); }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return all_->concurrent(); }
  bool contiguous() const override { return all_->contiguous(); }
  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    return all_->read(begin, size, buffer);
  }

 private:
  RowsPtr all_;
  std::size_t size_;
};

class KeepFirst final : public WholeStage {
 public:
  explicit KeepFirst(std::uint64_t limit) : limit_(limit) {}
  bool passes(std::size_t size) const override { return size <= limit_; }
  bool streams() const override { return true; }
  Value run(const Value& value) const override {
    const RowsPtr& rows = rows_in(value);
    if (passes(rows->size())) return value;
    return RowsPtr(std::make_shared<FirstRows>(rows, static_cast<std::size_t>(limit_)));
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
RowsPtr marked_rows(const Rows& rows, const std::vector<bool>& marks, std::size_t count) {
  auto kept = std::make_shared<OwnedRows<T>>(rows.type(), count);
  Cell<T>* to = kept->cells();
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    check_interrupt();
    const Block block = rows.read(begin, std::min(kBlockRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < block.size; ++i) {
      if (marks[begin + i]) *to++ = block.as<T>()[i];
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
    const Rows& rows = *rows_in(value);
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
