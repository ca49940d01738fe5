// Same numbers on every platform: directed arithmetic, certified and bulk elementary functions,
// text.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/numeric/approx.h"
#include "core/numeric/decay.h"
#include "core/numeric/directed.h"
#include "core/numeric/lattice.h"
#include "core/numeric/negacyclic.h"
#include "core/numeric/normal_tail.h"
#include "core/numeric/text.h"
#include "support/golden.h"

namespace dp::test::numeric_golden_test {
namespace {

template <class T>
void add_arithmetic(Golden& found, T a, T b) {
  for (const auto f : {add_up<T>,
                       add_down<T>,
                       sub_up<T>,
                       sub_down<T>,
                       mul_up<T>,
                       mul_down<T>,
                       div_up<T>,
                       div_down<T>,
                       saturating_add<T>,
                       saturating_mul<T>}) {
    found.add_result([&] { return f(a, b); });
  }
}

template <class F>
void add_floats(Golden& found) {
  GoldenInput input(1);
  for (int i = 0; i < 10000; ++i) {
    const auto a = static_cast<F>(input.ordinary());
    const auto b = static_cast<F>(input.ordinary());
    add_arithmetic(found, a, b);
    const F c = input.any<F>();
    const F d = input.any<F>();
    add_arithmetic(found, c, d);
  }
}

template <class T>
void add_integers(Golden& found) {
  GoldenInput input(2);
  for (int i = 0; i < 3000; ++i) {
    const auto a = static_cast<T>(input.word() >> input.below(64));
    const auto b = static_cast<T>(input.word() >> input.below(64));
    add_arithmetic(found, a, b);
  }
}

TEST(GoldenNumeric, DirectedArithmetic) {
  EXPECT_EQ(golden(add_floats<double>), "9d358603b0723847");
  EXPECT_EQ(golden(add_floats<float>), "1b02173f6f93140f");
  EXPECT_EQ(golden(add_integers<std::int8_t>), "2a1ae49d37f06817");
  EXPECT_EQ(golden(add_integers<std::uint32_t>), "faaef631f61a96c0");
  // A distinct type, even if another one has the same size.
  using Long = std::conditional_t<sizeof(long) == 8, std::int64_t, std::int32_t>;
  EXPECT_EQ(golden(add_integers<long>), golden(add_integers<Long>));
  EXPECT_EQ(golden(add_integers<std::int64_t>), "127815ee7f49a0f9");
  EXPECT_EQ(golden(add_integers<std::uint64_t>), "35b390351d05be8f");
}

// f of ordinary numbers scaled by `unit`.
template <class Function>
std::string of_numbers(Function f, double unit, int count) {
  return golden([&](Golden& found) {
    GoldenInput input(3);
    for (int i = 0; i < count; ++i) {
      const double x = input.ordinary() * unit;
      found.add_result([&] { return f(x); });
    }
  });
}

TEST(GoldenNumeric, CertifiedFunctions) {
  EXPECT_EQ(of_numbers(sqrt_up, 1, 3000), "c3144b2530fe82b5");
  EXPECT_EQ(of_numbers(sqrt_down, 1, 3000), "2f0a93655326f498");
  EXPECT_EQ(of_numbers(exp_up, 0x1p-21, 500), "cfa1aa6803c65691");
  EXPECT_EQ(of_numbers(exp_down, 0x1p-21, 500), "48c4321c642b91a3");
  EXPECT_EQ(of_numbers(expm1_up, 0x1p-25, 500), "c34adb1041e6fa15");
  EXPECT_EQ(of_numbers(expm1_down, 0x1p-25, 500), "c883bf0ff08de2cc");
  EXPECT_EQ(of_numbers(ln_up, 1, 500), "66f719596f6802e4");
  EXPECT_EQ(of_numbers(ln_down, 1, 500), "d5895e6395d714be");
  EXPECT_EQ(of_numbers(ln1p_up, 0x1p-25, 500), "dffc8ce2fbe1adf8");
  EXPECT_EQ(of_numbers(ln1p_down, 0x1p-25, 500), "70a844e9f450bd55");
  EXPECT_EQ(of_numbers(log2_up<double>, 1, 500), "95cdb7fa8ef55f96");
  EXPECT_EQ(of_numbers(normal_tail_up, 0x1p-25, 300), "5cd3791b6badb371");
  EXPECT_EQ(of_numbers(normal_density_up, 0x1p-25, 300), "19e9bc3a0f80161b");
}

TEST(GoldenNumeric, BulkFunctions) {
  EXPECT_EQ(of_numbers(exp_approx, 0x1p-20, 10000), "20ac2b24f22e62d4");
  EXPECT_EQ(of_numbers(ln1p_near, 0x1p-25, 10000), "9faaeead759aa006");
  EXPECT_EQ(of_numbers([](double x) { return exp_gap_near(std::abs(x)); }, 0x1p-25, 10000),
            "4e6b5ca86f74d959");
  EXPECT_EQ(golden([](Golden& found) {
              for (std::size_t k = 0; k < 4096; ++k) {
                const std::complex<double> root = root_of_unity_near(k, 4096);
                found.add(root.real());
                found.add(root.imag());
              }
            }),
            "e7ae6c56c0f97c1d");
  EXPECT_EQ(golden([](Golden& found) {
              const Decay decay(0.013, 3000);
              for (std::size_t k = 0; k < 3000; ++k) found.add(decay.at(k));
            }),
            "2b52849dd5ba7d79");
}

TEST(GoldenNumeric, Transforms) {
  const auto spectrum_and_back = [](std::size_t size) {
    return golden([size](Golden& found) {
      GoldenInput input(4);
      std::vector<double> sequence(size);
      for (std::size_t i = 0; i < size / 2; ++i) sequence[i] = input.unit();
      const NegacyclicTransform transform(size);
      found.add(transform.error());
      transform.forward(sequence, size / 2);
      found.add(sequence);
      transform.inverse(sequence);
      found.add(sequence);
    });
  };
  EXPECT_EQ(spectrum_and_back(1024), "baff3ef477dae2be");
  EXPECT_EQ(spectrum_and_back(2048), "7af39c97dedfaf4c");
}

TEST(GoldenNumeric, RationalsAndTheLattice) {
  EXPECT_EQ(golden([](Golden& found) {
              GoldenInput input(5);
              for (int i = 0; i < 3000; ++i) {
                const Rational n = exact_rational(input.ordinary());
                const Rational q = n / (1 + input.word());
                found.add(to_double_nearest(q));
                found.add(to_double_up(q));
                found.add(to_double_down(q));
                found.add(to_float_nearest(q));
                found.add(round_half_up(n));
              }
            }),
            "419cece9fd608d8f");
  EXPECT_EQ(golden([](Golden& found) {
              GoldenInput input(6);
              for (int i = 0; i < 3000; ++i) {
                const double lower = input.ordinary();
                const double upper = lower + std::abs(input.ordinary());
                const Lattice lattice = lattice_for(lower, upper);
                const std::int64_t index = lattice.index(lower + (upper - lower) * input.unit());
                found.add(lattice.exponent);
                found.add(index);
                found.add(lattice.value(int128_t{index}));
              }
            }),
            "be669cab7fbf2579");
}

template <class T>
std::string texts_both_ways() {
  return golden([](Golden& found) {
    GoldenInput input(7);
    for (int i = 0; i < 5000; ++i) {
      const T x = input.any<T>();
      const std::string text = format_number(x);
      found.add(text);
      const auto digits = static_cast<std::size_t>(input.below(text.size() + 1));
      found.add(parse_number<T>(text).value_or(T(1)));
      found.add(parse_number<T>(text.substr(0, digits)).value_or(T(1)));
    }
  });
}

TEST(GoldenNumeric, Text) {
  EXPECT_EQ(texts_both_ways<double>(), "87c4e804162995f8");
  EXPECT_EQ(texts_both_ways<float>(), "060799dee5caaa56");
  EXPECT_EQ(texts_both_ways<std::int64_t>(), "547295edc743a3e0");
  EXPECT_EQ(texts_both_ways<std::uint8_t>(), "23ea6cd90d50aa52");
}

}  // namespace
}  // namespace dp::test::numeric_golden_test
