#include "core/base/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/suggestion.h"

namespace docspec {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(at, from), text.size());
    out.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

[[noreturn]] void fail(std::string_view axis, const std::string& what) {
  throw Error(ExitCode::usage, fmt::format("{}: {}", axis, what));
}

/// The settings of a form: key and default; the positional key, if any, by itself.
struct Keys {
  std::string_view positional;
  std::vector<std::pair<std::string_view, std::string_view>> named;

  explicit Keys(std::string_view settings) {
    if (settings.empty()) return;
    for (const auto piece : split(settings, ',')) {
      const size_t equals = piece.find('=');
      if (equals == piece.npos) {
        positional = piece;
      } else {
        named.push_back({piece.substr(0, equals), piece.substr(equals + 1)});
      }
    }
  }
  bool has(std::string_view key) const {
    return std::any_of(named.begin(), named.end(), [&](auto& pair) { return pair.first == key; });
  }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    for (const auto& [key, value] : named) out.push_back(key);
    return out;
  }
  std::string list() const {
    std::string out = std::string(positional);
    for (const auto& [key, value] : named) out += (out.empty() ? "" : ", ") + std::string(key);
    return out.empty() ? "it takes none" : "known: " + out;
  }
};

template <typename Number>
Number read(const Spec& spec, std::string_view key, Number low, Number high) {
  const std::string& value = spec.text(key);
  Number number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !(number >= low) ||
      !(number <= high))
    fail(spec.axis, fmt::format("{}: {}={}: must be a number from {} to {}", spec.name, key, value,
                                low, high));
  return number;
}

}  // namespace

const std::string& Spec::text(std::string_view key) const {
  static const std::string kNone;
  const auto it = settings.find(key);
  return it == settings.end() ? kNone : it->second;
}

double Spec::number(std::string_view key, double low, double high) const {
  return read<double>(*this, key, low, high);
}

int64_t Spec::integer(std::string_view key, int64_t low, int64_t high) const {
  return read<int64_t>(*this, key, low, high);
}

bool Spec::either(std::string_view key, std::string_view yes, std::string_view no) const {
  const std::string& value = text(key);
  if (value != yes && value != no)
    throw Error(ExitCode::usage,
                fmt::format("{}: {}={}: must be {} or {}", axis, key, value, yes, no));
  return value == yes;
}

Spec parse_spec(std::string_view axis, std::string_view text, std::span<const SpecForm> known) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto form =
      std::find_if(known.begin(), known.end(), [&](const SpecForm& f) { return f.name == name; });
  if (form == known.end()) {
    std::string list;
    std::vector<std::string_view> names;
    for (const auto& f : known) {
      list += (list.empty() ? "" : ", ") + std::string(f.name);
      names.push_back(f.name);
    }
    fail(axis, fmt::format("no '{}'{}; known: {}", name, did_you_mean(name, names), list));
  }
  const Keys keys(form->settings);
  Spec spec{std::string(axis), std::string(name), {}};
  for (const auto& [key, value] : keys.named) spec.settings.emplace(key, value);
  if (colon != text.npos) {
    bool first = true;
    for (const auto piece : split(text.substr(colon + 1), ',')) {
      const size_t equals = piece.find('=');
      const std::string_view key = piece.substr(0, equals);
      // A file name may hold '=': what is no key is the positional value.
      if (first && !keys.positional.empty() && (equals == piece.npos || !keys.has(key))) {
        spec.settings.insert_or_assign(std::string(keys.positional), std::string(piece));
      } else if (equals == piece.npos || !keys.has(key)) {
        fail(axis, fmt::format("{}: no setting '{}'{}; {}", name, key,
                               did_you_mean(key, keys.names()), keys.list()));
      } else {
        spec.settings.insert_or_assign(std::string(key), std::string(piece.substr(equals + 1)));
      }
      first = false;
    }
  }
  if (!keys.positional.empty() && spec.text(keys.positional).empty())
    fail(axis, fmt::format("{0} needs {1}: {0}:{1}", name, keys.positional));
  return spec;
}

std::vector<Spec> parse_spec_list(std::string_view axis, std::string_view text,
                                  std::span<const SpecForm> known) {
  std::vector<std::string> items;
  for (const auto piece : split(text, ',')) {
    const bool setting = piece.find('=') < piece.find(':') && !items.empty() &&
                         items.back().find(':') != std::string::npos;
    if (setting) {
      items.back() += ',' + std::string(piece);
    } else {
      items.emplace_back(piece);
    }
  }
  std::vector<Spec> specs;
  for (const auto& item : items) {
    Spec spec = parse_spec(axis, item, known);
    for (const auto& other : specs)
      if (other.name == spec.name && other.settings == spec.settings)
        fail(axis, fmt::format("'{}' given twice", item));
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace docspec
