// Every long run checks regularly whether the user wants to stop, and then stops.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/accounting/pld.h"
#include "core/combinators/chain.h"
#include "core/domains/domain.h"
#include "core/measurements/glm_objective.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noise_loss.h"
#include "core/runtime/parallel.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/transformations/counts/count_by.h"
#include "core/transformations/frames/split_dataframe.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/impute_constant.h"
#include "engine/source_rows.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::interrupts_test {
namespace {

struct LongRun {
  std::string name;
  std::function<void()> run;
  int questions;  // least number of checks at this size
};

LossPair thousandfold(LossPair pair) {
  pair.times = 1000;
  return pair;
}

std::vector<LongRun> long_runs() {
  const ColumnPtr numbers = stored_rows(1 << 21);
  const Domain integers = vector_of(default_atom(AtomType::i64));
  const auto count = make_count_by(integers, symmetric_distance(), AtomType::i32);
  const auto text = make_cast(integers, symmetric_distance(), AtomType::string);
  const auto filled =
      make_impute_constant(text.output_domain(), symmetric_distance(), Scalar(std::string("none")));
  const auto count_text =
      make_chain_tt(make_count_by(filled.output_domain(), symmetric_distance(), AtomType::i32),
                    make_chain_tt(filled, text));
  const auto noise = make_laplace(integers, l1_distance(AtomType::i64), 1000);
  std::string csv;
  for (int i = 0; i < 200000; ++i) csv += std::to_string(i) + ",row\n";
  const LossPair pair = gaussian_shift_loss(Rational(30), 1)(Rational(1));
  const Domain bounded = vector_of(
      closed_atom(AtomType::i64, Scalar(std::int64_t{0}), Scalar(std::int64_t{1000003})), 1 << 21);
  const auto medians = make_subset_statistics(
      bounded, change_one_distance(), BlockFunction::median, 1000, l1_distance(AtomType::i64));
  GlmRows rows{1, std::vector<std::int32_t>(1 << 16, 1 << kPredictorBits), {}};
  rows.y.assign(1 << 16, 0.25);
  const GlmObjective objective{&glm_loss(GlmFamily::logit), 0, 1, {0}, 1e-3, int128_t{1} << 70};
  const auto split = make_split_dataframe(
      std::string(","), {std::string("number"), std::string("word")}, AtomType::string);
  return {
      {"counts by integer", [=] { count.invoke(numbers); }, 16},
      {"casts collected with nulls", [=] { text.invoke(numbers); }, 128},
      {"counts by text", [=] { count_text.invoke(numbers); }, 128},
      {"noise in bulk", [=] { noise.invoke(numbers); }, 128},
      {"medians of batches", [=] { medians.invoke(numbers); }, 16},
      {"a loss composed with itself", [=] { compose_loss_pairs({thousandfold(pair)}); }, 16},
      {"a model fitted", [=] { certified_minimum(rows, objective); }, 256},
      {"a csv text split", [=] { split.invoke(Scalar(csv)); }, 1},
  };
}

TEST(Interrupts, EveryLongRunAsksOftenAndStopsWhenItIsTold) {
  for (const LongRun& each : long_runs()) {
    for (const std::size_t threads : in_tier<std::vector<std::size_t>>({3}, {1, 3})) {
      set_thread_count(threads);
      int questions = 0;
      set_interrupt_check([&] {
        ++questions;
        return false;
      });
      each.run();
      EXPECT_GE(questions, threads == 1 ? each.questions : 1) << each.name;
      const int all = questions;
      for (const int patience : {0, all / 2}) {
        questions = 0;
        set_interrupt_check([&] { return ++questions > patience; });
        if (threads == 1 || patience == 0) expect_error(ErrorKind::interrupted, each.run);
      }
    }
  }
  set_interrupt_check({});
  set_thread_count(1);
}

}  // namespace
}  // namespace dp::test::interrupts_test
