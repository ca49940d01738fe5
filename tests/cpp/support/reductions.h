// Variants of a reduction that must not affect its result: batch sizes, threads, copies.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/engine/function.h"
#include "core/runtime/parallel.h"
#include "support/neighbours.h"

namespace dp::test {

// Rows that are copied into the reader's buffer, and therefore arrive in batches.
class CopiedColumn final : public Column {
 public:
  explicit CopiedColumn(ColumnPtr rows) : rows_(std::move(rows)) {}
  AtomType type() const override { return rows_->type(); }
  std::size_t size() const override { return rows_->size(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    return visit_atom(type(), [&](auto tag) -> Batch {
      using T = typename decltype(tag)::type;
      BatchBuffer unused;
      const Batch batch = rows_->read(begin, size, unused);
      auto* cells = buffer.cells<T>(size);
      std::copy(batch.as<T>(), batch.as<T>() + size, cells);
      return {cells, batch.valid, size};
    });
  }

 private:
  ColumnPtr rows_;
};

inline const Reducer& last_reducer(const Function& function) {
  return *std::get<std::shared_ptr<const Reducer>>(function.stages().back());
}

// Last stage of `function` over `rows`, in batches of random sizes up to `largest` rows.
template <class T>
Value reduce_in_blocks(const Function& function,
                       const std::vector<T>& rows,
                       std::size_t largest,
                       TestRandom& random) {
  const Reducer& reducer = last_reducer(function);
  std::vector<std::unique_ptr<Partial>> parts;
  std::size_t begin = 0;
  for (const std::size_t end : reducer.cuts(rows.size())) {
    parts.push_back(reducer.start(end - begin));
    while (begin < end) {
      const std::size_t size = std::min(end - begin, 1 + random.below(largest));
      parts.back()->update({rows.data() + begin, nullptr, size});
      begin += size;
    }
  }
  return reducer.finish(std::move(parts), rows.size());
}

class ScopedThreads {
 public:
  explicit ScopedThreads(std::size_t count) : before_(thread_count()) { set_thread_count(count); }
  ~ScopedThreads() { set_thread_count(before_); }
  ScopedThreads(const ScopedThreads&) = delete;
  ScopedThreads& operator=(const ScopedThreads&) = delete;

 private:
  std::size_t before_;
};

// Results of t's function on `rows`, which need not be in its domain. Runs with 1, 2, 3 and 8
// threads, with rows in place and copied.
template <class T>
std::vector<Scalar> all_ways(const Transformation& t, AtomType type, const std::vector<T>& rows) {
  const ColumnPtr in_place = make_column(type, rows);
  const ColumnPtr copied = std::make_shared<CopiedColumn>(in_place);
  std::vector<Scalar> results;
  for (const std::size_t threads : {1, 2, 3, 8}) {
    const ScopedThreads scoped(threads);
    for (const ColumnPtr& way : {in_place, copied}) {
      results.push_back(*t.function()(way).template as<Scalar>());
    }
  }
  return results;
}

// Result of t's function on `rows`, which need not be in its domain.
template <class T>
T invoke_on(const Transformation& t, const std::vector<T>& rows) {
  const AtomType type = row_domain(t.input_domain()).atom.type;
  return element_in<T>(t.function()(make_column(type, rows)));
}

}  // namespace dp::test
