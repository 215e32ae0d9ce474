#include "cli/assemble.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>

#include "cli/calibration.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/flags/draft_choice.h"
#include "cli/flags/share.h"
#include "cli/page_files.h"
#include "cli/report/live_line.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/spec.h"
#include "core/input/page_ranges.h"
#include "core/model/family_file.h"
#include "core/worker/channel.h"
#include "drafts/ocr/auto_ocr.h"
#include "drafts/page_service.h"
#include "drafts/registry.h"
#include "drafts/replay/replay_formats.h"

namespace docspec {
namespace {

/// One read; 0 bytes are the end.
size_t read_some(int fd, char* to, size_t size, const std::string& name) {
  while (true) {
    const ssize_t count = read(fd, to, size);
    if (count >= 0) return size_t(count);
    if (interrupted) throw Error(ExitCode::interrupted, name + ": interrupted");
    if (errno != EINTR)
      throw Error(ExitCode::input_file,
                  name + ": cannot be read: " + std::strerror(errno) + "; check where it is");
  }
}

// Poppler counts a document's bytes in an int.
constexpr int64_t kMostBytes = INT_MAX;

[[noreturn]] void refuse_size(const std::string& name) {
  throw Error(ExitCode::input_file,
              name + ": larger than 2 GB; split it, e.g. with qpdf --split-pages");
}

/// A pipe, or a file without a size. What begins like no document is not read to its end.
std::string read_stream(int fd, const std::string& name) {
  constexpr size_t kChunk = size_t{1} << 20;
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kChunk);
    const size_t count = read_some(fd, bytes.data() + size, kChunk, name);
    size += count;
    if (int64_t(size) > kMostBytes) refuse_size(name);
    if (count > 0 && (size < kChunk || begins_document(bytes))) continue;
    bytes.resize(size);
    return bytes;
  }
}

SharedBytes shared(const std::string& bytes) {
  return SharedBytes::shared(bytes.size(), [&](char* to) {
    std::memcpy(to, bytes.data(), bytes.size());
    return bytes.size();
  });
}

/// The pipe that a shell makes of <(COMMAND) has a writer, unlike one that lies in a folder.
bool is_shell_pipe(const std::string& input) {
  return input.starts_with("/dev/fd/") || input.starts_with("/proc/self/fd/") ||
         input == "/dev/stdin";
}

