#include "cli/mcp/server.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/mcp/converter_process.h"
#include "cli/mcp/tools.h"
#include "core/base/json_file.h"
#include "core/base/output_file.h"

namespace docspec {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kVersions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr int kInvalid = -32600, kNoMethod = -32601, kInvalidParameters = -32602, kNoJson = -32700;

class McpServer {
 public:
  ~McpServer() {
    for (auto& [id, call] : calls_) call->converter.cancel();
    for (auto& [id, call] : calls_) call->thread.join();
  }

  void take(const std::string& line) {
    Json message;
    try {
      message = parse_json(line, "the message");
    } catch (const Error& e) {
      return send_error(nullptr, kNoJson, e.what());
    }
    try {
      answer(message);
    } catch (const Json::exception& e) {  // a value of another type than the protocol's
      if (message.contains("id")) send_error(message["id"], kInvalid, e.what());
    }
  }

 private:
  struct Call {
    ConverterProcess converter;
    std::thread thread;
    bool cancelled = false, ended = false;  // by calls_mutex_
  };

  void answer(const Json& message) {
    if (!message.is_object() || !message.contains("method")) {
      if (message.is_object() && message.contains("id") &&
          (message.contains("result") || message.contains("error")))
        return;  // an answer; the server asks nothing
      return send_error(nullptr, kInvalid, "is no request");
    }
    const std::string method = message["method"].is_string() ? message["method"] : "";
    const Json parameters = message.value("params", Json::object());
    if (!message.contains("id")) {
      if (method == "notifications/cancelled") cancel(parameters.value("requestId", Json()));
      return;
    }
    const Json& id = message["id"];
    if (method == "initialize")
      send_result(id, initialized(parameters));
    else if (method == "ping")
      send_result(id, Json::object());
    else if (method == "tools/list")
      send_result(id, tool_list());
    else if (method == "tools/call")
      call(id, parameters);
    else
      send_error(id, kNoMethod, "no method " + method);
  }

  static Json initialized(const Json& parameters) {
    const std::string asked = parameters.value("protocolVersion", "");
    const bool known =
        std::find(std::begin(kVersions), std::end(kVersions), asked) != std::end(kVersions);
    return {{"protocolVersion", known ? asked : std::string(kVersions[0])},
            {"capabilities", {{"tools", Json::object()}}},
            {"serverInfo", {{"name", "docspec"}, {"version", DOCSPEC_VERSION}}},
            {"instructions",
             "Reads PDFs and page images on this machine. A page that is not ok says why."}};
  }

  static Json tool_list() {
    Json tools = Json::array();
    for (const McpTool& tool : mcp_tools())
      tools.push_back({{"name", tool.name},
                       {"description", tool.description},
                       {"inputSchema", Json::parse(tool.schema)}});
    return {{"tools", tools}};
  }

  void call(const Json& id, const Json& parameters) {
    const std::string name = parameters.value("name", "");
    const auto tools = mcp_tools();
    const auto tool = std::find_if(tools.begin(), tools.end(),
                                   [&](const McpTool& other) { return other.name == name; });
    if (tool == tools.end()) return send_error(id, kInvalidParameters, "no tool " + name);
    const Json arguments = parameters.value("arguments", Json::object());
    const Json token = parameters.value("_meta", Json::object()).value("progressToken", Json());
    const std::lock_guard lock(calls_mutex_);
    forget_ended();
    if (calls_.contains(id.dump())) return send_error(id, kInvalid, "the id is in use");
    auto call = std::make_unique<Call>();
    call->thread = std::thread([this, id, tool = &*tool, arguments, token, &call = *call] {
      run(id, *tool, arguments, token, call);
    });
    calls_[id.dump()] = std::move(call);
  }

  void run(const Json& id, const McpTool& tool, const Json& arguments, const Json& token,
           Call& call) {
    Json result;
    try {
      const Json content = tool.call(arguments, call.converter, [&](int done, int all) {
        if (!token.is_null()) send_progress(token, done, all);
      });
      result = {{"content", content}, {"isError", false}};
    } catch (const std::exception& e) {
      result = {{"content", {{{"type", "text"}, {"text", e.what()}}}}, {"isError", true}};
    }
    const std::lock_guard lock(calls_mutex_);
    call.ended = true;
    if (!call.cancelled) send_result(id, result);
  }

  void cancel(const Json& id) {
    const std::lock_guard lock(calls_mutex_);
    const auto call = calls_.find(id.dump());
    if (call == calls_.end() || call->second->ended) return;
    call->second->cancelled = true;
    call->second->converter.cancel();
  }

  void forget_ended() {
    std::erase_if(calls_, [](auto& call) {
      if (call.second->ended) call.second->thread.join();
      return call.second->ended;
    });
  }

  void send_progress(const Json& token, int done, int all) {
    send({{"jsonrpc", "2.0"},
          {"method", "notifications/progress"},
          {"params", {{"progressToken", token}, {"progress", done}, {"total", all}}}});
  }
  void send_result(const Json& id, const Json& result) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
  }
  void send_error(const Json& id, int code, const std::string& message) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
  }
  void send(const Json& message) {
    const std::lock_guard lock(output_mutex_);
    try {
      OutputFile("-").commit(message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    } catch (const Error&) {  // the client is gone; its end of the input is, too
    }
  }

  std::mutex output_mutex_, calls_mutex_;
  std::map<std::string, std::unique_ptr<Call>> calls_;  // by their id
};

}  // namespace

ExitCode serve_mcp() {
  McpServer server;
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty()) server.take(line);
  return ExitCode::ok;
}

}  // namespace docspec
