#include "core/engine/execute.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "core/runtime/one_thread.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

using Operators = std::vector<std::shared_ptr<const RowOperator>>;

std::size_t threads_for(const Column& rows) {
  const std::size_t threads = threads_for_rows(rows.size());
  if (threads == 1) return 1;  // worth_trying() may take its time
  const auto* tryable = dynamic_cast<const TryableRows*>(&rows);
  const bool many = rows.concurrent() || (tryable != nullptr && tryable->worth_trying());
  return many ? threads : 1;
}

// Runs `pass` on `rows`, with all allowed threads.
template <class F>
auto on_threads(const Column& rows, F&& pass) {
  try {
    return pass(threads_for(rows));
  } catch (const OneThreadOnly&) {
    return pass(1);
  }
}

#ifdef DP_TEST_HOOKS
std::size_t g_forced_batch_rows = 0;

std::size_t step_for(std::size_t rows) {
  return g_forced_batch_rows == 0 ? rows : std::min(rows, g_forced_batch_rows);
}
#else
std::size_t step_for(std::size_t rows) { return rows; }
#endif

// Reads rows through a chain of operators. Each thread has its own.
class Reader {
 public:
  Reader(const Column& rows, const Operators& operators)
      : rows_(rows),
        operators_(operators),
        step_(step_for(rows.contiguous() && operators.empty() ? rows.size() : kBatchRows)) {}

  // Calls consume(batch, position of its first row) for the rows in [begin, end), in order.
  template <class F>
  void each_block(std::size_t begin, std::size_t end, F&& consume) {
    constexpr std::size_t kBlocksBetweenInterrupts = 16;
    for (std::size_t number = 1; begin < end; ++number) {
      if (number % kBlocksBetweenInterrupts == 0) check_interrupt();
      const std::size_t size = std::min(step_, end - begin);
      consume(read(begin, size), begin);
      begin += size;
    }
  }

 private:
  Batch read(std::size_t begin, std::size_t size) {
    for (BatchBuffer* buffer : {&source_, &even_, &odd_}) buffer->clear_text();
    Batch batch = rows_.read(begin, size, source_);
    bool odd = false;
    for (const auto& op : operators_) {
      batch = op->run(batch, odd ? odd_ : even_);
      odd = !odd;
    }
    return batch;
  }

  const Column& rows_;
  const Operators& operators_;
  std::size_t step_;
  BatchBuffer source_, even_, odd_;
};

// Rows that operators work on when they are read, for a stage that reads them once. Not of text,
// which may lie in a buffer between two operators.
class StreamedColumn final : public Column {
 public:
  StreamedColumn(ColumnPtr rows, Operators operators)
      : rows_(std::move(rows)), operators_(std::move(operators)) {}

  AtomType type() const override { return operators_.back()->output_type(); }
  std::size_t size() const override { return rows_->size(); }
  bool concurrent() const override { return rows_->concurrent(); }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    std::unique_ptr<Buffers> own = take_buffers();
    Batch batch = rows_->read(begin, size, own->source);
    for (std::size_t i = 0; i + 1 < operators_.size(); ++i) {
      batch = operators_[i]->run(batch, i % 2 == 0 ? own->even : own->odd);
    }
    batch = operators_.back()->run(batch, buffer);
    return_buffers(std::move(own));
    return batch;
  }

 private:
  struct Buffers {
    BatchBuffer source, even, odd;
  };

  // Reuses buffers, because making them for every read takes as long as the operators. There is one
  // for each thread.
  std::unique_ptr<Buffers> take_buffers() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return std::make_unique<Buffers>();
    std::unique_ptr<Buffers> taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }
  void return_buffers(std::unique_ptr<Buffers> buffers) const {
    for (BatchBuffer* each : {&buffers->source, &buffers->even, &buffers->odd}) each->clear_text();
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(buffers));
  }

  ColumnPtr rows_;
  Operators operators_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Buffers>> free_;
};

// The reducer fused with the largest possible number of last operators, which are removed from
// `operators`.
std::shared_ptr<const Reducer> fused(std::shared_ptr<const Reducer> reducer, Operators& operators) {
  while (!operators.empty()) {
    auto fuller = reducer->fuse(*operators.back());
    if (fuller == nullptr) break;
    reducer = std::move(fuller);
    operators.pop_back();
  }
  return reducer;
}

Value reduce(const Column& rows,
             const Operators& operators,
             const Reducer& reducer,
             std::size_t threads) {
  if (const CodedText* text = operators.empty() ? rows.coded() : nullptr) {
    if (const auto over_codes = reducer.over_codes(*text)) {
      return reduce(*text->codes(), {}, *over_codes, threads);
    }
  }
  if (const auto for_pass = reducer.for_pass()) return reduce(rows, operators, *for_pass, threads);
  const std::vector<std::size_t> ends = reducer.cuts(rows.size());
  std::vector<std::unique_ptr<Partial>> parts(ends.size());
  parallel_for(ends.size(), threads, [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    std::unique_ptr<Partial> part = reducer.start(ends[i] - begin);
    Reader(rows, operators).each_block(begin, ends[i], [&](const Batch& batch, std::size_t) {
      part->update(batch);
    });
    parts[i] = std::move(part);
  });
  return reducer.finish(std::move(parts), rows.size());
}

