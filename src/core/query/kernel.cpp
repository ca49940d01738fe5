#include "core/query/kernel.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "core/query/pipeline.h"
#include "core/runtime/long_run.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

// Compacts a part again when its size reaches this many halves of its size after the last
// compaction. Data in memory compact less often, because each compaction copies all kept records.
constexpr std::size_t kGrowthInMemory = 8;
constexpr std::size_t kGrowthOfStreams = 3;

// Size, in words, that makes part p of `parts` compact first, if `words` is the total. Parts
// fill at the same rate, so equal limits would be reached together. All parts would then hold
// `growth` halves of their kept records at once. Limits spread between 1 and growth / 2, in the
// same unit, stay spread: each next limit is growth / 2 times the kept size. So parts are compacted
// in turns.
std::size_t first_limit(std::size_t p, std::size_t parts, std::size_t words, std::size_t growth) {
  const std::size_t spread = 2 * parts + p * (growth - 2);  // parts times 2, ..., growth
  return words / parts * 2 * spread / ((2 + growth) * parts);
}

std::size_t pieces_of(std::size_t size, std::size_t each) { return (size + each - 1) / each; }

// Marks the unknown row count of chunked input.
constexpr std::size_t kUncounted = std::numeric_limits<std::size_t>::max();

class Kernel {
 public:
  Kernel(const Pipeline& pipeline, std::size_t rows, const Pieces& pieces)
      : pipeline_(pipeline),
        pieces_(pieces),
        threads_(threads_for_rows(rows)),
        growth_(rows == kUncounted ? kGrowthOfStreams : kGrowthInMemory),
        parts_(std::max<std::size_t>(1, std::min(pieces.parts, rows / 1024))) {}

  // Takes all rows that the pipeline reads now.
  void take(std::size_t rows) {
    if (all_.empty()) {
      all_.resize(parts_);
      for (std::size_t p = 0; p < parts_; ++p) {
        all_[p].limit = first_limit(p, parts_, pieces_.words, growth_);
      }
    }
    if (pipeline_.stages().size() == 1) return count_rows(rows);
    for (std::size_t begin = 0; begin < rows; begin += pieces_.block) {
      take_block(begin, std::min(rows, begin + pieces_.block));
    }
  }

  // Number of tasks in take() and in result().
  std::size_t tasks_of_take(std::size_t rows) const {
    if (pipeline_.stages().size() == 1) return pieces_of(rows, pieces_.task);
    return rows / pieces_.block * pieces_of(pieces_.block, pieces_.task) +
           pieces_of(rows % pieces_.block, pieces_.task) + pieces_of(rows, pieces_.block) * parts_;
  }
  std::size_t tasks_of_result() const { return pipeline_.stages().size() == 1 ? 0 : parts_; }

  ExactAggregates result() {
    if (pipeline_.stages().size() > 1) {
      parallel_for(parts_, threads_, [this](std::size_t p) { finish(p); });
    }
    if (counters_.empty()) counters_.emplace_back(pipeline_.plan());
    return Counters::merged(pipeline_.plan(), counters_, pipeline_.texts());
  }

 private:
  struct Part {
    Records records;
    std::size_t limit = 0;  // of words, past which it is worth to compact
  };

  // Runs f on rows begin, ..., end - 1 in batches, after the first stretch of steps.
  template <class F>
  void each_batch(std::size_t begin, std::size_t end, F&& f) const {
    RowBatch batch;
    for (; begin < end; begin += pieces_.batch) {
      pipeline_.read(begin, std::min(end, begin + pieces_.batch), batch);
      pipeline_.stages()[0].segment.run(batch);
      f(batch);
    }
  }

