#include "core/query/arrow_cells.h"

#include <cmath>
#include <cstring>

#include "core/error.h"

namespace dp::query {
namespace {

using Kind = QueryColumn::Kind;

constexpr std::int64_t kMillisecondsOfDay = 86400000;

// Units per day: seconds, or parts of a second.
std::int64_t units_of_day(char unit) {
  switch (unit) {
    case 's':
      return 86400;
    case 'm':
      return kMillisecondsOfDay;
    case 'u':
      return 1000 * kMillisecondsOfDay;
    default:
      return 1000000 * kMillisecondsOfDay;
  }
}

// Makes room for the cells after the existing ones.
template <class To>
To* room_for(const ArrowCells& cells, std::vector<To>& to) {
  const std::size_t there = to.size();
  to.resize(there + static_cast<std::size_t>(cells.size));
  return to.data() + there;
}

template <class T, class To>
void copy_cells(const ArrowCells& cells, To none, std::vector<To>& to) {
  const auto* values = static_cast<const T*>(cells.buffer(1));
  To* const out = room_for(cells, to);
  const bool some_missing = cells.array.buffers[0] != nullptr;
  for (std::int64_t i = 0; i < cells.size; ++i) {
    T value;
    std::memcpy(&value, values + cells.begin + i, sizeof value);  // it need not be aligned
    out[i] = static_cast<To>(value);
  }
  for (std::int64_t i = 0; some_missing && i < cells.size; ++i) {
    if (!cells.is_there(i)) out[i] = none;
  }
}

constexpr std::int32_t kNone32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kNone64 = std::numeric_limits<std::int64_t>::min();
constexpr double kNoneReal = std::numeric_limits<double>::quiet_NaN();

void copy_logicals(const ArrowCells& cells, std::vector<std::int32_t>& to) {
  const auto* bits = static_cast<const std::uint8_t*>(cells.buffer(1));
  for (std::int64_t i = 0; i < cells.size; ++i) {
    to.push_back(!cells.is_there(i) ? kNone32 : ArrowCells::bit_of(bits, cells.begin + i) ? 1 : 0);
  }
}

// Throws unless offsets never decrease and the last equals the length of the bytes.
template <class Offset>
void check_offsets(const ArrowCells& cells) {
  const auto* offsets = static_cast<const Offset*>(cells.buffer(1));
  Offset before = 0;
  for (std::int64_t i = 0; cells.size > 0 && i <= cells.size; ++i) {
    Offset offset;
    std::memcpy(&offset, offsets + cells.begin + i, sizeof offset);
    if (offset < before) refuse_arrow_column(cells.name, "has offsets out of order");
    before = offset;
  }
  if (before > 0 && cells.array.buffers[2] == nullptr) {
    refuse_arrow_column(cells.name, "lacks a buffer");
  }
}

// Calls `take` with each text of a UTF-8 array, and with nothing for a missing one.
template <class Offset, class Take>
void each_arrow_text(const ArrowCells& cells, Take take) {
  check_offsets<Offset>(cells);
  const auto* offsets = static_cast<const Offset*>(cells.buffer(1));
  const auto* bytes = static_cast<const char*>(cells.array.buffers[2]);
  for (std::int64_t i = 0; i < cells.size; ++i) {
    Offset ends[2];
    std::memcpy(ends, offsets + cells.begin + i, sizeof ends);
    if (!cells.is_there(i)) {
      take(std::optional<std::string_view>());
    } else if (ends[0] == ends[1]) {
      take(std::optional(std::string_view("")));
    } else {
      const auto length = static_cast<std::size_t>(ends[1] - ends[0]);
      take(std::optional(std::string_view(bytes + ends[0], length)));
    }
  }
}

template <class Take>
void each_text_of_format(std::string_view format, const ArrowCells& cells, Take take) {
  if (format == "u") {
    each_arrow_text<std::int32_t>(cells, take);
  } else {
    each_arrow_text<std::int64_t>(cells, take);
  }
}

void copy_texts(std::string_view format, const ArrowCells& cells, ArrowOwner& to) {
  each_text_of_format(format, cells, [&](std::optional<std::string_view> text) {
    to.codes.push_back(text ? to.code_of(*text) : 0);
  });
}

// An index out of range becomes a missing value.
template <class T>
void copy_places(const ArrowCells& cells,
                 const std::vector<std::int32_t>& codes,
                 std::vector<std::int32_t>& to) {
  const auto* values = static_cast<const T*>(cells.buffer(1));
  for (std::int64_t i = 0; i < cells.size; ++i) {
    T value{};
    if (cells.is_there(i)) std::memcpy(&value, values + cells.begin + i, sizeof value);
    const bool inside =
        cells.is_there(i) && !(value < T{0}) && static_cast<std::uint64_t>(value) < codes.size();
    to.push_back(inside ? codes[static_cast<std::size_t>(value)] : 0);
  }
}

void copy_dictionary(std::string_view format,
                     std::string_view texts,
                     const ArrowCells& cells,
                     ArrowOwner& to) {
  const ArrowArray& labels = *cells.array.dictionary;
  const auto there = static_cast<std::int64_t>(to.labels.size());
  if (labels.length > kMostArrowRows - there) {
    refuse_arrow_column(cells.name, "has too many labels");
  }
  std::vector<std::int32_t> codes;
  each_text_of_format(texts,
                      {cells.name, labels, labels.offset, labels.length},
                      [&](std::optional<std::string_view> text) {
                        codes.push_back(to.code_of(text.value_or(kNoLabel)));
                      });
  switch (format[0]) {
    case 'c':
      return copy_places<std::int8_t>(cells, codes, to.codes);
    case 'C':
      return copy_places<std::uint8_t>(cells, codes, to.codes);
    case 's':
      return copy_places<std::int16_t>(cells, codes, to.codes);
    case 'S':
      return copy_places<std::uint16_t>(cells, codes, to.codes);
    case 'i':
      return copy_places<std::int32_t>(cells, codes, to.codes);
    case 'I':
      return copy_places<std::uint32_t>(cells, codes, to.codes);
    default:
      return copy_places<std::int64_t>(cells, codes, to.codes);
  }
}

void copy_numbers(std::string_view format, const ArrowCells& cells, ArrowOwner& to) {
  if (format == "tdD") return copy_cells<std::int32_t>(cells, kNone32, to.codes);
  if (format == "tdm" || is_moment(format)) {
    const std::int64_t units = format == "tdm" ? kMillisecondsOfDay : units_of_day(format[2]);
    std::vector<std::int64_t> times;
    copy_cells<std::int64_t>(cells, kNone64, times);
    for (const std::int64_t at : times) {
      const std::int64_t days = at / units - (at % units < 0 ? 1 : 0);
      to.reals.push_back(at == kNone64 ? kNoneReal : static_cast<double>(days));
    }
    return;
  }
  switch (format[0]) {
    case 'b':
      return copy_logicals(cells, to.codes);
    case 'c':
      return copy_cells<std::int8_t>(cells, kNone32, to.codes);
    case 'C':
      return copy_cells<std::uint8_t>(cells, kNone32, to.codes);
    case 's':
      return copy_cells<std::int16_t>(cells, kNone32, to.codes);
    case 'S':
      return copy_cells<std::uint16_t>(cells, kNone32, to.codes);
    case 'i':
      return copy_cells<std::int32_t>(cells, kNone64, to.wholes);
    case 'I':
      return copy_cells<std::uint32_t>(cells, kNone64, to.wholes);
    case 'l':
      return copy_cells<std::int64_t>(cells, kNone64, to.wholes);
    case 'f':
      return copy_cells<float>(cells, kNoneReal, to.reals);
    default:
      return copy_cells<double>(cells, kNoneReal, to.reals);
  }
}

}  // namespace

void refuse_arrow(const std::string& what) { throw Error(ErrorKind::source, what); }

void refuse_arrow_column(const std::string& name, const std::string& what) {
  refuse_arrow("column `" + name + "` " + what + ".");
}

bool is_moment(std::string_view format) {
  return format.size() == 4 && format.substr(0, 2) == "ts" && format[3] == ':';
}

std::optional<QueryColumn::Kind> kind_of_format(std::string_view format) {
  if (format == "b") return Kind::logical;
  if (format == "c" || format == "C" || format == "s" || format == "S") return Kind::int32;
  // Uses 64 bits, because the least value of these types is valid; int32 reserves its least value.
  if (format == "i" || format == "I" || format == "l") return Kind::int64;
  if (format == "f" || format == "g") return Kind::real;
  if (format == "tdD") return Kind::date32;
  if (format == "tdm" || is_moment(format)) return Kind::date;
  if (format == "u" || format == "U") return Kind::text;
  return std::nullopt;
}

std::int32_t ArrowOwner::code_of(std::string_view text) {
  const auto found = places.find(text);
  if (found != places.end()) return found->second;
  labels.emplace_back(text);
  const auto place = static_cast<std::int32_t>(labels.size());
  places.emplace(labels.back(), place);
  return place;
}

void copy_arrow_cells(std::string_view format,
                      std::string_view texts,
                      const ArrowCells& cells,
                      ArrowOwner& to) {
  if (!texts.empty()) {
    copy_dictionary(format, texts, cells, to);
  } else if (format == "u" || format == "U") {
    copy_texts(format, cells, to);
  } else {
    copy_numbers(format, cells, to);
  }
}

const void* cells_of_kind(QueryColumn::Kind kind, ArrowOwner& owner) {
  owner.codes.reserve(1);
  owner.wholes.reserve(1);
  owner.reals.reserve(1);
  if (kind == Kind::int64) return owner.wholes.data();
  if (kind == Kind::real || kind == Kind::date) return owner.reals.data();
  return owner.codes.data();
}

}  // namespace dp::query