template <class T>
ColumnPtr collect(const Column& rows,
                  const Operators& operators,
                  AtomType type,
                  std::size_t threads) {
  constexpr bool kIsText = std::is_same_v<T, std::string>;
  const std::size_t n = rows.size();
  auto out = std::make_shared<OwnedColumn<T>>(type, n);
  const std::size_t chunk = kBatchRows * 64;
  // Text is copied into one store, so strings are collected by the calling thread alone.
  parallel_for((n + chunk - 1) / chunk, kIsText ? 1 : threads, [&](std::size_t i) {
    Reader(rows, operators)
        .each_block(i * chunk, std::min(n, (i + 1) * chunk), [&](const Batch& in, std::size_t at) {
          const Element<T>* cells = in.as<T>();
          for (std::size_t j = 0; j < in.size; ++j) {
            if constexpr (kIsText) {
              out->cells()[at + j] = out->keep(std::string(cells[j]));
            } else {
              out->cells()[at + j] = cells[j];
            }
          }
        });
  });
  return out;
}

// Collects rows that can be null.
template <class T>
ColumnPtr collect_option(const Column& rows, const Operators& operators, AtomType type) {
  auto out = std::make_shared<OwnedColumn<T>>(type, rows.size());
  std::uint8_t* valid = out->valid();
  Reader(rows, operators).each_block(0, rows.size(), [&](const Batch& in, std::size_t at) {
    check_interrupt();
    const Element<T>* cells = in.as<T>();
    for (std::size_t j = 0; j < in.size; ++j) {
      const bool present = in.valid == nullptr || in.valid[j] != 0;
      valid[at + j] = present ? 1 : 0;
      if (!present) continue;
      if constexpr (std::is_same_v<T, std::string>) {
        out->cells()[at + j] = out->keep(std::string(cells[j]));
      } else {
        out->cells()[at + j] = cells[j];
      }
    }
  });
  return out;
}

// Copies the rows after `operators` into memory.
ColumnPtr materialise(const ColumnPtr& rows, const Operators& operators, std::size_t threads) {
  if (operators.empty()) return rows;
  const AtomType type = operators.back()->output_type();
  return visit_atom(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return operators.back()->output_nulls() ? collect_option<T>(*rows, operators, type)
                                            : collect<T>(*rows, operators, type, threads);
  });
}

// Whether the stage after `stage`, if there is one, takes maps whose keys are in any order.
bool next_takes_any_order(const std::vector<Stage>& stages, const Stage& stage) {
  const std::size_t next = static_cast<std::size_t>(&stage - stages.data()) + 1;
  if (next == stages.size()) return false;
  const auto* whole = std::get_if<std::shared_ptr<const WholeStage>>(&stages[next]);
  return whole != nullptr && (*whole)->takes_any_order();
}

}  // namespace

Value execute(const std::vector<Stage>& stages, const Value& value) {
  Value current = value;
  Operators pending;  // operators still to be run over `current`
  const auto settle = [&] {
    if (pending.empty()) return;
    const ColumnPtr rows = rows_in(current);
    current =
        on_threads(*rows, [&](std::size_t threads) { return materialise(rows, pending, threads); });
    pending.clear();
  };
  for (const Stage& stage : stages) {
    if (const auto* op = std::get_if<std::shared_ptr<const RowOperator>>(&stage)) {
      pending.push_back(*op);
    } else if (const auto* reducer = std::get_if<std::shared_ptr<const Reducer>>(&stage)) {
      const ColumnPtr rows = rows_in(current);
      auto fuller = fused(*reducer, pending);
      if (next_takes_any_order(stages, stage)) {
        if (auto any_order = fuller->in_any_order()) fuller = std::move(any_order);
      }
      current = on_threads(
          *rows, [&](std::size_t threads) { return reduce(*rows, pending, *fuller, threads); });
      pending.clear();
    } else {
      const auto& whole = std::get<std::shared_ptr<const WholeStage>>(stage);
      const auto* rows = current.as<ColumnPtr>();
      if (rows != nullptr && whole->passes((*rows)->size())) continue;
      if (whole->streams() && !pending.empty() &&
          pending.back()->output_type() != AtomType::string) {
        current = ColumnPtr(std::make_shared<StreamedColumn>(rows_in(current), std::move(pending)));
        pending.clear();
      }
      settle();
      current = whole->run(current);
    }
  }
  settle();
  return current;
}

#ifdef DP_TEST_HOOKS
void force_batch_rows(std::size_t rows) { g_forced_batch_rows = rows; }
#endif

}  // namespace dp
