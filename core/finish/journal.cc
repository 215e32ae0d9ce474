#include "core/finish/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/document/page_wire.h"
#include "core/markup/registry.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "docspec-journal/3";

[[noreturn]] void refuse(const fs::path& file, int error) {
  throw Error(ExitCode::output_file, file.string() + ": the journal cannot be written: " +
                                         std::strerror(error) + "; name another place with -o");
}

bool is_in_place(const fs::path& file, int fd) {
  struct stat opened {
  }, there{};
  return fstat(fd, &opened) == 0 && stat(file.c_str(), &there) == 0 &&
         opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

bool is_regular(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/// The file, open and locked; -1 where another process has it.
FileDescriptor open_locked(const fs::path& file) {
  while (true) {
    std::error_code error;
    fs::create_directory(file.parent_path(), error);
    if (error) refuse(file, error.value());
    // Neither may be a link: a journal is emptied when its run begins.
    const FileDescriptor folder(
        ::open(file.parent_path().c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.get() < 0 && errno == ENOENT) continue;
    if (folder.get() < 0) refuse(file, errno);
    FileDescriptor fd(::openat(folder.get(), file.filename().c_str(),
                               O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
                               0666));
    if (fd.get() < 0) {
      if (errno == ENOENT) continue;  // the folder was removed by the one who left it empty
      refuse(file, errno);
    }
    if (!is_regular(fd.get())) refuse(file, EINVAL);
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return FileDescriptor();
      if (errno != EINTR) return fd;  // a file system without locks: alone, one hopes
      continue;
    }
    if (is_in_place(file, fd.get())) return fd;  // else its owner has removed it since
  }
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Of a line without its "sum": what a bad disk or an editor has changed is no page.
std::string checksum(const Json& line) {
  return sha256_hex(dump(line)).substr(0, 16);
}

std::string digest(const fs::path& file) {
  try {
    return sha256_hex_of_file(file);
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

fs::path Journal::file_of(const fs::path& output) {
  constexpr size_t kLongest = 255, kKept = 180;  // NAME_MAX of every file system in use
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  std::string name =
      (format_of(output).empty() ? output.filename() : output.stem()).string() + ".json";
  if (name.size() > kLongest)
    name = name.substr(0, kKept) + "-" + sha256_hex(name).substr(0, 16) + ".json";
  return folder / ".docspec" / name;
}

std::optional<Journal> Journal::open(const fs::path& output, const JournalKey& key,
                                     Earlier earlier) {
  fs::path file = file_of(output);
  FileDescriptor fd = open_locked(file);
  if (fd.get() < 0) return std::nullopt;
  Journal journal(std::move(file), std::move(fd), key);
  if (earlier != Earlier::drop) journal.read(earlier);
  return journal;
}

Journal::Journal(fs::path file, FileDescriptor fd, JournalKey key)
    : file_(std::move(file)), fd_(std::move(fd)), key_(std::move(key)) {}

Journal::~Journal() {
  struct stat status {};
  if (fd_.get() < 0 || fstat(fd_.get(), &status) != 0 || status.st_size > 0) return;
  unlink(file_.c_str());
  rmdir(file_.parent_path().c_str());  // fails while it holds other journals
}

/// Reads one line after the head; a torn or damaged line is ignored.
void Journal::take(const std::string& line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("sum")) return;
  const Json sum = json.at("sum");
  json.erase("sum");
  if (sum != Json(checksum(json))) return;
  try {
    if (json.contains("data")) {
      const auto bytes = from_base64(json.at("data").get<std::string>());
      Page page = unpack_page(bytes ? *bytes : "");
      pages_.insert_or_assign(page.page, std::move(page));
      written_.clear();  // what was written before lacks it
    } else {
      written_ = json.at("rendering");
      outputs_ = json.at("outputs").get<std::map<std::string, std::string>>();
    }
  } catch (const std::exception&) {
  }
}

void Journal::read(Earlier earlier) {
  std::ifstream in(file_, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const Json head = Json::parse(line, nullptr, false);
  const Json expected = {
      {"schema", kSchema}, {"input", key_.input_sha256}, {"reading", key_.reading}};
  begun_ = head == expected;
  if (!begun_) return;
  while (std::getline(in, line)) {
    torn_ = in.eof();  // no end of line: the run was killed while it wrote
    take(line);
  }
  if (earlier != Earlier::retry_failed) return;
  const auto failed = [](const auto& entry) { return entry.second.status != PageStatus::ok; };
  if (std::erase_if(pages_, failed) > 0) written_.clear();  // the written outputs lack them
}

bool Journal::complete(const std::vector<fs::path>& outputs) const {
  if (written_ != key_.rendering) return false;
  for (const fs::path& output : outputs) {
    const auto it = outputs_.find(output.filename().string());
    if (it == outputs_.end() || it->second != digest(output)) return false;
  }
  return true;
}

void Journal::append(Json line) {
  line["sum"] = checksum(line);
  std::string text = dump(line) + "\n";
  if (!begun_) {
    if (ftruncate(fd_.get(), 0) != 0) refuse(file_, errno);
    text = dump({{"schema", kSchema}, {"input", key_.input_sha256}, {"reading", key_.reading}}) +
           "\n" + text;
    begun_ = true;
  } else if (std::exchange(torn_, false)) {
    text = "\n" + text;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = write(fd_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(file_, errno);
    rest.remove_prefix(size_t(written));
  }
}

void Journal::add(const Page& page) {
  Json line = {{"page", page.page}, {"status", name(page.status)}};
  if (page.failure) line["message"] = page.failure->message;
  line["data"] = to_base64(pack(page));
  append(std::move(line));
}

void Journal::discard() {
  if (!begun_) return;  // nothing was added: what another run left stays
  if (ftruncate(fd_.get(), 0) != 0) refuse(file_, errno);
}

void Journal::finish(const std::vector<fs::path>& outputs) {
  // Other formats that were written of the same pages count on.
  if (std::exchange(written_, key_.rendering) != key_.rendering) outputs_.clear();
  for (const fs::path& output : outputs) outputs_[output.filename().string()] = digest(output);
  append({{"rendering", written_}, {"outputs", outputs_}});
}

}  // namespace docspec
