// Worked stability maps and errors of the oracle file, for constructors whose arguments it gives in
// full. Sums have a separate table (sum_oracle.h).
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "core/accounting/counting_query_map.h"
#include "core/combinators/chain.h"
#include "core/numeric/integer.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/counts/count_by.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/counts/count_distinct.h"
#include "core/transformations/frames/create_dataframe.h"
#include "core/transformations/frames/df_cast_default.h"
#include "core/transformations/frames/df_is_equal.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "core/transformations/frames/split_lines.h"
#include "core/transformations/frames/split_records.h"
#include "core/transformations/frames/subset_by.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/cast_inherent.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/drop_null.h"
#include "core/transformations/rows/find.h"
#include "core/transformations/rows/find_bin.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/impute_uniform_float.h"
#include "core/transformations/rows/index.h"
#include "core/transformations/rows/is_equal.h"
#include "core/transformations/rows/is_null.h"
#include "core/transformations/sums/sized_bounded_covariance.h"
#include "core/transformations/sums/sum_of_squared_deviations.h"
#include "core/transformations/sums/variance.h"
#include "core/transformations/trees/b_ary_tree.h"
#include "core/transformations/trees/quantile_score_candidates.h"
#include "support/json.h"
#include "support/oracle_rows.h"

namespace dp::test::stability_oracle_test {
namespace {

Scalar scalar(const Json& json, AtomType type) {
  return visit_atom(type, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, std::string>) {
      return json.text;
    } else if constexpr (std::is_same_v<T, bool>) {
      return json.text == "true";
    } else if constexpr (std::is_same_v<T, int128_t>) {
      throw std::logic_error("no oracle has 128-bit integers");
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(json.text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                               : oracle_number(json.text));
    } else {
      return static_cast<T>(std::stoll(json.text));
    }
  });
}

std::vector<Scalar> scalars(const Json& json, AtomType type) {
  std::vector<Scalar> out;
  for (const Json& item : json.items) out.push_back(scalar(item, type));
  return out;
}

Bounds bounds(const Json& json, AtomType type) {
  return {scalar(json.items.at(0), type), scalar(json.items.at(1), type)};
}

Domain domain(const Json& json) {
  if (json.at("kind").text == "dataframe")
    return DataFrameDomain{parse_atom_type(json.at("key").text)};
  AtomDomain atom = non_nan_atom(parse_atom_type(json.at("atom").text));
  if (json.has("bounds")) atom.bounds = bounds(json.at("bounds"), atom.type);
  atom.nan = json.has("nan") && json.at("nan").text == "true";
  if (json.at("kind").text == "atom") return atom;
  std::optional<std::uint64_t> size;
  if (json.has("size")) size = std::stoull(json.at("size").text);
  if (json.has("option") && json.at("option").text == "true") {
    return vector_of(OptionDomain{default_atom(atom.type)}, size);
  }
  return vector_of(atom, size);
}

std::uint64_t whole(const Json& json) { return std::stoull(json.text); }

std::optional<std::string> separator(const Json& args) {
  const Json& json = args.at("separator");
  return json.is_null() ? std::nullopt : std::optional<std::string>(json.text);
}

// Arguments of one row, and the space that comes first in most of them.
struct Arguments {
  const Json& json;
  Domain domain;
  Metric metric;
  AtomType atom;

  const Json& operator[](const std::string& key) const { return json.at(key); }
  AtomType type(const std::string& key) const { return parse_atom_type(json.at(key).text); }
  std::vector<Scalar> names(const std::string& key) const {
    return scalars(json.at(key), AtomType::string);
  }
  Summation summation() const { return parse_summation(json.at(".S").text); }
};

using Build = std::function<Transformation(const Arguments&)>;