  // Keeps one set of counters per thread; only one thread at a time uses a set.
  template <class F>
  void with_counters(F&& f) {
    std::unique_ptr<Counters> mine;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!counters_.empty()) {
        mine = std::make_unique<Counters>(std::move(counters_.back()));
        counters_.pop_back();
      }
    }
    if (!mine) mine = std::make_unique<Counters>(pipeline_.plan());
    f(*mine);
    const std::lock_guard<std::mutex> lock(mutex_);
    counters_.push_back(std::move(*mine));
  }

  void count_rows(std::size_t rows) {
    const std::size_t tasks = pieces_of(rows, pieces_.task);
    parallel_for(tasks, threads_, [this, rows](std::size_t t) {
      with_counters([&](Counters& counters) {
        const std::size_t begin = t * pieces_.task;
        each_batch(begin, std::min(rows, begin + pieces_.task), [&](const RowBatch& batch) {
          counters.add(batch);
        });
      });
    });
  }

  // Threads first take rows, then parts of the people, so no thread waits for another.
  void take_block(std::size_t begin, std::size_t end) {
    const std::size_t tasks = pieces_of(end - begin, pieces_.task);
    std::vector<Records> records(tasks, Records(parts_));
    const StageSink& sink = *pipeline_.stages()[0].sink;
    parallel_for(tasks, threads_, [&](std::size_t t) {
      const std::size_t from = begin + t * pieces_.task;
      const std::size_t to = std::min(end, from + pieces_.task);
      for (Words& part : records[t]) {
        part.reserve((to - from + (to - from) / 8) / parts_ * sink.width());
      }
      each_batch(from, to, [&](const RowBatch& batch) { sink.append(batch, records[t]); });
      for (Words& part : records[t]) part.shrink_to_fit();  // they wait for long
    });
    parallel_for(parts_, threads_, [&](std::size_t p) {
      Part& part = all_[p];
      for (Records& of_task : records) {
        if (!of_task[p].empty()) part.records.push_back(std::move(of_task[p]));
      }
      if (words_in(part.records) <= part.limit) return;
      part.records = {sink.compact(part.records, false)};
      part.limit = std::max(growth_ * part.records[0].size() / 2, part.limit);
    });
  }

  void finish(std::size_t p) {
    Words records = pipeline_.stages()[0].sink->compact(all_[p].records, true);
    Records().swap(all_[p].records);
    for (std::size_t s = 1; s + 1 < pipeline_.stages().size(); ++s) {
      const StageSink& sink = *pipeline_.stages()[s].sink;
      Records next(1);
      each_result(s, records, [&](const RowBatch& batch) { sink.append(batch, next); });
      records = sink.compact(next, true);
    }
    with_counters([&](Counters& counters) {
      each_result(pipeline_.stages().size() - 1, records, [&](const RowBatch& batch) {
        counters.add(batch);
      });
    });
  }

  // Runs f on the records of the meeting before stage s, as rows after the steps of s.
  template <class F>
  void each_result(std::size_t s, const Words& records, F&& f) const {
    const StageSink& before = *pipeline_.stages()[s - 1].sink;
    const std::size_t count = records.size() / before.width();
    for (std::size_t begin = 0; begin < count; begin += pieces_.batch) {
      check_interrupt();
      RowBatch batch;
      before.rows(records, begin, std::min(count, begin + pieces_.batch), batch);
      pipeline_.stages()[s].segment.run(batch);
      f(batch);
    }
  }

  const Pipeline& pipeline_;
  Pieces pieces_;
  std::size_t threads_;
  std::size_t growth_;
  std::size_t parts_;
  std::vector<Part> all_;
  std::mutex mutex_;
  std::vector<Counters> counters_;
};

}  // namespace

ExactAggregates tally_in_pieces(const Statement& statement,
                                const std::vector<ExactAggregate>& tallies,
                                const QueryRows& rows,
                                const Salt& salt,
                                const Pieces& pieces) {
  const Pipeline pipeline(statement, tallies, rows, salt, pieces.hash_bits);
  Kernel kernel(pipeline, rows.size(), pieces);
  const LongRun run(kernel.tasks_of_take(rows.size()) + kernel.tasks_of_result());
  kernel.take(rows.size());
  return kernel.result();
}

ExactAggregates tally_stream(const Statement& statement,
                             const std::vector<ExactAggregate>& tallies,
                             const NextRows& next,
                             const Salt& salt,
                             const Pieces& pieces) {
  std::optional<QueryRows> rows = next();
  if (!rows) throw Error(ErrorKind::source, "the data have no columns.");
  Pipeline pipeline(statement, tallies, *rows, salt, pieces.hash_bits, true);
  Kernel kernel(pipeline, kUncounted, pieces);
  const LongRun run(kNoTotal);
  for (; rows; rows = next()) {
    pipeline.take(*rows);
    kernel.take(rows->size());
  }
  return kernel.result();
}

ExactAggregates tally(const Statement& statement,
                      const std::vector<ExactAggregate>& tallies,
                      const QueryRows& rows,
                      const Salt& salt) {
  return tally_in_pieces(statement, tallies, rows, salt, Pieces{});
}

}  // namespace dp::query