/// An input, open; nothing is waited for.
FileDescriptor open_input(const std::string& input, struct stat& status) {
  FileDescriptor file(open(input.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    throw Error(ExitCode::input_file,
                input + ": " + std::strerror(errno) + "; check the name and its permissions");
  if (S_ISDIR(status.st_mode))
    throw Error(ExitCode::input_file, input + ": is a folder; several inputs need -o FOLDER");
  if (S_ISREG(status.st_mode)) return file;
  if (!is_shell_pipe(input))
    throw Error(ExitCode::input_file,
                input + ": is a pipe or device; give it as standard input: docspec - < FILE");
  fcntl(file.get(), F_SETFL, 0);  // a writer may take its time
  return file;
}

/// What opens a net in a folder; nothing where it is not installed.
template <typename Net>
std::function<std::unique_ptr<Net>()> opener(
    const std::filesystem::path& folder,
    std::unique_ptr<Net> (Engine::*open)(const std::filesystem::path&) const) {
  if (folder.empty()) return {};
  return [folder, open]() -> std::unique_ptr<Net> {
    return engine_fault() ? nullptr : (engine().*open)(folder);
  };
}

bool same_state(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

SharedBytes read_bytes(const std::string& input) {
  if (input == "-") return shared(read_stream(STDIN_FILENO, "standard input"));
  struct stat before {};
  const FileDescriptor file = open_input(input, before);
  if (before.st_size == 0) return shared(read_stream(file.get(), input));
  if (before.st_size > kMostBytes) refuse_size(input);
  const auto size = size_t(before.st_size);
  SharedBytes bytes = SharedBytes::shared(size, [&](char* to) {
    size_t at = 0;
    while (at < size) {
      const size_t count = read_some(file.get(), to + at, size - at, input);
      if (count == 0) break;
      at += count;
    }
    return at;
  });
  struct stat after = before;
  fstat(file.get(), &after);
  if (bytes.size() < size || !same_state(before, after))
    throw Error(ExitCode::input_file, input + ": changed while it was read; convert it again");
  return bytes;
}

/// The dots per inch of a run without --dpi: its model's, else 200.
double usual_dpi(const Options& options) {
  const auto share = share_folder();
  if (!wants_model(options) || !share) return 200;
  return dpi_of_model(model_folder(options.model), *share / "families").value_or(200);
}

}  // namespace

int drafting_threads(const Options& options) {
  if (options.jobs > 0) return options.jobs;
  const int others = wants_model(options) ? 1 : 0;  // the thread that reads does little without one
  return std::max(1, int(std::thread::hardware_concurrency()) - others);
}

InputFile read_input(const std::string& input) {
  auto bytes = std::make_shared<InputBytes>();
  bytes->name = input;
  bytes->bytes = read_bytes(input);
  std::string sha256 = sha256_hex(bytes->bytes.view());
  return {std::move(bytes), std::move(sha256)};
}

void Assembly::choose_sources() {
  const DraftChoice choice = parse_draft(options_.draft);
  if ((choice.plain || !choice.steps.empty()) && !wants_model(options_))
    throw Error(ExitCode::usage, "--draft " + options_.draft +
                                     (choice.plain ? " leaves nothing without a model"
                                                   : " drafts tokens for a model") +
                                     "; name one with --model");
  for (const Spec& spec : choice.pages) {
    sources_.push_back(spec.name);
    if (spec.name == "replay") {
      const std::string& file = spec.text("FILE");
      if (std::error_code error; std::filesystem::is_directory(file, error))
        replay_folder_ = file;
      else
        replay_ = std::make_shared<DraftsFile>(read_replay_file(file));
    }
  }
  // Where no page is drafted for the model, it is all the same: regions, the size of letters and
  // the witness.
  if (sources_.empty()) sources_ = automatic_names(drafter_registry());
}

PageDraftOptions Assembly::draft_options() const {
  PageDraftOptions draft;
  draft.dpi = options_.dpi ? *options_.dpi : usual_dpi(options_);
  draft.own_pixels = wants_model(options_) && !options_.dpi;  // the model's own resize is the only
  draft.max_pixels = options_.max_pixels;
  draft.sources = sources_;
  draft.want_image = wants_model(options_) || wants_pictures(options_);
  if (options_.layout_folder.empty()) {
    if (options_.layout != "auto") draft.detector = options_.layout;
  } else {
    draft.detector = "regions";
  }
  draft.config.picture_net = opener(picodet_folder(), &Engine::page_net);
  draft.config.table_net = opener(slanet_folder(), &Engine::table_net);
  if (options_.layout == "pictures") {
    engine();  // else a page with drawings alone would miss it
    if (!draft.config.picture_net)
      throw Error(ExitCode::dependency,
                  "--layout pictures: PicoDet is not installed; run packaging/deps --ocr, or take "
                  "--layout lines");
  }
  draft.config.region_net = [folder = options_.layout_folder] { return engine().page_net(folder); };
  draft.config.layout_net = [] {
    return engine().line_net(share_folder().value_or("") / "models" / "layout");
  };
  draft.config.ppocr = opener(ppocr_folder(), &Engine::ppocr);
  draft.config.formulas = opener(builtin_model_folder(), &Engine::formula_reader);
  draft.config.lang = options_.lang;
  draft.config.replay = replay_;
  return draft;
}

Sandbox Assembly::sandbox() const {
  const std::string& asked = options_.sandbox;
  Sandbox sandbox;
  sandbox.mode = asked == "off"       ? SandboxMode::off
                 : asked == "require" ? SandboxMode::require
                                      : SandboxMode::on;
  if (const SandboxState state = sandbox_state();
      sandbox.mode == SandboxMode::require && !state.complete())
    throw Error(ExitCode::dependency, "--sandbox require: " + state.text());
  if (const auto share = share_folder()) {
    sandbox.readable.push_back(*share / "models" / "layout");
    sandbox.readable.push_back(*share / "families");
  }
  sandbox.readable.push_back(builtin_model_folder());
  sandbox.readable.push_back(ppocr_folder());
  sandbox.readable.push_back(picodet_folder());
  sandbox.readable.push_back(slanet_folder());
  sandbox.readable.push_back(options_.layout_folder);
  sandbox.readable.push_back(replay_folder_);
  for (const std::filesystem::path& folder : engine_folders()) sandbox.readable.push_back(folder);
  return sandbox;
}

Assembly::Assembly(const Options& options) : options_(options) {
  choose_sources();
  WorkerLimits limits;
  limits.page_seconds = options.page_timeout.value_or(limits.page_seconds);
  // A raster is held a few times over while it is read.
  limits.memory_bytes += std::max<int64_t>(0, options.max_pixels - 50'000'000) * 12;
  limits.interrupted = &interrupted;
  limits.sandbox = sandbox();
  workers_ =
      std::make_unique<WorkerPool>(limits, make_page_service(draft_options(), replay_folder_));
  if (!wants_model(options)) draft_reader_ = make_draft_reader();
}

ModelRun* Assembly::model() {
  if (!model_ && wants_model(options_)) {
    model_failed_ = true;
    model_ = engine().model_run(
        {options_, proposer_specs(options_), parse_draft(options_.draft).page_text(),
         load_calibration(options_.model),
         make_auto_ocr(options_.lang, opener(ppocr_folder(), &Engine::ppocr)), interrupted, tell});
    model_failed_ = false;
  }
  return model_.get();
}

OpenInput Assembly::open(const InputFile& file, const std::string& pages) const {
  OpenInput open;
  open.file = file;
  DraftWorker worker(*workers_, file.bytes, options_.password);
  open.page_count = worker.facts().pages;
  open.outline = worker.outline();
  const std::string& chosen = pages.empty() ? options_.pages : pages;
  const PageRanges ranges = chosen.empty() ? PageRanges() : PageRanges(chosen);
  open.pages = ranges.pages(open.page_count);
  open.cut = ranges.beyond(open.page_count);
  if (open.pages.empty())
    throw Error(ExitCode::usage, file.bytes->name + ": --pages " + chosen + " leaves nothing of " +
                                     std::to_string(open.page_count) + " pages");
  return open;
}

Assembly::~Assembly() = default;

void Assembly::draft_ahead(const OpenInput& input, int page) const {
  DraftWorker(*workers_, input.file.bytes, options_.password).draft_ahead(page);
}

DocumentConversion Assembly::conversion_of(const OpenInput& input) {
  DocumentConversion conversion;
  conversion.input = input.file.bytes;
  conversion.sha256 = input.file.sha256;
  conversion.page_count = input.page_count;
  conversion.pages = input.pages;
  conversion.pages_per_prompt = size_t(options_.pages_per_prompt);
  conversion.workers = drafting_threads(options_);
  conversion.interrupted = &interrupted;
  conversion.reader = model() ? &model_->reader() : draft_reader_.get();
  if (model_) {
    conversion.model = model_->info();
    conversion.threads = &model_->threads();
    if (options_.jobs == 0) conversion.workers = conversion.threads->drafting_threads();
  }
  conversion.make_drafter = [this, bytes = input.file.bytes] {
    auto worker = std::make_shared<DraftWorker>(*workers_, bytes, options_.password);
    return [worker](int page) { return worker->draft(page); };
  };
  return conversion;
}

}  // namespace docspec