const std::map<std::string, Build>& constructors() {
  constexpr AtomType kText = AtomType::string;
  using A = const Arguments&;
  static const std::map<std::string, Build> kAll = {
      {"make_cast", [](A a) { return make_cast(a.domain, a.metric, a.type(".TOA")); }},
      {"make_cast_default",
       [](A a) { return make_cast_default(a.domain, a.metric, a.type(".TOA")); }},
      {"make_cast_inherent",
       [](A a) { return make_cast_inherent(a.domain, a.metric, a.type(".TOA")); }},
      {"make_is_equal",
       [](A a) { return make_is_equal(a.domain, a.metric, scalar(a["value"], a.atom)); }},
      {"make_is_null", [](A a) { return make_is_null(a.domain, a.metric); }},
      {"make_clamp",
       [](A a) { return make_clamp(a.domain, a.metric, bounds(a["bounds"], a.atom)); }},
      {"make_impute_constant",
       [](A a) { return make_impute_constant(a.domain, a.metric, scalar(a["constant"], a.atom)); }},
      {"make_impute_uniform_float",
       [](A a) {
         return make_impute_uniform_float(a.domain, a.metric, bounds(a["bounds"], a.atom));
       }},
      {"make_drop_null", [](A a) { return make_drop_null(a.domain, a.metric); }},
      {"make_find",
       [](A a) { return make_find(a.domain, a.metric, scalars(a["categories"], a.atom)); }},
      {"make_find_bin",
       [](A a) { return make_find_bin(a.domain, a.metric, scalars(a["edges"], a.atom)); }},
      {"make_index",
       [](A a) {
         const AtomType type = a.type(".TOA");
         return make_index(
             a.domain, a.metric, scalars(a["categories"], type), scalar(a["null"], type), type);
       }},
      {"make_count", [](A a) { return make_count(a.domain, a.metric, a.type(".TO")); }},
      {"make_count_distinct",
       [](A a) { return make_count_distinct(a.domain, a.metric, a.type(".TO")); }},
      {"make_count_by", [](A a) { return make_count_by(a.domain, a.metric, a.type(".TV")); }},
      {"make_count_by_categories",
       [](A a) {
         return make_count_by_categories(a.domain,
                                         a.metric,
                                         scalars(a["categories"], a.atom),
                                         a["null_category"].text == "true",
                                         parse_metric(a[".MO"].text),
                                         a.json.has(".TOA") ? a.type(".TOA") : AtomType::i32);
       }},
      {"make_sum_of_squared_deviations",
       [](A a) { return make_sum_of_squared_deviations(a.domain, a.metric, a.summation()); }},
      {"make_variance",
       [](A a) { return make_variance(a.domain, a.metric, whole(a["ddof"]), a.summation()); }},
      {"make_sized_bounded_covariance",
       [](A a) {
         const AtomType type = a.summation().type;
         return make_sized_bounded_covariance(whole(a["size"]),
                                              bounds(a["bounds_0"], type),
                                              bounds(a["bounds_1"], type),
                                              whole(a["ddof"]),
                                              a.summation());
       }},
      {"make_quantile_score_candidates",
       [](A a) {
         return make_quantile_score_candidates(
             a.domain, a.metric, scalars(a["candidates"], a.atom), oracle_number(a["alpha"].text));
       }},
      {"make_b_ary_tree",
       [](A a) {
         return make_b_ary_tree(
             a.domain, a.metric, whole(a["leaf_count"]), whole(a["branching_factor"]));
       }},
      {"make_split_lines", [](A) { return make_split_lines(); }},
      {"make_split_records", [](A a) { return make_split_records(separator(a.json)); }},
      {"make_create_dataframe",
       [](A a) { return make_create_dataframe(a.names("col_names"), kText); }},
      {"make_split_dataframe",
       [](A a) { return make_split_dataframe(separator(a.json), a.names("col_names"), kText); }},
      {"make_select_column",
       [](A a) { return make_select_column(a["key"].text, kText, a.type(".TOA")); }},
      {"make_subset_by",
       [](A a) {
         return make_subset_by(a["indicator_column"].text, a.names("keep_columns"), kText);
       }},
      {"make_df_cast_default",
       [](A a) {
         return make_df_cast_default(
             a.domain, a.metric, a["column_name"].text, a.type(".TIA"), a.type(".TOA"));
       }},
      {"make_df_is_equal",
       [](A a) {
         return make_df_is_equal(a.domain, a.metric, a["column_name"].text, a["value"].text, kText);
       }},
  };
  return kAll;
}

Transformation build(const std::string& constructor, const Json& args) {
  Arguments arguments{args, default_atom(AtomType::string), symmetric_distance(), AtomType::string};
  if (args.has("input_domain")) {
    arguments.domain = domain(args.at("input_domain"));
    arguments.metric = parse_metric(args.at("input_metric").text);
    if (arguments.domain.as<VectorDomain>()) {
      arguments.atom = row_domain(arguments.domain).atom.type;
    }
  }
  return constructors().at(constructor)(arguments);
}

