// per_unit(): one row for each person and combination of keys, with totals of the person's rows.
//
// Totals cover only present values; without any, sums are 0, and minimum and maximum are missing.
// They are exact and independent of order: sums are integers, for reals on the lattice of their
// bounds. Rows without a key are dropped.
#pragma once

#include <vector>

#include "core/expressions/bound.h"
#include "core/numeric/lattice.h"
#include "core/query/ranks.h"
#include "core/query/stage_sink.h"
#include "core/query/statement.h"

namespace dp::query {

class PerUnitSink final : public StageSink {
 public:
  // `made` are the fields after the step.
  PerUnitSink(const PerUnit& step,
              const std::vector<Field>& fields,
              std::vector<Field> made,
              TextPool& texts,
              std::size_t id_width);

  // Positions of the columns that it reads.
  std::vector<std::size_t> places() const;

  std::size_t width() const override { return width_; }
  void append(const RowBatch& batch, std::vector<Words>& parts) const override;
  Words compact(const Records& records, bool last) const override;
  void rows(const Words& records,
            std::size_t begin,
            std::size_t end,
            RowBatch& batch) const override;

 private:
  struct Total {
    PerUnitValue::Kind kind;
    BoundPtr of;      // none of rows
    Lattice lattice;  // of sums of reals
    std::size_t at;   // in a record; sums have two words, the lower half first
  };

  void begin_total(const Total& total,
                   const Cells* cells,
                   std::size_t row,
                   std::uint64_t* record) const;
  void join_total(const Total& total, const std::uint64_t* from, std::uint64_t* to) const;
  void put_result(const Total& total,
                  const Field& field,
                  const std::uint64_t* record,
                  Cells& to) const;

  std::vector<std::size_t> by_;
  std::vector<Field> made_;
  std::vector<Total> totals_;
  std::size_t id_width_, by_at_, width_;
};

}  // namespace dp::query
