#include "core/model/checkpoint/checkpoint.h"

#include <ATen/ATen.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/json_file.h"
#include "core/model/checkpoint/safetensors.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kSingle[] = "model.safetensors";
constexpr char kIndex[] = "model.safetensors.index.json";

[[noreturn]] void fail(const std::string& message) {
  throw Error(ExitCode::dependency, message);
}

// A whole file mapped read-only; pages are read when they are touched.
class MappedFile {
 public:
  explicit MappedFile(const fs::path& path) {
    const FileDescriptor file = open_regular(path, ExitCode::dependency);
    struct stat status {};
    size_ = ::fstat(file.get(), &status) == 0 ? size_t(status.st_size) : 0;
    if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data_ == MAP_FAILED && errno == ENOMEM)
      throw Error(ExitCode::out_of_memory,
                  path.string() + ": no room in memory; raise ulimit -v or take a smaller model");
    if (data_ == MAP_FAILED) fail(path.string() + ": cannot be mapped: " + std::strerror(errno));
  }
  ~MappedFile() {
    if (size_ > 0) ::munmap(data_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }
  /// Whole pages inside [begin, end).
  void release(size_t begin, size_t end) const {
    const auto page = size_t(::sysconf(_SC_PAGESIZE));
    const size_t from = (begin + page - 1) / page * page, to = end / page * page;
    if (from < to) ::madvise(static_cast<char*>(data_) + from, to - from, MADV_DONTNEED);
  }
  /// Advice: where the kernel does not take it, pages still come when they are touched.
  void read_through() const {
    if (size_ == 0) return;
    ::madvise(data_, size_, MADV_SEQUENTIAL);
    ::madvise(data_, size_, MADV_POPULATE_READ);
    ::madvise(data_, size_, MADV_NORMAL);
  }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

struct LocatedTensor {
  StoredTensor stored;
  std::shared_ptr<MappedFile> file;
};

std::optional<at::ScalarType> scalar_type(std::string_view dtype) {
  static const std::map<std::string_view, at::ScalarType> kTypes = {
      {"F64", at::kDouble}, {"F32", at::kFloat}, {"F16", at::kHalf},  {"BF16", at::kBFloat16},
      {"I64", at::kLong},   {"I32", at::kInt},   {"I16", at::kShort}, {"I8", at::kChar},
      {"U8", at::kByte},    {"BOOL", at::kBool}};
  const auto found = kTypes.find(dtype);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

std::string to_string(const std::vector<int64_t>& shape) {
  std::string out = "[";
  for (const int64_t side : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(side);
  return out + "]";
}

// Tensor name -> shard, from the index; shards must be plain names of files in the folder.
std::map<std::string, std::string> read_index(const fs::path& path) {
  const json index = read_json(path);
  const auto weights = index.is_object() ? index.find("weight_map") : index.end();
  if (!index.is_object() || weights == index.end() || !weights->is_object())
    fail(path.string() + ": key 'weight_map' is missing or not an object");
  std::map<std::string, std::string> out;
  for (const auto& [name, shard] : weights->items()) {
    const std::string file = shard.is_string() ? shard.get<std::string>() : "";
    if (file.empty() || fs::path(file).filename() != file)
      fail(path.string() + ": weight_map['" + name + "'] is " + shard.dump() + ", not a file name");
    if (std::error_code code; !fs::exists(path.parent_path() / file, code))
      fail(path.string() + ": shard '" + file + "' of tensor '" + name +
           "' is missing; fetch it into " + path.parent_path().string());
    out.emplace(name, file);
  }
  return out;
}

}  // namespace

struct Checkpoint::Impl {
  fs::path folder;
  nlohmann::json config;
  std::vector<TensorInfo> infos;
  std::map<std::string, LocatedTensor, std::less<>> entries;
  std::set<std::string, std::less<>> asked;

  void add_file(const std::string& name);
  void add_shards();
};

void Checkpoint::Impl::add_file(const std::string& name) {
  const fs::path path = folder / name;
  const auto file = std::make_shared<MappedFile>(path);
  for (StoredTensor& tensor :
       parse_safetensors_header(file->bytes(), file->bytes().size(), name, path.string())) {
    const std::string key = tensor.info.name;
    const auto [place, added] = entries.emplace(key, LocatedTensor{std::move(tensor), file});
    if (!added)
      fail(path.string() + ": tensor '" + key + "' is in '" + place->second.stored.info.file +
           "' too; a tensor must be stored once");
  }
}

void Checkpoint::Impl::add_shards() {
  const fs::path path = folder / kIndex;
  const auto index = read_index(path);
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : index)
    if (shards.insert(shard).second) add_file(shard);
  for (const auto& [tensor, shard] : index) {
    const auto found = entries.find(tensor);
    if (found == entries.end() || found->second.stored.info.file != shard)
      fail((folder / shard).string() + ": tensor '" + tensor + "' is missing; " + path.string() +
           " promises it there");
  }
}

Checkpoint::Checkpoint(const fs::path& folder) : impl_(std::make_unique<Impl>()) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    fail(folder.string() + ": not a readable folder; pass a Hugging Face checkpoint folder");
  impl_->folder = folder;
  impl_->config = read_json(folder / "config.json");
  if (!impl_->config.is_object())
    fail((folder / "config.json").string() + ": not a JSON object; fetch the file again");
  if (fs::exists(folder / kSingle, code))
    impl_->add_file(kSingle);
  else if (fs::exists(folder / kIndex, code))
    impl_->add_shards();
  else
    fail(folder.string() + ": neither " + kSingle + " nor " + kIndex +
         " is there; docspec reads safetensors only");
  for (const auto& [name, entry] : impl_->entries) impl_->infos.push_back(entry.stored.info);
}

