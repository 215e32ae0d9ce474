// The server for agents, driven as a client drives it: a line of JSON for each message.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

using Json = nlohmann::json;

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

/// `docspec mcp`, and the pipes to it and from it.
class Client {
 public:
  Client() {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    char program[] = DOCSPEC_BINARY, command[] = "mcp";
    char* const argv[] = {program, command, nullptr};
    if (posix_spawn(&pid_, program, &actions, nullptr, argv, environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = fdopen(out[0], "r");
  }
  ~Client() {
    if (to_ >= 0) end();
    std::fclose(from_);
  }

  void say(const std::string& line) {
    const std::string text = line + "\n";
    ASSERT_EQ(write(to_, text.data(), text.size()), ssize_t(text.size()));
  }
  void ask(int id, const std::string& method, const Json& parameters) {
    say(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", parameters}}.dump());
  }
  /// The next message; null at the end.
  Json hear() {
    char* line = nullptr;
    size_t room = 0;
    const bool there = getline(&line, &room, from_) > 0;
    const Json out = there ? Json::parse(line) : Json();
    std::free(line);
    return out;
  }
  /// What a tool gives; messages of progress before it are counted.
  Json call(const std::string& tool, const Json& arguments) {
    ask(++id_, "tools/call",
        {{"name", tool}, {"arguments", arguments}, {"_meta", {{"progressToken", "p"}}}});
    for (;;) {
      const Json message = hear();
      if (message.is_null() || message.contains("id")) {
        EXPECT_EQ(message.value("id", -1), id_) << message;
        return message.value("result", Json());
      }
      EXPECT_EQ(message["method"], "notifications/progress");
      EXPECT_LE(message["params"]["progress"], message["params"]["total"]);
      ++progress_;
    }
  }
  /// Closes the server's input. Returns its exit code.
  int end() {
    close(std::exchange(to_, -1));
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int progress() const { return progress_; }

 private:
  pid_t pid_ = 0;
  int to_ = -1, id_ = 100, progress_ = 0;
  FILE* from_ = nullptr;
};

std::string text_of(const Json& result) {
  return result["content"][0]["text"];
}

TEST(Mcp, ADocumentIsConvertedAsOnTheCommandLine) {
  Client client;
  client.ask(1, "initialize",
             {{"protocolVersion", "2025-06-18"}, {"capabilities", Json::object()}});
  EXPECT_EQ(client.hear()["result"]["serverInfo"]["name"], "docspec");
  client.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  client.ask(2, "tools/list", Json::object());
  const Json list = client.hear();
  std::vector<std::string> names;
  for (const Json& tool : list["result"]["tools"]) names.push_back(tool["name"]);
  EXPECT_EQ(names,
            (std::vector<std::string>{"convert", "pages", "search_text", "tables", "page_image"}));

  const Json report = {{"path", kSamples + "report.pdf"}};
  EXPECT_EQ(text_of(client.call("convert", report)),
            docspec({kSamples + "report.pdf", "--model", "none"}).out);
  EXPECT_GT(client.progress(), 0);
  EXPECT_EQ(Json::parse(text_of(client.call("pages", report)))["of"], 3);
  const Json image = client.call("page_image", report)["content"][0];
  EXPECT_EQ(from_base64(image["data"].get<std::string>()).value_or("none").substr(1, 3), "PNG");
  EXPECT_EQ(client.end(), 0);
}

TEST(Mcp, WhatIsWrongIsSaidAndTheServerGoesOn) {
  const TempDir dir;
  write_file(dir / "broken.pdf", "%PDF-1.7\nno objects");
  Client client;
  client.say("{");
  EXPECT_EQ(client.hear()["error"]["code"], -32700);
  for (const char* request :
       {"[]", "7", R"({"id":1})", R"({"id":1,"method":"initialize","params":[]})",
        R"({"id":1,"method":"tools/call","params":{"name":8}})",
        R"({"id":1,"method":"tools/call","params":{"name":"pages","_meta":"p"}})"}) {
    client.say(request);
    EXPECT_EQ(client.hear()["error"]["code"], -32600) << request;
  }
  // A value so deep that walking it would exhaust the stack.
  client.say(R"({"method":"ping","id":)" + std::string(100'000, '[') + std::string(100'000, ']') +
             "}");
  EXPECT_EQ(client.hear()["error"]["code"], -32700);
  client.say(R"({"method":"notifications/cancelled","params":"all"})");  // never answered
  client.ask(2, "no/such", Json::object());
  EXPECT_EQ(client.hear()["error"]["code"], -32601);
  client.ask(3, "tools/call", {{"name", "shred"}});
  EXPECT_EQ(client.hear()["error"]["code"], -32602);

  for (const Json& arguments :
       {Json::object(), Json{{"path", dir / "broken.pdf"}}, Json{{"path", "/none.pdf"}},
        Json{{"path", kSamples + "letter.pdf"}, {"pages", "--version"}}}) {
    const Json result = client.call("convert", arguments);
    EXPECT_EQ(result["isError"], true) << arguments;
    EXPECT_NE(text_of(result), "") << arguments;
  }
  EXPECT_EQ(client.call("pages", {{"path", kSamples + "letter.pdf"}})["isError"], false);
}

TEST(Mcp, ACancelledCallHasNoAnswer) {
  Client client;
  client.ask(1, "tools/call",
             {{"name", "convert"}, {"arguments", {{"path", kSamples + "scan.pdf"}}}});
  client.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  client.ask(2, "ping", Json::object());
  EXPECT_EQ(client.hear()["id"], 2);
  EXPECT_EQ(client.end(), 0);
  EXPECT_TRUE(client.hear().is_null());
}

TEST(Mcp, SearchReadsCaseAndBlanksAsPeopleDo) {
  Client client;
  const auto found = [&](const std::string& query) {
    return Json::parse(
        text_of(client.call("search_text", {{"path", kSamples + "letter.pdf"}, {"query", query}})));
  };
  EXPECT_EQ(found("no such words").size(), 0u);
  EXPECT_GT(found("NAUTICAL\n miles").size(), 0u);
}

}  // namespace
}  // namespace docspec::test
