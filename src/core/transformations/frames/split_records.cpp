#include "core/transformations/frames/split_records.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/data/records.h"
#include "core/transformations/frames/fields.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

class SplitRecords final : public Records {
 public:
  SplitRecords(ColumnPtr lines, std::string separator, RecordStyle style)
      : lines_(std::move(lines)), separator_(std::move(separator)), style_(std::move(style)) {
    if (!style_.header.empty()) find_headers();
  }

  std::size_t size() const override { return lines_->size() - headers_.size(); }
  bool concurrent() const override { return lines_->concurrent(); }

  Batch read(std::size_t field,
             std::size_t begin,
             std::size_t size,
             BatchBuffer& buffer) const override {
    std::string_view found[kBatchRows];
    std::size_t line = line_of(begin);
    for (std::size_t done = 0; done < size;) {
      const std::size_t run = std::min(size - done, next_header(line) - line);
      const std::string_view* lines = lines_->read(line, run, buffer).as<std::string>();
      for (std::size_t i = 0; i < run; ++i) found[done + i] = field_in(lines[i], field, buffer);
      done += run;
      line += run;
      while (done < size && next_header(line) == line) ++line;
    }
    // Call this last, because the lines may use the same buffer.
    std::string_view* cells = buffer.cells<std::string>(size);
    std::copy(found, found + size, cells);
    return {cells, nullptr, size};
  }

  std::vector<std::string> record(std::size_t i) const override {
    BatchBuffer buffer;
    return fields_of(*lines_->read(line_of(i), 1, buffer).as<std::string>());
  }

 private:
  std::string_view field_in(std::string_view line, std::size_t number, BatchBuffer& buffer) const {
    if (!style_.quote) return trimmed(field_at(line, separator_, number));
    const QuotedFields fields{separator_, *style_.quote};
    std::string_view field;
    bool more = fields.next(line, field);
    for (; number > 0; --number) {
      if (!more) return {};
      more = fields.next(line, field);
    }
    std::string room;
    const std::string_view said = fields.meaning(field, room);
    return said.data() == room.data() ? buffer.keep(std::move(room)) : said;
  }

  std::vector<std::string> fields_of(std::string_view line) const {
    std::vector<std::string> all;
    if (style_.quote) {
      const QuotedFields fields{separator_, *style_.quote};
      std::string_view field;
      std::string room;
      for (bool more = true; more;) {
        more = fields.next(line, field);
        all.emplace_back(fields.meaning(field, room));
      }
      return all;
    }
    while (true) {
      all.emplace_back(trimmed(field_at(line, separator_, 0)));
      const std::size_t end = line.find(separator_);
      if (end == std::string_view::npos) return all;
      line.remove_prefix(end + separator_.size());
    }
  }

  void find_headers() {
    BatchBuffer buffer;
    for (std::size_t begin = 0; begin < lines_->size(); begin += kBatchRows) {
      const std::size_t size = std::min(kBatchRows, lines_->size() - begin);
      const std::string_view* lines = lines_->read(begin, size, buffer).as<std::string>();
      for (std::size_t i = 0; i < size; ++i) {
        if (fields_of(lines[i]) == style_.header) headers_.push_back(begin + i);
      }
      buffer.clear_text();
    }
  }

  // The line of record `i`: headers_[j] has headers_[j] - j records before it.
  std::size_t line_of(std::size_t i) const {
    std::size_t before = 0;
    for (std::size_t after = headers_.size(); before < after;) {
      const std::size_t middle = before + (after - before) / 2;
      if (headers_[middle] - middle <= i) {
        before = middle + 1;
      } else {
        after = middle;
      }
    }
    return i + before;
  }

  // The first header from `line` on, or the end of the lines.
  std::size_t next_header(std::size_t line) const {
    const auto next = std::lower_bound(headers_.begin(), headers_.end(), line);
    return next == headers_.end() ? lines_->size() : *next;
  }

  ColumnPtr lines_;
  std::string separator_;
  RecordStyle style_;
  std::vector<std::size_t> headers_;  // which lines they are, in order
};

[[noreturn]] void refuse_separator(const char* sentence) {
  throw Error(ErrorKind::make_transformation, sentence);
}

void check_quote(char quote, const std::string& separator) {
  const auto byte = static_cast<unsigned char>(quote);
  if (byte <= ' ' || byte >= 0x7F) refuse_separator("quote must be one visible character of ASCII");
  if (separator.find(quote) != std::string::npos)
    refuse_separator("separator must not hold the quote");
}

}  // namespace

Transformation make_split_records(const std::optional<std::string>& separator,
                                  const RecordStyle& style) {
  const std::string cut = separator.value_or(",");
  if (cut.empty()) refuse_separator("separator must not be empty");
  if (style.quote) check_quote(*style.quote, cut);
  const Metric metric = symmetric_distance();
  const Domain lines = vector_of(default_atom(AtomType::string));
  return Transformation(
      lines,
      metric,
      vector_of(lines),
      metric,
      whole_function([cut, style](const Value& arg) -> Value {
        return RecordsPtr(std::make_shared<SplitRecords>(rows_in(arg), cut, style));
      }),
      constant_map(metric, 1));
}

}  // namespace dp