Checkpoint::~Checkpoint() = default;
Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;
Checkpoint& Checkpoint::operator=(Checkpoint&&) noexcept = default;

const fs::path& Checkpoint::folder() const {
  return impl_->folder;
}
const json& Checkpoint::config() const {
  return impl_->config;
}

json Checkpoint::json(std::string_view file_name) const {
  const fs::path path = impl_->folder / file_name;
  std::error_code code;
  return fs::exists(path, code) ? read_json(path) : nlohmann::json();
}

const std::vector<TensorInfo>& Checkpoint::tensors() const {
  return impl_->infos;
}
bool Checkpoint::has(std::string_view name) const {
  return impl_->entries.contains(name);
}

at::Tensor Checkpoint::tensor(std::string_view name, const std::vector<int64_t>& shape) const {
  const auto found = impl_->entries.find(name);
  if (found == impl_->entries.end())
    fail(impl_->folder.string() + ": tensor '" + std::string(name) + "' is missing");
  impl_->asked.emplace(name);
  const auto& [stored, file] = found->second;
  const std::string where =
      (impl_->folder / stored.info.file).string() + ": tensor '" + stored.info.name + "'";
  if (!shape.empty() && shape != stored.info.shape)
    fail(where + ": has shape " + to_string(stored.info.shape) + ", config.json asks for " +
         to_string(shape));
  const auto type = scalar_type(stored.info.dtype);
  if (!type)
    fail(where + ": dtype " + stored.info.dtype +
         " is not supported; use a checkpoint in BF16, F16 or F32");
  if (stored.begin == stored.end) return at::empty(stored.info.shape, *type);
  // The map is read-only and never written through: tensors of a checkpoint are constants.
  char* data = const_cast<char*>(file->bytes().data()) + stored.begin;
  const auto view = [&](at::IntArrayRef sizes, at::ScalarType as) {
    return at::from_blob(
        data, sizes, [keep = file](void*) {}, at::TensorOptions(as));
  };
  // A header of odd length puts values at odd addresses: then, and only then, they are copied.
  if (reinterpret_cast<uintptr_t>(data) % dtype_bytes(stored.info.dtype) == 0)
    return view(stored.info.shape, *type);
  const auto bytes = int64_t(stored.end - stored.begin);
  at::Tensor copy = at::empty(stored.info.shape, *type);
  std::memcpy(copy.data_ptr(), data, size_t(bytes));
  return copy;
}

void Checkpoint::release(std::string_view name) const {
  const auto found = impl_->entries.find(name);
  if (found == impl_->entries.end()) return;
  const auto& [stored, file] = found->second;
  file->release(stored.begin, stored.end);
}

void Checkpoint::read_through() const {
  std::set<const MappedFile*> files;
  for (const auto& [name, entry] : impl_->entries)
    if (files.insert(entry.file.get()).second) entry.file->read_through();
}

std::vector<std::string> Checkpoint::unknown() const {
  std::vector<std::string> out;
  for (const auto& [name, entry] : impl_->entries)
    if (!impl_->asked.contains(name)) out.push_back(name);
  return out;
}

}  // namespace docspec
