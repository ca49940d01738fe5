#include "core/data/selection.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::size_t kBatchesPerTask = 64;

template <class T>
class SelectedColumn final : public Column {
 public:
  SelectedColumn(ColumnPtr rows, std::shared_ptr<const Selection> selection)
      : rows_(std::move(rows)), selection_(std::move(selection)) {}

  AtomType type() const override { return rows_->type(); }
  std::size_t size() const override { return selection_->size(); }
  bool concurrent() const override { return rows_->concurrent(); }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    BatchBuffer source;
    Element<T>* cells = buffer.cells<T>(size);
    std::uint8_t* valid = nullptr;
    std::size_t filled = 0;
    std::size_t batch = size == 0 ? 0 : selection_->batch_of(begin);
    std::size_t skip = size == 0 ? 0 : begin - selection_->chosen_before(batch);
    for (; filled < size; ++batch) {
      if (selection_->chosen_before(batch) == selection_->chosen_before(batch + 1)) continue;
      const std::size_t first = batch * kBatchRows;
      source.clear_text();
      const Batch in =
          rows_->read(first, std::min(kBatchRows, selection_->candidates() - first), source);
      if (in.valid != nullptr && valid == nullptr) {
        valid = buffer.valid(size);
        std::fill(valid, valid + filled, std::uint8_t{1});
      }
      for (std::size_t i = 0; i < in.size && filled < size; ++i) {
        if (!selection_->chosen(first + i)) continue;
        if (skip > 0) {
          --skip;
          continue;
        }
        if (valid != nullptr) valid[filled] = in.valid == nullptr ? 1 : in.valid[i];
        if constexpr (std::is_same_v<T, std::string>) {
          cells[filled++] = buffer.keep(std::string(in.as<T>()[i]));
        } else {
          cells[filled++] = in.as<T>()[i];
        }
      }
    }
    return {cells, valid, size};
  }

 private:
  ColumnPtr rows_;
  std::shared_ptr<const Selection> selection_;
};

class SelectedContents final : public ColumnSource {
 public:
  SelectedContents(ColumnSourcePtr contents, std::shared_ptr<const Selection> selection)
      : contents_(std::move(contents)), selection_(std::move(selection)) {}

  std::size_t size() const override { return selection_->size(); }
  AtomType type() const override { return contents_->type(); }
  ColumnPtr as(AtomType type) const override {
    ColumnPtr rows = contents_->as(type);
    return rows == nullptr ? nullptr : selected_rows(std::move(rows), selection_);
  }
  ColumnSourcePtr owned() const override {
    return selected_contents(contents_->owned(), selection_);
  }

 private:
  ColumnSourcePtr contents_;
  std::shared_ptr<const Selection> selection_;
};

}  // namespace

Selection::Selection(const Column& indicator, std::size_t size)
    : candidates_(size),
      bits_((size + 63) / 64),
      chosen_before_((size + kBatchRows - 1) / kBatchRows + 1) {
  const std::size_t batches = chosen_before_.size() - 1;
  const bool many = batches >= 8 * kBatchesPerTask && indicator.concurrent();
  // Blocks are whole words of bits, so no two tasks write to one.
  static_assert(kBatchRows % 64 == 0);
  parallel_for((batches + kBatchesPerTask - 1) / kBatchesPerTask,
               many ? thread_count() : 1,
               [&](std::size_t task) {
                 BatchBuffer buffer;
                 const std::size_t end = std::min(batches, (task + 1) * kBatchesPerTask);
                 for (std::size_t batch = task * kBatchesPerTask; batch < end; ++batch) {
                   const std::size_t first = batch * kBatchRows;
                   buffer.clear_text();
                   const Batch in =
                       indicator.read(first, std::min(kBatchRows, size - first), buffer);
                   std::uint64_t count = 0;
                   for (std::size_t i = 0; i < in.size; ++i) {
                     const bool present = in.valid == nullptr || in.valid[i] != 0;
                     const std::uint64_t bit = present && in.as<bool>()[i] ? 1 : 0;
                     bits_[(first + i) / 64] |= bit << ((first + i) % 64);
                     count += bit;
                   }
                   chosen_before_[batch + 1] = count;
                 }
               });
  for (std::size_t i = 0; i < batches; ++i) chosen_before_[i + 1] += chosen_before_[i];
}

std::size_t Selection::batch_of(std::size_t place) const {
  const auto past = std::upper_bound(chosen_before_.begin(), chosen_before_.end(), place);
  return static_cast<std::size_t>(past - chosen_before_.begin()) - 1;
}

ColumnPtr selected_rows(ColumnPtr rows, std::shared_ptr<const Selection> selection) {
  return visit_atom(rows->type(), [&](auto tag) -> ColumnPtr {
    return std::make_shared<SelectedColumn<typename decltype(tag)::type>>(std::move(rows),
                                                                          std::move(selection));
  });
}

ColumnSourcePtr selected_contents(ColumnSourcePtr contents,
                                  std::shared_ptr<const Selection> selection) {
  return std::make_shared<SelectedContents>(std::move(contents), std::move(selection));
}

}  // namespace dp
