#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace at {
class Tensor;
}

namespace docspec {

/// One tensor of a checkpoint as its safetensors header describes it.
struct TensorInfo {
  std::string name;
  std::string dtype;  ///< "F32", "BF16", "F16", ...
  std::vector<int64_t> shape;
  std::string file;  ///< file name within the folder
};

/// A Hugging Face checkpoint folder: config.json and memory-mapped safetensors (model.safetensors,
/// or shards named by model.safetensors.index.json). Nothing is copied until a tensor is converted.
class Checkpoint {
 public:
  /// Throws Error(dependency) naming file and key: folder or file unreadable, header truncated or
  /// not JSON, offsets outside the file, a tensor twice, a shard missing.
  explicit Checkpoint(const std::filesystem::path& folder);
  ~Checkpoint();
  Checkpoint(Checkpoint&&) noexcept;
  Checkpoint& operator=(Checkpoint&&) noexcept;

  const std::filesystem::path& folder() const;
  /// config.json as it is.
  const nlohmann::json& config() const;
  /// A JSON file next to config.json ("generation_config.json", ...); null if there is none. Throws
  /// Error(dependency) if it is not JSON.
  nlohmann::json json(std::string_view file_name) const;

  const std::vector<TensorInfo>& tensors() const;
  bool has(std::string_view name) const;
  /// The tensor as stored: a read-only view of the mapped file, kept alive by the tensor itself.
  /// Throws Error(dependency) naming the tensor when it is missing or `shape` (if not empty)
  /// differs, and remembers the name as known.
  at::Tensor tensor(std::string_view name, const std::vector<int64_t>& shape = {}) const;
  /// Lets go of the mapped pages that hold nothing but this tensor; it can still be read, from the
  /// file. Does nothing for a name that is not there.
  void release(std::string_view name) const;
  /// Reads all tensors into memory, file by file in order: products touch a weight in stripes,
  /// which from a cold disk takes several times as long.
  void read_through() const;
  /// Names of stored tensors that were not read.
  std::vector<std::string> unknown() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace docspec
