// A choice of rows, by one bit for each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/column_source.h"

namespace dp {

class Selection {
 public:
  // The first `size` rows of `indicator`, of type bool, that are true; null counts as false. Reads
  // them once, on several threads if there are many.
  Selection(const Column& indicator, std::size_t size);

  // How many rows there are to choose from, and how many are chosen.
  std::size_t candidates() const { return candidates_; }
  std::size_t size() const { return static_cast<std::size_t>(chosen_before_.back()); }

  bool chosen(std::size_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }

  // The batch of kBatchRows candidates in which chosen row `place` is, and how many are chosen
  // before batch `batch`.
  std::size_t batch_of(std::size_t place) const;
  std::size_t chosen_before(std::size_t batch) const {
    return static_cast<std::size_t>(chosen_before_[batch]);
  }

 private:
  std::size_t candidates_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> chosen_before_;  // each batch, and in all
};

// The chosen rows of `rows`, of which there must be as many as candidates or more; read as needed.
ColumnPtr selected_rows(ColumnPtr rows, std::shared_ptr<const Selection> selection);
ColumnSourcePtr selected_contents(ColumnSourcePtr contents,
                                  std::shared_ptr<const Selection> selection);

}  // namespace dp
