// One value of several types, like std::variant, whose copies are safe even without memory.
//
// The std::variant of libstdc++ (12, and earlier versions) assumes that it holds a value if all its
// types move without throwing, as text, vectors, functions and numbers do. If copying one throws,
// it destroys an object that was never made. So here a copy is made first, and then moved in, which
// cannot throw. A OneOf is never empty, and assignment replaces its value completely or not at
// all.
//
// No other code of the core or its boundary names std::variant (tools/banned-tokens.tsv).
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace dp {

// The types must differ.
template <class... Types>
class OneOf : public std::variant<Types...> {
  using Base = std::variant<Types...>;

 public:
  using Base::Base;
  OneOf() = default;
  OneOf(OneOf&&) = default;
  OneOf(const OneOf& other) : Base(copy_of(other)) {}
  // Avoids the base's constructor template, which takes anything.
  OneOf(OneOf& other) : OneOf(std::as_const(other)) {}
  ~OneOf() = default;

  OneOf& operator=(OneOf&&) = default;
  OneOf& operator=(const OneOf& other) {
    static_assert((std::is_nothrow_move_constructible_v<Types> && ...));
    static_assert((std::is_nothrow_move_assignable_v<Types> && ...));
    return *this = OneOf(other);
  }

  // Assign instead.
  template <class... Any>
  void emplace(Any&&...) = delete;

 private:
  static Base copy_of(const Base& other) {
    return std::visit(
        [](const auto& held) {
          auto copy = held;
          return Base(std::in_place_type<decltype(copy)>, std::move(copy));
        },
        other);
  }
};

}  // namespace dp
