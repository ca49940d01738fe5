// Text, records and data frames.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/transformations/frames/create_dataframe.h"
#include "core/transformations/frames/df_cast_default.h"
#include "core/transformations/frames/df_is_equal.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "core/transformations/frames/split_lines.h"
#include "core/transformations/frames/split_records.h"
#include "core/transformations/frames/subset_by.h"

namespace dp {
namespace {

std::optional<std::string> separator_in(const Arguments& in) {
  return Read<std::optional<std::string>>::from(in, "separator");
}

// "" is no quote.
std::optional<char> quote_in(const Arguments& in) {
  if (!in.is_given("quote")) return std::nullopt;
  const std::string text = in.text("quote");
  if (text.empty()) return std::nullopt;
  if (text.size() > 1) {
    throw Error(ErrorKind::make_transformation, "quote must be one visible character of ASCII");
  }
  return text.front();
}

Made split_records(const Arguments& in) {
  RecordStyle style{quote_in(in)};
  const bool has_header = !in.is_flag("header") || in.flag("header");
  if (has_header) style.header = in.texts("header");
  return make_split_records(separator_in(in), style);
}

std::string header_field(const Scalar& name) {
  if (const auto* text = std::get_if<std::string>(&name)) return *text;
  if (const auto* flag = std::get_if<bool>(&name)) return *flag ? "TRUE" : "FALSE";
  return debug(name);
}

Made split_dataframe(const Arguments& in) {
  const AtomType key = in.type(".K", "col_names");
  const std::vector<Scalar> names = in.constants("col_names", key);
  RecordStyle style{quote_in(in)};
  if (in.flag("header")) {
    for (const Scalar& name : names) style.header.push_back(header_field(name));
  }
  return make_split_dataframe(separator_in(in), names, key, style);
}

}  // namespace

std::vector<Constructor> frame_constructors() {
  return {
      constructor("make_split_lines", make_split_lines).example(""),
      constructor("make_split_records", {"separator", "quote", "header"}, split_records)
          .example("separator = ','"),
      constructor("make_create_dataframe",
                  make_create_dataframe,
                  {typed("col_names", ".K", "col_names"), type_of(".K", "col_names")})
          .example("col_names = c('a', 'b')"),
      constructor("make_split_dataframe",
                  {"separator", "col_names", ".K", "quote", "header"},
                  split_dataframe)
          .example("separator = ',', col_names = c('a', 'b')"),
      constructor("make_select_column",
                  {"key", ".TOA", ".K"},
                  [](const Arguments& in) -> Made {
                    const AtomType type = in.type(".K", "key");
                    return make_select_column(
                        in.constant("key", type), type, in.type(".TOA", nullptr));
                  })
          .example("key = 'a', .TOA = 'String'"),
      constructor("make_df_cast_default",
                  make_df_cast_default,
                  {"input_domain", "input_metric", in_keys("column_name"), ".TIA", ".TOA"})
          .example(in_r::frames() + ", column_name = 'a', .TIA = 'String', .TOA = 'i32'"),
      constructor("make_df_is_equal",
                  make_df_is_equal,
                  {"input_domain",
                   "input_metric",
                   in_keys("column_name"),
                   typed("value", ".TIA", "value"),
                   type_of(".TIA", "value")})
          .example(in_r::frames() + ", column_name = 'a', value = 'x'"),
      constructor("make_subset_by",
                  make_subset_by,
                  {typed("indicator_column", ".TK", "indicator_column"),
                   typed("keep_columns", ".TK", "indicator_column"),
                   type_of(".TK", "indicator_column")})
          .example("indicator_column = 'a', keep_columns = c('a', 'b')"),
  };
}

}  // namespace dp
