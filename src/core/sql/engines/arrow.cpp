#include <cstring>

#include "core/sql/data_source.h"

namespace dp::sql {
namespace {

class Arrow final : public DataSource {
 public:
  const char* name() const override { return "Arrow"; }

  const std::vector<ColumnType>& types() const override {
    static const std::vector<ColumnType> types{{"bool", "logical"},
                                               {"int8", "whole"},
                                               {"int16", "whole"},
                                               {"int32", "whole"},
                                               {"int64", "whole"},
                                               {"uint8", "whole"},
                                               {"uint16", "whole"},
                                               {"uint32", "whole"},
                                               {"float", "real"},
                                               {"double", "real"},
                                               {"string", "text"},
                                               {"large_string", "text"},
                                               {"dictionary", "text"},
                                               {"date32", "date"},
                                               {"date64", "date"},
                                               {"uint64", ""},
                                               {"halffloat", ""},
                                               {"decimal128", ""},
                                               {"timestamp", "moment"},
                                               {"timestamp with time zone", ""},
                                               {"time64", ""},
                                               {"duration", ""},
                                               {"list", ""},
                                               {"struct", ""},
                                               {"binary", ""},
                                               {"other", ""}};
    return types;
  }

  std::string conversion(const ColumnType& type, Declaration declaration) const override {
    const bool is_time = std::strncmp(type.name, "timestamp", 9) == 0;
    if (std::strstr(type.name, "with time zone") != nullptr && declaration == Declaration::date) {
      return "arrow::call_function(\"local_timestamp\", "
             "x$cast(arrow::timestamp(\"us\", "
             "\"UTC\")))$cast(arrow::date32())";
    }
    // Arrow casts times to whole numbers only.
    if (is_time && declaration == Declaration::real) declaration = Declaration::whole;
    switch (declaration) {
      case Declaration::flag:
        return "x$cast(arrow::boolean())";
      case Declaration::whole:
      case Declaration::numbers:
        return "x$cast(arrow::int64())";
      case Declaration::real:
        return "x$cast(arrow::float64())";
      case Declaration::date:
        return "x$cast(arrow::date32())";
      default:
        return "x$cast(arrow::utf8())";
    }
  }
};

}  // namespace

const DataSource& arrow_source() {
  static const Arrow source;
  return source;
}

}  // namespace dp::sql
