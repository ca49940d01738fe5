// truncate(): of each person at most so many groups, rows of each group, and rows in all.
//
// The groups of least rank stay, of each of them the rows of least rank, and of what is left the
// rows of least rank: bottom-k, in this order. The cap on all rows comes last and once, unless it
// stands alone: a group that goes later would leave too few.
//
// Ranks are those of ranks.h, and computed where a person has more than a cap allows: most have
// not. Rows without a key leave. `first` and `last` put an order before these ranks. The order of a
// row is that of its value, in the opposite direction for `last`; missing values come last. The
// order of a group is the least order of the person's rows in it. Groups of one order have the
// order of their ranks, and groups of one rank that of their keys.
//
// Stability: what stays of a person is a function of that person's rows and of the salt. Other
// people's rows have no say, so people that are in one table only still are afterwards, and each of
// them keeps at most what the caps allow (unit_reach.h). This holds for any function of one
// person's rows, so for groups by their order, too.
//
// A record can carry how many rows of its person were dropped before. They are added up whenever
// records are compacted, so that their number does not hang on the order of rows. In the end all
// records of a person have it.
//
// Rows come in any order. Any set of them may be cut to its own rows of least rank of each group
// first: what is not among the k least of a part is not among the k least of the whole. The row
// that gives a group its order stays, as the least of its group. The ranks of groups are known from
// the keys alone, so any set may be cut to its own groups, too. Their orders are not: a part may
// lack the row that comes first. So groups are dropped by their orders only when all rows are
// there.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "core/expressions/bound.h"
#include "core/query/ranks.h"
#include "core/query/stage_sink.h"
#include "core/query/statement.h"

namespace dp::query {

class TruncateSink final : public StageSink {
 public:
  // Which columns a record carries, by their places among `fields`: `by` are the keys that caps on
  // groups are about, none for a cap on all rows alone; `keys` are others without which a row
  // leaves.
  struct Carried {
    std::vector<std::size_t> by, keys, values;
  };

  TruncateSink(const Truncate& caps,
               const Carried& carried,
               BoundPtr order,
               const std::vector<Field>& fields,
               const TextPool& texts,
               Ranks ranks,
               std::size_t id_width,
               bool counts_dropped = false);

  bool counts_dropped() const { return counts_dropped_; }
  Carried carried() const;
  const BoundPtr& order() const { return order_; }

  std::size_t width() const override { return width_; }
  void append(const RowBatch& batch, std::vector<Words>& parts) const override;
  Words compact(const Records& records, bool last) const override;
  void rows(const Words& records,
            std::size_t begin,
            std::size_t end,
            RowBatch& batch) const override;

 private:
  // A record of a person, and the first word of the rank of its group, or of its row.
  struct Ranked {
    std::uint64_t rank;
    Record record;
  };
  using Rank = std::array<std::uint64_t, Ranks::kWords>;
  // The order of a group of a person, and how many groups are of less rank: the least stay.
  using GroupPlace = std::pair<std::uint64_t, std::size_t>;

  Rank rank_of_group(Record record) const;
  Rank rank_of_row(Record record) const;
  int compare_cells(const std::vector<Field>& fields, Record a, Record b, std::size_t at) const;
  bool same_group(Record a, Record b) const;
  bool group_before(const Ranked& a, const Ranked& b) const;
  bool row_before(const Ranked& a, const Ranked& b) const;
  std::size_t keep_rows(Ranked* rows, std::size_t size, std::size_t most) const;
  Ranked* end_of_group(Ranked* rows, const Ranked* end) const;
  std::uint64_t order_of_group(const Ranked* rows, const Ranked* end) const;
  GroupPlace last_to_stay(Ranked* rows, const Ranked* end, std::size_t most) const;
  std::size_t keep_groups(Ranked* rows, std::size_t size, std::size_t most) const;
  std::size_t keep(Record first,
                   std::size_t size,
                   std::uint64_t* ranks,
                   bool last,
                   std::vector<Ranked>& room) const;

  Truncate caps_;
  bool has_cells_;
  std::size_t most_groups_, most_rows_;  // of a group
  std::vector<std::size_t> places_;      // of by, keys and values
  std::vector<Field> by_, keys_, values_, carried_;
  BoundPtr order_;
  const TextPool* texts_;
  Ranks ranks_;
  bool counts_dropped_;
  std::size_t id_width_, by_at_, order_at_, carried_at_, dropped_at_, width_;
};

}  // namespace dp::query
