// Test support: hashes all results of a computation into one number, equal on every platform.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/data/frame.h"
#include "core/data/records.h"
#include "core/engine/execute.h"
#include "core/error.h"
#include "core/measures/privacy_profile.h"
#include "core/metrics/distance.h"
#include "core/numeric/instruction_set.h"
#include "core/numeric/integer.h"
#include "core/numeric/rational.h"
#include "support/datasets.h"
#include "support/reductions.h"
#include "support/scripted_bits.h"

namespace dp::test {

// FNV-1a hash of 64 bits (Fowler, Noll and Vo) over the bits of added values. Numbers are added as
// eight bytes, lowest first, with NaN as 0. Strings and vectors are added after their size.
class Golden {
 public:
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  void add(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      add_word(std::isnan(x) ? 0 : bits_of(static_cast<double>(x)));
    } else {
      add_word(static_cast<std::uint64_t>(x));
    }
  }
  void add(int128_t x) {
    add_word(static_cast<std::uint64_t>(x));
    add_word(static_cast<std::uint64_t>(x >> 64));
  }
  void add(std::string_view text) {
    add_word(text.size());
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const char* text) { add(std::string_view(text)); }
  void add(const Integer& x) { add(x.str()); }
  void add(const Rational& x) {
    add(Integer(numerator(x)));
    add(Integer(denominator(x)));
  }
  template <class T>
  void add(const std::vector<T>& all) {
    add_word(all.size());
    for (const auto& each : all) add(static_cast<const T&>(each));
  }
  void add(const Scalar& scalar) {
    std::visit([this](const auto& x) { add(x); }, scalar);
  }
  void add(const Column& rows) {
    add_word(rows.size());
    visit_atom(rows.type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      BatchBuffer buffer;
      for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
        const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
        for (std::size_t i = 0; i < batch.size; ++i) {
          const bool is_null = batch.valid != nullptr && batch.valid[i] == 0;
          add(is_null);
          if (!is_null) add(batch.as<T>()[i]);
        }
      }
    });
  }
  void add(const Value& value) {
    std::visit([this](const auto& form) { add_form(form); }, value.form());
  }
  void add(const Distance& distance) {
    std::visit([this](const auto& form) { add_distance(form); }, distance.form());
  }

  // Adds the result of f, or the kind of its error.
  template <class Function>
  void add_result(Function f) {
    try {
      add(f());
    } catch (const Error& error) {
      add(name(error.kind()));
    }
  }

  std::string hash() const {
    char text[17];
    for (int i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[hash_ >> (60 - 4 * i) & 15];
    return std::string(text, 16);
  }

 private:
  static std::uint64_t bits_of(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    return bits;
  }
  void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  void add_word(std::uint64_t word) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(word >> (8 * i)));
  }

  void add_form(const Scalar& scalar) { add(scalar); }
  void add_form(const ColumnPtr& rows) { add(*rows); }
  void add_form(const Text& text) { add(text.characters); }
  void add_form(const MapPtr& map) {
    add(*map->keys);
    add(*map->values);
  }
  void add_form(const FramePtr& frame) {
    for (const NamedColumn& column : frame->columns()) {
      add(column.name);
      add(*column.contents->as(column.contents->type()));
    }
  }
  void add_form(const RecordsPtr& records) {
    for (std::size_t i = 0; i < records->size(); ++i) add(records->record(i));
  }
  void add_form(const Value::Bits& bits) { add(bits.bytes); }
  void add_form(const Value::Tuple& parts) {
    for (const Value& part : parts) add(part);
  }
  template <class Other>
  void add_form(const Other&) {
    ADD_FAILURE() << "a value without a hash";
  }

  void add_distance(const Scalar& scalar) { add(scalar); }
  void add_distance(const Distance::Tuple& parts) {
    for (const Distance& part : parts) add(part);
  }
  void add_distance(const std::shared_ptr<const PrivacyProfile>& profile) {
    for (const double epsilon : {0.0, 0.125, 1.0, 4.0}) add(profile->delta(epsilon));
    for (const double delta : {0.25, 1e-6, 1e-12}) add(profile->epsilon(delta));
  }
  template <class Other>
  void add_distance(const Other&) {
    ADD_FAILURE() << "a distance without a hash";
  }

  std::uint64_t hash_ = 0xcbf29ce484222325;
};

// Hash of the values that `run` adds.
template <class Run>
std::string golden(Run run) {
  Golden found;
  run(found);
  return found.hash();
}

// As above, and checks that the hash does not change with vector instructions, threads or batch
// size. `run` restarts every bit source.
template <class Run>
std::string golden_all_ways(Run run) {
  const std::string found = golden(run);
  for (const InstructionSet set : available_instruction_sets()) {
    force_instruction_set(set);
    EXPECT_EQ(golden(run), found) << "instruction set " << static_cast<int>(set);
  }
  force_instruction_set(available_instruction_sets().back());
  for (const std::size_t rows : {7, 512}) {
    force_batch_rows(rows);
    const ScopedThreads threads(3);
    EXPECT_EQ(golden(run), found) << "three threads, batches of " << rows;
  }
  force_batch_rows(0);
  return found;
}

// Adds results of a transformation or measurement for `data`, with repeatable bits, and its map at
// each of `d_in`. Runs all variants.
template <class Step>
std::string golden_step(const Step& step, const Value& data, const std::vector<Distance>& d_in) {
  return golden_all_ways([&](Golden& found) {
    ScriptedBits bits(21);
    const ScopedBitSource scope(bits);
    found.add(step.invoke(data));
    found.add(bits.word());
    for (const Distance& distance : d_in) found.add_result([&] { return step.map(distance); });
  });
}

// Evaluation order within an expression is unspecified, so each draw needs its own statement.
class GoldenInput {
 public:
  explicit GoldenInput(std::uint64_t seed) : words_(seed) {}

  std::uint64_t word() { return words_(); }
  std::uint64_t below(std::uint64_t n) { return words_() % n; }
  double unit() { return std::ldexp(static_cast<double>(words_() >> 11), -53); }
  // Magnitude between 2^-30 and 2^30.
  double ordinary() {
    const std::uint64_t word = words_();
    const int exponent = static_cast<int>(word % 60) - 82;
    const double magnitude = std::ldexp(static_cast<double>(words_() >> 11), exponent);
    return (word >> 63) != 0 ? -magnitude : magnitude;
  }
  // Arbitrary bits: subnormal, infinite or NaN.
  template <class F>
  F any() {
    const std::uint64_t word = words_();
    F x;
    std::memcpy(&x, &word, sizeof(x));
    return x;
  }

 private:
  SplitMix words_;
};

}  // namespace dp::test
