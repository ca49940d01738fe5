// A choice of rows, by one bit for each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/contents.h"

namespace dp {

class Selection {
 public:
  // The first `size` rows of `indicator`, of type bool, that are true; null counts as false. Reads
  // them once, on several threads if there are many.
  Selection(const Rows& indicator, std::size_t size);

  // How many rows there are to choose from, and how many are chosen.
  std::size_t candidates() const { return candidates_; }
  std::size_t size() const { return static_cast<std::size_t>(chosen_before_.back()); }

  bool chosen(std::size_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }

  // The block of kBlockRows candidates in which chosen row `place` is, and how many are chosen
  // before block `block`.
  std::size_t block_of(std::size_t place) const;
  std::size_t chosen_before(std::size_t block) const {
    return static_cast<std::size_t>(chosen_before_[block]);
  }

 private:
  std::size_t candidates_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> chosen_before_;  // each block, and in all
};

// The chosen rows of `rows`, of which there must be as many as candidates or more; read as needed.
RowsPtr selected_rows(RowsPtr rows, std::shared_ptr<const Selection> selection);
ContentsPtr selected_contents(ContentsPtr contents, std::shared_ptr<const Selection> selection);

}  // namespace dp
