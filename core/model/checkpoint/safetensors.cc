#include "core/model/checkpoint/safetensors.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_file.h"

namespace docspec {
namespace {

using nlohmann::json;

// The reference implementation's limit on the JSON's length.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;
// The largest checkpoints that are published have some hundred in a file.
constexpr size_t kMostTensors = 100'000;

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw Error(ExitCode::dependency, where + ": " + what + "; fetch the file again");
}

[[noreturn]] void fail_tensor(const std::string& where, const std::string& name,
                              const std::string& what) {
  fail(where, "tensor '" + name + "': " + what);
}

/// Reads the names of a header's tensors, nothing else: the parser's events for all other values
/// are let pass. (A json::parse with a callback would look at all names again for each of them.)
struct Names : nlohmann::json_sax<json> {
  explicit Names(std::string file) : where(std::move(file)) {}
  bool key(string_t& name) override {
    if (depth != 1) return true;
    if (!seen.insert(name).second) fail_tensor(where, name, "is in the header twice");
    if (seen.size() > kMostTensors)
      fail(where, "header holds more than " + std::to_string(kMostTensors) + " tensors");
    return true;
  }
  bool start_object(std::size_t) override { return ++depth > 0; }
  bool end_object() override { return --depth >= 0; }
  bool start_array(std::size_t) override { return ++depth > 0; }
  bool end_array() override { return --depth >= 0; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;  // parse_json tells it, with the place
  }

  const std::string where;
  int depth = 0;
  std::set<std::string> seen;
};

// A JSON object keeps the last of two equal keys; a tensor stored twice must be an error instead.
json parse_unique(std::string_view text, const std::string& where) {
  refuse_deep_json(text, where + ": header");
  Names names(where);
  json::sax_parse(text, &names);
  json header = parse_json(text, where + ": header");
  if (!header.is_object()) fail(where, "header is not a JSON object");
  return header;
}

std::vector<int64_t> read_shape(const json& entry, const std::string& where,
                                const std::string& name) {
  const auto shape = entry.find("shape");
  if (shape == entry.end() || !shape->is_array())
    fail_tensor(where, name, "key 'shape' is missing or not a list");
  std::vector<int64_t> out;
  for (const json& side : *shape) {
    if (!side.is_number_unsigned() ||
        side.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max()))
      fail_tensor(where, name, "key 'shape' holds " + side.dump() + ", not a size");
    out.push_back(side.get<int64_t>());
  }
  return out;
}

std::pair<uint64_t, uint64_t> read_offsets(const json& entry, const std::string& where,
                                           const std::string& name) {
  const auto offsets = entry.find("data_offsets");
  if (offsets == entry.end() || !offsets->is_array() || offsets->size() != 2 ||
      !(*offsets)[0].is_number_unsigned() || !(*offsets)[1].is_number_unsigned())
    fail_tensor(where, name, "key 'data_offsets' is not a pair of offsets");
  return {(*offsets)[0].get<uint64_t>(), (*offsets)[1].get<uint64_t>()};
}

uint64_t bytes_of(const TensorInfo& info, const std::string& where) {
  uint64_t bytes = dtype_bytes(info.dtype);
  for (const int64_t side : info.shape)
    if (__builtin_mul_overflow(bytes, uint64_t(side), &bytes))
      fail_tensor(where, info.name, "its shape overflows");
  return bytes;
}

StoredTensor read_entry(const std::string& name, const json& entry, uint64_t data_bytes,
                        const std::string& file_name, const std::string& where) {
  if (!entry.is_object()) fail_tensor(where, name, "its header entry is not an object");
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string())
    fail_tensor(where, name, "key 'dtype' is missing or not a string");
  StoredTensor out;
  out.info = {name, dtype->get<std::string>(), read_shape(entry, where, name), file_name};
  if (dtype_bytes(out.info.dtype) == 0)
    fail_tensor(where, name, "key 'dtype' holds the unknown type '" + out.info.dtype + "'");
  std::tie(out.begin, out.end) = read_offsets(entry, where, name);
  if (out.begin > out.end || out.end > data_bytes)
    fail_tensor(where, name,
                "key 'data_offsets' [" + std::to_string(out.begin) + ", " +
                    std::to_string(out.end) + "] lies outside the file's " +
                    std::to_string(data_bytes) + " bytes of data (truncated?)");
  if (const uint64_t bytes = bytes_of(out.info, where); bytes != out.end - out.begin)
    fail_tensor(where, name,
                "key 'data_offsets' spans " + std::to_string(out.end - out.begin) +
                    " bytes, its shape and dtype need " + std::to_string(bytes));
  return out;
}

void refuse_overlaps(const std::vector<StoredTensor>& tensors, const std::string& where) {
  std::vector<const StoredTensor*> by_place;
  for (const StoredTensor& tensor : tensors)
    if (tensor.begin != tensor.end) by_place.push_back(&tensor);
  std::sort(by_place.begin(), by_place.end(),
            [](const auto* a, const auto* b) { return a->begin < b->begin; });
  for (size_t i = 1; i < by_place.size(); ++i)
    if (by_place[i]->begin < by_place[i - 1]->end)
      fail_tensor(where, by_place[i]->info.name,
                  "overlaps tensor '" + by_place[i - 1]->info.name + "'");
}

}  // namespace

size_t dtype_bytes(std::string_view dtype) {
  constexpr std::pair<std::string_view, size_t> kSizes[] = {
      {"F64", 8},     {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F8_E4M3", 1},
      {"F8_E5M2", 1}, {"I64", 8}, {"I32", 4}, {"I16", 2},  {"I8", 1},
      {"U64", 8},     {"U32", 4}, {"U16", 2}, {"U8", 1},   {"BOOL", 1}};
  for (const auto& [name, bytes] : kSizes)
    if (name == dtype) return bytes;
  return 0;
}

std::vector<StoredTensor> parse_safetensors_header(std::string_view head, uint64_t file_bytes,
                                                   const std::string& file_name,
                                                   const std::string& where) {
  if (head.size() < 8 || file_bytes < 8)
    fail(where, "header truncated: the file has " + std::to_string(file_bytes) + " bytes");
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | uint8_t(head[size_t(i)]);
  if (length > kMaxHeaderBytes || length > file_bytes - 8 || length > head.size() - 8)
    fail(where, "header truncated: it claims " + std::to_string(length) + " bytes, the file has " +
                    std::to_string(file_bytes));
  const json header = parse_unique(head.substr(8, length), where);
  std::vector<StoredTensor> out;
  for (const auto& [name, entry] : header.items())
    if (name != "__metadata__")
      out.push_back(read_entry(name, entry, file_bytes - 8 - length, file_name, where));
  refuse_overlaps(out, where);
  for (StoredTensor& tensor : out) tensor.begin += 8 + length, tensor.end += 8 + length;
  return out;
}

}  // namespace docspec
