// Arrow arrays made by a test, which may then corrupt any part of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/query/arrow.h"

namespace dp::test {

// Owns everything that its schema and array point to. Their release() only records the call.
class ArrowMade {
 public:
  ArrowSchema schema{};
  ArrowArray array{};

  ArrowMade(const std::string& format, const std::string& name) : format_(format), name_(name) {
    schema.format = format_.c_str();
    schema.name = name_.c_str();
    schema.release = [](ArrowSchema* released) { released->release = nullptr; };
    array.release = [](ArrowArray* released) { released->release = nullptr; };
    buffer(nullptr, 0);  // no value is missing
  }
  ArrowMade(const ArrowMade&) = delete;
  ArrowMade& operator=(const ArrowMade&) = delete;

  ArrowMade& size(std::int64_t length, std::int64_t offset = 0) {
    array.length = length;
    array.offset = offset;
    return *this;
  }

  // A buffer of exactly these bytes, so sanitizers detect reads beyond it; or an absent buffer.
  ArrowMade& buffer(const void* bytes, std::size_t size) {
    kept_.emplace_back(size > 0 ? new std::uint8_t[size] : nullptr);
    if (size > 0) std::memcpy(kept_.back().get(), bytes, size);
    buffers_.push_back(kept_.back().get());
    array.n_buffers = static_cast<std::int64_t>(buffers_.size());
    array.buffers = buffers_.data();
    return *this;
  }
  template <class T>
  ArrowMade& values(const std::vector<T>& values) {
    size(static_cast<std::int64_t>(values.size()));
    return buffer(values.data(), values.size() * sizeof(T));
  }
  ArrowMade& texts(const std::vector<std::string>& texts) {
    std::vector<std::int32_t> offsets{0};
    std::string bytes;
    for (const std::string& text : texts) {
      bytes += text;
      offsets.push_back(static_cast<std::int32_t>(bytes.size()));
    }
    values(offsets).buffer(bytes.data(), bytes.size());
    return size(static_cast<std::int64_t>(texts.size()));
  }
  ArrowMade& valid(std::vector<std::uint8_t> bits, std::int64_t missing = -1) {
    kept_.emplace_back(new std::uint8_t[bits.size()]);
    std::memcpy(kept_.back().get(), bits.data(), bits.size());
    buffers_[0] = kept_.back().get();
    array.null_count = missing;
    return *this;
  }

  ArrowMade& add(ArrowMade& child) {
    schemas_.push_back(&child.schema);
    arrays_.push_back(&child.array);
    schema.children = schemas_.data();
    array.children = arrays_.data();
    schema.n_children = array.n_children = static_cast<std::int64_t>(arrays_.size());
    return *this;
  }
  ArrowMade& label(ArrowMade& labels) {
    schema.dictionary = &labels.schema;
    array.dictionary = &labels.array;
    return *this;
  }

  std::vector<const void*>& buffers() { return buffers_; }

 private:
  std::string format_, name_;
  std::vector<const void*> buffers_;
  std::deque<std::unique_ptr<std::uint8_t[]>> kept_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
};

}  // namespace dp::test
