#include "core/worker/draft_service.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <new>
#include <tuple>

#include "core/base/wire.h"
#include "core/worker/channel.h"
#include "core/worker/drafted_page_wire.h"

namespace docspec {
namespace {

/// Private memory that this process has now, as RLIMIT_DATA counts it.
int64_t private_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0;
  for (int field = 0; field < 6; ++field) statm >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

void limit_memory(int64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  const auto wanted = rlim_t(bytes);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

void count_use(Answer& answer) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + time.tv_usec / 1e6; };
  answer.peak_kb = usage.ru_maxrss;
  answer.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Whether an error of libtorch or oneDNN is their std::bad_alloc.
bool lacked_memory(std::string_view message) {
  return message.find("can't allocate memory") != message.npos ||
         message.find("could not create a primitive") != message.npos;
}

/// The requests of one worker.
class Server {
 public:
  Server(int socket, const MakeDraftService& make_service, int64_t memory_bytes)
      : socket_(socket),
        make_service_(make_service),
        base_(private_bytes()),
        memory_(memory_bytes) {}

  /// Where that fails, each request is answered by the error.
  void lock_in(const Sandbox& sandbox) {
    try {
      enter_sandbox(sandbox);
    } catch (const Error& e) {
      refused_.emplace(e);
    }
  }

  Answer answer(std::string_view message) {
    Answer out;
    try {
      if (refused_) throw *refused_;
      out.body = body(message);
      out.ok = true;
    } catch (const Error& e) {
      out.code = e.code();
      out.body = e.what();
    } catch (const std::bad_alloc&) {
      out.out_of_memory = true;
    } catch (const std::exception& e) {
      out.out_of_memory = lacked_memory(e.what());
      out.body = std::string("internal error: ") + e.what() + "; please report it with the input";
    }
    count_use(out);
    return out;
  }

 private:
  std::string body(std::string_view message) {
    if (message.empty()) Unpacker::refuse();
    Unpacker unpacker(message.substr(1));
    if (Request(message[0]) == Request::open) return open(unpacker);
    if (Request(message[0]) == Request::open_shared) return open_shared(unpacker);
    if (Request(message[0]) == Request::outline) return pack(service().outline());
    int page = 0;
    unpacker(page);
    if (Request(message[0]) == Request::draft) return pack(service().draft(page));
    return pack(service().text_layer(page));
  }

  std::string open(Unpacker& unpacker) {
    std::string name, bytes, password;
    limit_memory(base_ + memory_ + 2 * int64_t(unpacker.left()));  // the message and its copy
    unpacker(name, bytes, password);
    return open(std::move(name), std::move(bytes), password);
  }

  std::string open_shared(Unpacker& unpacker) {
    char sign = 0;
    FileDescriptor file;
    if (!receive_with_descriptor(socket_, &sign, sizeof sign, file)) Unpacker::refuse();
    std::string name, password;
    unpacker(name, password);
    SharedBytes bytes = SharedBytes::received(std::move(file));
    limit_memory(base_ + memory_ + 2 * int64_t(bytes.size()));  // a reader may copy it
    return open(std::move(name), std::move(bytes), password);
  }

  std::string open(std::string name, SharedBytes bytes, const std::string& password) {
    auto input = std::make_shared<InputBytes>(InputBytes{std::move(name), std::move(bytes)});
    return pack(service().open(std::move(input), password));
  }

  DraftService& service() {
    if (!service_) service_ = make_service_();
    return *service_;
  }

  const int socket_;
  const MakeDraftService& make_service_;
  const int64_t base_, memory_;
  std::unique_ptr<DraftService> service_;
  std::optional<Error> refused_;
};

}  // namespace

std::string pack_head(const Answer& answer) {
  auto [ok, memory, code, peak, cpu] =
      std::tuple(answer.ok, answer.out_of_memory, answer.code, answer.peak_kb, answer.cpu_seconds);
  Packer packer;
  packer(ok, memory, code, peak, cpu);
  return packer.take();
}

std::optional<Answer> unpack_head(std::string_view bytes) {
  Answer out;
  if (bytes.size() != pack_head(out).size()) return std::nullopt;
  Unpacker unpacker(bytes);
  unpacker(out.ok, out.out_of_memory, out.code, out.peak_kb, out.cpu_seconds);
  return out;
}

// Found by its argument's namespace, so not in an unnamed one.
template <typename Archive>
static void fields(Archive& archive, OutlineEntry& value) {
  auto& [depth, title] = value;
  archive(depth, title);
}

std::string pack(const DocumentFacts& facts) {
  DocumentFacts copy = facts;
  auto& [pages] = copy;
  Packer packer;
  packer(pages);
  return packer.take();
}

std::string pack(const std::vector<OutlineEntry>& outline) {
  Packer packer;
  packer(const_cast<std::vector<OutlineEntry>&>(outline));  // a Packer only reads
  return packer.take();
}

DocumentFacts unpack_facts(std::string_view bytes) {
  DocumentFacts facts;
  auto& [pages] = facts;
  Unpacker unpacker(bytes);
  unpacker(pages);
  return facts;
}

std::vector<OutlineEntry> unpack_outline(std::string_view bytes) {
  std::vector<OutlineEntry> outline;
  Unpacker unpacker(bytes);
  unpacker(outline);
  return outline;
}

std::string open_request(const InputBytes& input, const std::string& password) {
  Packer packer;
  std::string name = input.name, key = password;
  if (input.bytes.descriptor() >= 0) {
    packer(name, key);
    return char(Request::open_shared) + packer.take();
  }
  std::string bytes(input.bytes.view());
  packer(name, bytes, key);
  return char(Request::open) + packer.take();
}

std::string page_request(Request what, int page) {
  Packer packer;
  packer(page);
  return char(what) + packer.take();
}

void serve_drafts(int socket, const MakeDraftService& make_service, int64_t memory_bytes,
                  const Sandbox& sandbox) {
  if (FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("500", score);  // where the whole machine runs out, the worker is the one to go
    std::fclose(score);
  }
  Server server(socket, make_service, memory_bytes);
  server.lock_in(sandbox);
  Deadline endless;
  for (std::string message; receive_message(socket, message, endless) == IoStatus::done;) {
    const Answer answer = server.answer(message);
    if (send_message(socket, pack_head(answer), endless) != IoStatus::done ||
        send_message(socket, answer.body, endless) != IoStatus::done)
      return;
  }
}

}  // namespace docspec
