// Worked maps of sums and means in the specification: from bounds and sizes to distances or error
// variants.
#pragma once

#include <cstdint>

namespace dp::test {

enum class Space { symmetric, insert_delete, own };
constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

struct SumOracle {
  const char* constructor;
  const char* type;  // of the rows, or the summation
  const char* lower;
  const char* upper;
  std::uint64_t size;
  Space space;  // own: the constructor fixes it
  const char* d_in;
  const char* d_out;
};

// clang-format off
constexpr SumOracle kSumOracle[] = {
  {"make_sum", "i32", "0", "10", kUnknown, Space::symmetric, "1", "10"},
  {"make_sum", "i32", "-10", "10", 3, Space::symmetric, "2", "20"},
  {"make_sum", "f64", "-10.0", "10.0", 1000, Space::symmetric, "2", "20.00000000004426"},
  {"make_sum", "f64", "-10.0", "10.0", kUnknown, Space::symmetric, "1", "20.00000009313226"},
  {"make_sum", "f64", "-10.0", "0.0", kUnknown, Space::symmetric, "1", "10.00000009313226"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "-10.0", "0.0", 100, Space::own, "1", "10.00000000000295"},
  {"make_sum", "i32", "-10", "10", 3, Space::symmetric, "0", "0"},
  {"make_sum", "i32", "-10", "10", 3, Space::symmetric, "1", "0"},
  {"make_sum", "i32", "-10", "10", 3, Space::symmetric, "3", "20"},
  {"make_sum", "i32", "-10", "10", 3, Space::symmetric, "9", "80"},
  {"make_sum", "i32", "-10", "10", kUnknown, Space::symmetric, "1", "10"},
  {"make_sum", "i32", "0", "10", kUnknown, Space::symmetric, "0", "0"},
  {"make_sum", "i32", "1", "20", kUnknown, Space::insert_delete, "3", "60"},
  {"make_sum", "i32", "5", "15", 100, Space::symmetric, "2", "10"},
  {"make_sum", "i32", "-2000000", "2000000", 2000, Space::symmetric, "2", "4000000"},
  {"make_sum", "i32", "0", "2000000", 2000, Space::symmetric, "4", "4000000"},
  {"make_sum", "i32", "-2000000", "2000000", 2000, Space::insert_delete, "4", "8000000"},
  {"make_sum", "i64", "-10", "10", kUnknown, Space::symmetric, "2147483648", "21474836480"},
  {"make_sum", "u32", "0", "10", kUnknown, Space::symmetric, "7", "70"},
  {"make_sum", "i32", "0", "10", kUnknown, Space::symmetric, "214748365", "error:Overflow"},
  {"make_sum", "i32", "0", "2147483647", kUnknown, Space::symmetric, "2", "error:Overflow"},
  {"make_sum", "f64", "0.0", "10.0", kUnknown, Space::symmetric, "1", "10.00000009313226"},
  {"make_sum", "f64", "0.0", "10.0", kUnknown, Space::symmetric, "2", "20.00000009313226"},
  {"make_sum", "f64", "0.0", "10.0", 9, Space::symmetric, "2", "10.000000000000128"},
  {"make_sum", "f64", "0.0", "10.0", 9, Space::symmetric, "1", "1.266956540257029e-13"},
  {"make_sum", "f64", "0.0", "10.0", 9, Space::symmetric, "0", "1.266956540257029e-13"},
  {"make_sum", "f64", "0.0", "10.0", 10000, Space::symmetric, "2", "10.000000000590093"},
  {"make_sum", "f64", "0.0", "10.0", 10000000, Space::symmetric, "2", "10.000001032662697"},
  {"make_sum", "f64", "0.0", "1.0", kUnknown, Space::insert_delete, "1", "1.000000009313226"},
  {"make_sum", "f64", "5.0", "7.0", kUnknown, Space::symmetric, "1", "7.000000065192581"},
  {"make_sum", "f64", "5.0", "7.0", 1000, Space::symmetric, "2", "2.00000000003098"},
  {"make_sum", "f64", "0.0", "1e+300", kUnknown, Space::symmetric, "1", "1.0000000093132259e+300"},
  {"make_sum", "f64", "0.0", "1e+304", kUnknown, Space::symmetric, "1", "1.0000000093132257e+304"},
  {"make_sum", "f64", "0.0", "1e+304", 100000, Space::symmetric, "2", "1.0000000007376162e+304"},
  {"make_sum", "f32", "0.0", "10.0", kUnknown, Space::symmetric, "1", "60.000125885009766"},
  {"make_sum", "f32", "-10.0", "10.0", 1000, Space::symmetric, "2", "20.023761749267578"},
  {"make_sum", "f32", "0.0", "10.0", 16777217, Space::symmetric, "", "error:FailedCast"},
  {"make_sum", "i32", nullptr, nullptr, kUnknown, Space::symmetric, "", "error:MakeTransformation"},
  {"make_sized_bounded_int_checked_sum", "i32", "-2", "4", 1234, Space::own, "2", "6"},
  {"make_sized_bounded_int_checked_sum", "i32", "-2", "4", 1234, Space::own, "5", "12"},
  {"make_sized_bounded_int_checked_sum", "i32", "1", "10", 4, Space::own, "1", "0"},
  {"make_sized_bounded_int_checked_sum", "u8", "0", "255", 2, Space::own, "", "error:MakeTransformation"},
  {"make_sized_bounded_int_checked_sum", "i8", "-1", "1", 300, Space::own, "", "error:MakeTransformation"},
  {"make_sized_bounded_int_checked_sum", "i8", "-128", "0", 1, Space::own, "", "error:MakeTransformation"},
  {"make_sized_bounded_int_checked_sum", "i32", "10", "0", 4, Space::own, "", "error:MakeDomain"},
  {"make_sized_bounded_int_checked_sum", "u32", "10", "0", 4, Space::own, "", "error:Overflow"},
  {"make_bounded_int_monotonic_sum", "i32", "1", "10", kUnknown, Space::own, "3", "30"},
  {"make_bounded_int_monotonic_sum", "i32", "-10", "0", kUnknown, Space::own, "3", "30"},
  {"make_bounded_int_monotonic_sum", "i32", "-1", "1", kUnknown, Space::own, "", "error:MakeTransformation"},
  {"make_bounded_int_monotonic_sum", "i64", "0", "1099511627776", kUnknown, Space::own, "4294967295", "error:Overflow"},
  {"make_sized_bounded_int_monotonic_sum", "i32", "1", "10", 4, Space::own, "2", "9"},
  {"make_sized_bounded_int_monotonic_sum", "i32", "-10", "-1", 4, Space::own, "7", "27"},
  {"make_bounded_int_ordered_sum", "i32", "1", "20", kUnknown, Space::own, "1", "20"},
  {"make_bounded_int_ordered_sum", "i32", "-20", "3", kUnknown, Space::own, "5", "100"},
  {"make_bounded_int_ordered_sum", "i8", "-128", "127", kUnknown, Space::own, "", "error:Overflow"},
  {"make_sized_bounded_int_ordered_sum", "i32", "1", "10", 4, Space::own, "3", "9"},
  {"make_sized_bounded_int_ordered_sum", "i8", "-100", "100", 4, Space::own, "", "error:Overflow"},
  {"make_bounded_int_split_sum", "i32", "-7", "3", kUnknown, Space::own, "4", "28"},
  {"make_bounded_int_split_sum", "i8", "1", "127", kUnknown, Space::own, "1", "127"},
  {"make_bounded_int_split_sum", "i8", "1", "127", kUnknown, Space::own, "2", "error:Overflow"},
  {"make_bounded_int_split_sum", "i8", "1", "127", kUnknown, Space::own, "200", "error:FailedCast"},
  {"make_bounded_int_split_sum", "i32", "3", "-3", kUnknown, Space::own, "", "error:MakeDomain"},
  {"make_sized_bounded_int_split_sum", "i32", "-7", "3", 4, Space::own, "4", "20"},
  {"make_sized_bounded_int_split_sum", "i32", "-7", "3", 4, Space::own, "1", "0"},
  {"make_bounded_float_checked_sum", "Sequential<f64>", "-10.0", "0.0", 100, Space::own, "1", "10.000000000044409"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "10.0", 1048576, Space::own, "0", "9.313225746154829e-08"},
  {"make_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 1048576, Space::own, "0", "0.0048828125"},
  {"make_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 1048576, Space::own, "1", "10.0048828125"},
  {"make_bounded_float_checked_sum", "Pairwise<f32>", "-1.0", "1.0", 1000, Space::own, "1", "2.002376079559326"},
  {"make_bounded_float_checked_sum", "Sequential<f32>", "-1.0", "1.0", 1000, Space::own, "1", "2.2384185791015625"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "-10.0", "10.0", 1, Space::own, "3", "60.0"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "1.0", "10.0", 4, Space::own, "4294967295", "42949672950.00001"},
  {"make_bounded_float_checked_sum", "Pairwise<f32>", "1e+20", "1e+30", 100000000, Space::own, "", "error:FailedCast"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "1.0", 0, Space::own, "", "error:Overflow"},
  {"make_bounded_float_checked_sum", "Sequential<f64>", "0.0", "1.0", 0, Space::own, "1", "1.0"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "10.0", "0.0", 10, Space::own, "", "error:MakeDomain"},
  {"make_bounded_float_checked_sum", "Pairwise<f64>", "nan", "1.0", 10, Space::own, "", "error:FailedFunction"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "10.0", 1, Space::own, "0", "0.0"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 1, Space::own, "0", "4.440892098500626e-15"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "10.0", 10001, Space::own, "0", "5.901583856051561e-10"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 10001, Space::own, "0", "4.4417803213292473e-07"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "10.0", 9990001, Space::own, "0", "1.0315661064716816e-06"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 9990001, Space::own, "0", "0.4432015642486009"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "-10.0", "10.0", 1000, Space::own, "3", "20.00000000004426"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "-10.0", "10.0", 1000, Space::own, "2", "20.000000004440892"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f32>", "0.0", "10.0", 1000, Space::own, "0", "0.023760315030813217"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f32>", "0.0", "10.0", 1000, Space::own, "0", "2.384185791015625"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f32>", "-0.1", "0.1", 100, Space::own, "2", "0.2000158578157425"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "0.0", "1e+308", 1000000, Space::own, "", "error:Overflow"},
  {"make_bounded_float_ordered_sum", "Pairwise<f64>", "0.0", "10.0", 100, Space::own, "1", "10.00000000000295"},
  {"make_bounded_float_ordered_sum", "Sequential<f64>", "-3.0", "4.0", 4, Space::own, "2", "14.000000000000028"},
  {"make_bounded_float_ordered_sum", "Pairwise<f64>", "0.0", "1e+304", 1048576, Space::own, "1", "1.0000000093132257e+304"},
  {"make_bounded_float_ordered_sum", "Pairwise<f64>", "-1e+308", "1e+308", 10, Space::own, "", "error:Overflow"},
  {"make_sized_bounded_float_ordered_sum", "Pairwise<f64>", "0.0", "10.0", 10, Space::own, "2", "10.00000000000015"},
  {"make_sized_bounded_float_ordered_sum", "Sequential<f64>", "0.0", "10.0", 10, Space::own, "2", "10.000000000000444"},
  {"make_sized_bounded_float_ordered_sum", "Pairwise<f32>", "1.0", "10.0", 4, Space::own, "5", "18.00002098083496"},
  {"make_mean", "f64", "0.0", "10.0", 10, Space::symmetric, "2", "1.0000000000000169"},
  {"make_mean", "f64", "0.0", "10.0", 9, Space::symmetric, "2", "1.1111111111111271"},
  {"make_mean", "f64", "0.0", "10.0", 9, Space::symmetric, "1", "1.5853651731145016e-14"},
  {"make_mean", "f64", "-5.0", "5.0", 1000, Space::insert_delete, "4", "0.02000000000002302"},
  {"make_mean", "f32", "0.0", "10.0", 10, Space::symmetric, "2", "1.0000090599060059"},
  {"make_mean", "f64", "0.0", "10.0", kUnknown, Space::symmetric, "", "error:MakeTransformation"},
  {"make_bounded_float_checked_sum", "Sequential<f64>", "0.0", "1e+305", 1000000, Space::own, "", "error:MakeTransformation"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "1e+305", 1000000, Space::own, "", "error:MakeTransformation"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "0.0", "1e+290", 1000000, Space::own, "2", "1.0000000088513947e+290"},
  {"make_sized_bounded_float_ordered_sum", "Pairwise<f64>", "0.0", "1e+305", 1000000, Space::own, "2", "1.0000000088513946e+305"},
  {"make_bounded_float_ordered_sum", "Sequential<f32>", "-1.0", "2.0", 64, Space::own, "3", "9.001953125"},
  {"make_sized_bounded_float_checked_sum", "Sequential<f64>", "0.0", "10.0", 3, Space::own, "2", "10.00000000000004"},
  {"make_sized_bounded_float_checked_sum", "Pairwise<f64>", "-5.0", "-1.0", 50, Space::own, "4", "8.000000000000627"},
  {"make_sum", "f64", "0.0", "1.7e+308", 10, Space::symmetric, "", "error:Overflow"},
  {"make_sum", "f64", "-10.0", "10.0", 0, Space::symmetric, "", "error:Overflow"},
  {"make_sum", "f64", "-1.0", "1.0", 100, Space::insert_delete, "2", "2.0000000000002953"},
  {"make_sum", "f64", "-3.0", "-1.0", kUnknown, Space::symmetric, "2", "6.000000027939678"},
  {"make_sum", "i64", "-4611686018427387904", "4611686018427387904", kUnknown, Space::symmetric, "1", "4611686018427387904"},
};
// clang-format on

}  // namespace dp::test
