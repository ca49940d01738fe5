#include "core/engine/selection.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/engine/parallel.h"

namespace dp {
namespace {

constexpr std::size_t kBlocksPerTask = 64;

template <class T>
class SelectedRows final : public Rows {
 public:
  SelectedRows(RowsPtr rows, std::shared_ptr<const Selection> selection)
      : rows_(std::move(rows)), selection_(std::move(selection)) {}

  AtomType type() const override { return rows_->type(); }
  std::size_t size() const override { return selection_->size(); }
  bool concurrent() const override { return rows_->concurrent(); }

  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    BlockBuffer source;
    Cell<T>* cells = buffer.cells<T>(size);
    std::uint8_t* valid = nullptr;
    std::size_t filled = 0;
    std::size_t block = size == 0 ? 0 : selection_->block_of(begin);
    std::size_t skip = size == 0 ? 0 : begin - selection_->chosen_before(block);
    for (; filled < size; ++block) {
      if (selection_->chosen_before(block) == selection_->chosen_before(block + 1)) continue;
      const std::size_t first = block * kBlockRows;
      source.clear_text();
      const Block in =
          rows_->read(first, std::min(kBlockRows, selection_->candidates() - first), source);
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
  RowsPtr rows_;
  std::shared_ptr<const Selection> selection_;
};

class SelectedContents final : public Contents {
 public:
  SelectedContents(ContentsPtr contents, std::shared_ptr<const Selection> selection)
      : contents_(std::move(contents)), selection_(std::move(selection)) {}

  std::size_t size() const override { return selection_->size(); }
  AtomType type() const override { return contents_->type(); }
  RowsPtr as(AtomType type) const override {
    RowsPtr rows = contents_->as(type);
    return rows == nullptr ? nullptr : selected_rows(std::move(rows), selection_);
  }
  ContentsPtr owned() const override { return selected_contents(contents_->owned(), selection_); }

 private:
  ContentsPtr contents_;
  std::shared_ptr<const Selection> selection_;
};

}  // namespace

Selection::Selection(const Rows& indicator, std::size_t size)
    : candidates_(size),
      bits_((size + 63) / 64),
      chosen_before_((size + kBlockRows - 1) / kBlockRows + 1) {
  const std::size_t blocks = chosen_before_.size() - 1;
  const bool many = blocks >= 8 * kBlocksPerTask && indicator.concurrent();
  // Blocks are whole words of bits, so no two tasks write to one.
  static_assert(kBlockRows % 64 == 0);
  parallel_for((blocks + kBlocksPerTask - 1) / kBlocksPerTask,
               many ? thread_count() : 1,
               [&](std::size_t task) {
                 BlockBuffer buffer;
                 const std::size_t end = std::min(blocks, (task + 1) * kBlocksPerTask);
                 for (std::size_t block = task * kBlocksPerTask; block < end; ++block) {
                   const std::size_t first = block * kBlockRows;
                   buffer.clear_text();
                   const Block in =
                       indicator.read(first, std::min(kBlockRows, size - first), buffer);
                   std::uint64_t count = 0;
                   for (std::size_t i = 0; i < in.size; ++i) {
                     const bool present = in.valid == nullptr || in.valid[i] != 0;
                     const std::uint64_t bit = present && in.as<bool>()[i] ? 1 : 0;
                     bits_[(first + i) / 64] |= bit << ((first + i) % 64);
                     count += bit;
                   }
                   chosen_before_[block + 1] = count;
                 }
               });
  for (std::size_t i = 0; i < blocks; ++i) chosen_before_[i + 1] += chosen_before_[i];
}

std::size_t Selection::block_of(std::size_t place) const {
  const auto past = std::upper_bound(chosen_before_.begin(), chosen_before_.end(), place);
  return static_cast<std::size_t>(past - chosen_before_.begin()) - 1;
}

RowsPtr selected_rows(RowsPtr rows, std::shared_ptr<const Selection> selection) {
  return visit_atom(rows->type(), [&](auto tag) -> RowsPtr {
    return std::make_shared<SelectedRows<typename decltype(tag)::type>>(std::move(rows),
                                                                        std::move(selection));
  });
}

ContentsPtr selected_contents(ContentsPtr contents, std::shared_ptr<const Selection> selection) {
  return std::make_shared<SelectedContents>(std::move(contents), std::move(selection));
}

}  // namespace dp
