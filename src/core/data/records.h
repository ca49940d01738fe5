// Records: vectors of vectors of text, one for each row of a table.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/data/value.h"

namespace dp {

class Records {
 public:
  virtual ~Records() = default;

  virtual std::size_t size() const = 0;

  // Whether threads other than the caller's may read.
  virtual bool concurrent() const { return true; }

  // One field, counted from 0, of the records begin, ..., begin + size - 1: text, "" for records
  // that are too short. At most kBatchRows of them; valid until the next read into `buffer`.
  virtual Batch read(std::size_t field,
                     std::size_t begin,
                     std::size_t size,
                     BatchBuffer& buffer) const = 0;

  // All fields of one record.
  virtual std::vector<std::string> record(std::size_t i) const = 0;
};

// Records that the core owns.
class OwnedRecords final : public Records {
 public:
  explicit OwnedRecords(std::vector<std::vector<std::string>> records)
      : records_(std::move(records)) {}

  std::size_t size() const override { return records_.size(); }
  Batch read(std::size_t field,
             std::size_t begin,
             std::size_t size,
             BatchBuffer& buffer) const override;
  std::vector<std::string> record(std::size_t i) const override { return records_[i]; }

 private:
  std::vector<std::vector<std::string>> records_;
};

// One field of all records, as rows of text.
ColumnPtr field_of(RecordsPtr records, std::size_t field);

}  // namespace dp