// Adds the output space of `before` to the arguments of the next link of a chain.
Transformation build_after(const std::string& constructor,
                           const Json& args,
                           const Transformation& before) {
  const AtomType atom = row_domain(before.output_domain()).atom.type;
  return constructors().at(constructor)(
      {args, before.output_domain(), before.output_metric(), atom});
}

std::optional<Transformation> build_row(const OracleRow& row) {
  const Json args = parse_json(row.args);
  if (row.constructor == "chain:make_count_by_categories>make_b_ary_tree") {
    const auto first = build("make_count_by_categories", args.at("make_count_by_categories"));
    return make_chain_tt(build_after("make_b_ary_tree", args.at("make_b_ary_tree"), first), first);
  }
  return build(row.constructor, args);
}

bool is_covered(const OracleRow& row) {
  return constructors().count(row.constructor) != 0 ||
         row.constructor == "chain:make_count_by_categories>make_b_ary_tree";
}

// Compares numbers as the oracle writes them: integers directly, floats as the equal double.
void expect_same(const Distance& distance, const Json& expected, const OracleRow& row) {
  if (const auto* tuple = distance.as<Distance::Tuple>()) {
    ASSERT_EQ(tuple->size(), expected.items.size());
    for (std::size_t i = 0; i < tuple->size(); ++i) {
      expect_same((*tuple)[i], expected.items[i], row);
    }
    return;
  }
  std::visit(
      [&](const auto& number) {
        using T = std::decay_t<decltype(number)>;
        if constexpr (std::is_floating_point_v<T>) {
          EXPECT_EQ(static_cast<double>(number), oracle_number(expected.text))
              << "line " << row.line << ", " << row.constructor;
        } else if constexpr (!std::is_same_v<T, std::string>) {
          EXPECT_EQ(Integer(number), Integer(expected.text))
              << "line " << row.line << ", " << row.constructor;
        } else {
          ADD_FAILURE() << "a distance that is text";
        }
      },
      *distance.as<Scalar>());
}

Distance rows_apart(const Json& json, const Metric& metric) {
  return visit_number(metric.distance_type, [&](auto tag) -> Distance {
    using T = typename decltype(tag)::type;
    return Scalar(static_cast<T>(oracle_number(json.text)));
  });
}

TEST(StabilityOracle, MapsAndRefusalsAreThoseOfTheTable) {
  std::size_t rows = 0;
  for (const OracleRow& row : oracle_rows("", "stability_maps.csv")) {
    if (!is_covered(row)) continue;
    ++rows;
    const bool fails = row.d_out.compare(0, 6, "error:") == 0;
    std::optional<Transformation> built;
    try {
      built = build_row(row);
      if (row.d_in.empty()) {
        ADD_FAILURE() << "line " << row.line << ", " << row.constructor << " was built";
        continue;
      }
      const Distance d_out = built->map(rows_apart(parse_json(row.d_in), built->input_metric()));
      ASSERT_FALSE(fails) << "line " << row.line << ": " << debug(d_out);
      expect_same(d_out, parse_json(row.d_out), row);
    } catch (const Error& error) {
      EXPECT_EQ(row.d_out, std::string("error:") + variant(error.kind()))
          << "line " << row.line << ", " << row.constructor << ": " << error.what();
      EXPECT_EQ(built.has_value(), !row.d_in.empty()) << "line " << row.line << ": wrong stage";
    }
  }
  EXPECT_EQ(rows, 84u);
}

TEST(StabilityOracle, CountingMapsAreThoseOfTheTable) {
  const auto rows = oracle_rows("counting_query_stability_map", "stability_maps.csv");
  for (const OracleRow& row : rows) {
    const Json args = parse_json(row.args);
    const Json& info = args.at("public_info");
    const StabilityMap map = counting_query_stability_map(
        info.is_null() ? PublicInfo::none : parse_public_info(info.text),
        static_cast<std::uint32_t>(whole(args.at("P"))));
    Distance::Tuple d_in;
    for (const Json& part : parse_json(row.d_in).items) {
      d_in.emplace_back(Scalar(static_cast<std::uint32_t>(whole(part))));
    }
    try {
      expect_same(map(Distance(d_in)), parse_json(row.d_out), row);
    } catch (const Error& error) {
      EXPECT_EQ(row.d_out, std::string("error:") + variant(error.kind())) << "line " << row.line;
    }
  }
  EXPECT_EQ(rows.size(), 15u);
}

}  // namespace
}  // namespace dp::test::stability_oracle_test
