// A query as plain data, in the form that R's verbs write: only vectors with missing values, lists
// and named fields. Plan hashes are computed from this form, so types and the order of fields
// matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/one_of.h"

namespace dp::query {

struct FormField;

class Form {
 public:
  using Flags = std::vector<std::optional<bool>>;
  using Wholes = std::vector<std::optional<std::int32_t>>;
  using Reals = std::vector<std::optional<double>>;
  using Texts = std::vector<std::optional<std::string>>;
  using List = std::vector<Form>;
  using Fields = std::vector<FormField>;

  Form() = default;                                    // no fields
  Form(Flags cells) : form_(std::move(cells)) {}       // NOLINT: as a vector of R
  Form(Wholes cells) : form_(std::move(cells)) {}      // NOLINT
  Form(Reals cells) : form_(std::move(cells)) {}       // NOLINT
  Form(Texts cells) : form_(std::move(cells)) {}       // NOLINT
  Form(List elements) : form_(std::move(elements)) {}  // NOLINT
  Form(Fields fields) : form_(std::move(fields)) {}    // NOLINT

  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

 private:
  OneOf<Fields, Flags, Wholes, Reals, Texts, List> form_;
};

struct FormField {
  std::string name;
  Form value;
};

}  // namespace dp::query
