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

  // Number of candidate rows, and number of chosen rows.
  std::size_t candidates() const { return candidates_; }
  std::size_t size() const { return static_cast<std::size_t>(chosen_before_.back()); }

  bool chosen(std::size_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }

  // The batch of kBatchRows candidates that holds chosen row `place`, and the number of chosen rows
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

// The chosen rows of `rows`, which must have at least one row per candidate; read on demand.
ColumnPtr selected_rows(ColumnPtr rows, std::shared_ptr<const Selection> selection);
ColumnSourcePtr selected_contents(ColumnSourcePtr contents,
                                  std::shared_ptr<const Selection> selection);

}  // namespace dp
