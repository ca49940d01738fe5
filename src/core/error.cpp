#include "core/error.h"

#include <cstddef>

namespace dp {
namespace {

struct Spelling {
  const char* name;
  const char* variant;
};

// In the order of ErrorKind.
constexpr Spelling kSpellings[] = {
    {"ffi", "FFI"},
    {"type_parse", "TypeParse"},
    {"type", "Type"},
    {"failed_function", "FailedFunction"},
    {"failed_map", "FailedMap"},
    {"relation_debug", "RelationDebug"},
    {"failed_cast", "FailedCast"},
    {"domain_mismatch", "DomainMismatch"},
    {"metric_mismatch", "MetricMismatch"},
    {"measure_mismatch", "MeasureMismatch"},
    {"make_domain", "MakeDomain"},
    {"make_transformation", "MakeTransformation"},
    {"make_measurement", "MakeMeasurement"},
    {"metric_space", "MetricSpace"},
    {"invalid_distance", "InvalidDistance"},
    {"search", "Search"},
    {"overflow", "Overflow"},
    {"not_implemented", "NotImplemented"},
    {"entropy", "Entropy"},
    {"memory", "Memory"},
    {"stale_object", "StaleObject"},
    {"storage", "Storage"},
    {"unbounded", "Unbounded"},
    {"keys", "Keys"},
    {"domain", "Domain"},
    {"unsupported", "Unsupported"},
    {"budget", "Budget"},
    {"source", "Source"},
    {"backend", "Backend"},
    {"ledger", "Ledger"},
    {"interrupted", "Interrupted"},
};

static_assert(sizeof(kSpellings) / sizeof(kSpellings[0]) ==
                  static_cast<std::size_t>(ErrorKind::interrupted) + 1,
              "every ErrorKind has a spelling");

const Spelling& spelling(ErrorKind kind) { return kSpellings[static_cast<std::size_t>(kind)]; }

}  // namespace

const char* name(ErrorKind kind) { return spelling(kind).name; }

const char* variant(ErrorKind kind) { return spelling(kind).variant; }

}  // namespace dp
