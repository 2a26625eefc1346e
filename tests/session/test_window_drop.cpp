// Files dropped on the real window by another program: the XDND protocol, as file managers speak it.
#if TWIDDLE_HAVE_WINDOW && TWIDDLE_HAVE_X11

#include "window/window_session.h"

#include <initializer_list>
#include <vector>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

using namespace window_session;

namespace {

// A file manager without a window: it offers files to another window and drops them there. See freedesktop.org's XDND, version 5.
class FileManager {
 public:
  explicit FileManager(const std::string& display) : display_(XOpenDisplay(display.c_str())) {
    REQUIRE(display_);
    own_ = XCreateSimpleWindow(display_, root(), 0, 0, 10, 10, 0, 0, 0);
  }
  ~FileManager() { XCloseDisplay(display_); }
  FileManager(const FileManager&) = delete;
  FileManager& operator=(const FileManager&) = delete;

  /// Whether the window that takes drops took these.
  bool drops(const std::vector<std::filesystem::path>& files) {
    list_.clear();
    for (const std::filesystem::path& file : files) list_ += "file://" + file.string() + "\r\n";
    const Window target = taker(root());
    if (target == None) return false;
    XSetSelectionOwner(display_, atom("XdndSelection"), own_, CurrentTime);
    constexpr long version = 5;
    send(target, "XdndEnter", {version << 24, static_cast<long>(atom("text/uri-list"))});
    send(target, "XdndPosition", {0, 400L << 16 | 300L, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
    const std::optional<long> status = answer("XdndStatus");
    if (!status || (*status & 1) == 0) return false;
    send(target, "XdndDrop", {0, CurrentTime});
    return answer("XdndFinished").has_value();
  }

 private:
  ::Display* display_;
  Window own_ = None;
  std::string list_;

  Window root() const { return XDefaultRootWindow(display_); }
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  /// The window below this one that says it takes drops.
  Window taker(Window above) const {
    Atom type = None;
    int format = 0;
    unsigned long count = 0, more = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(display_, above, atom("XdndAware"), 0, 1, False, XA_ATOM, &type, &format, &count, &more, &data);
    if (data) XFree(data);
    if (count > 0) return above;
    Window found = None, ignored_root = None, parent = None, *children = nullptr;
    unsigned number = 0;
    if (XQueryTree(display_, above, &ignored_root, &parent, &children, &number) == 0) return None;
    for (unsigned i = 0; i < number && found == None; ++i) found = taker(children[i]);
    if (children) XFree(children);
    return found;
  }

  void send(Window target, const char* what, std::initializer_list<long> words) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(what);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(own_);
    int at = 1;
    for (const long word : words) event.xclient.data.l[at++] = word;
    XSendEvent(display_, target, False, NoEventMask, &event);
    XFlush(display_);
  }

  /// The flags of the answer that is waited for; the files are handed over when they are asked for meanwhile.
  std::optional<long> answer(const char* wanted) {
    for (int tries = 0; tries < 1000; ++tries) {
      while (XPending(display_) > 0) {
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) hand_over(event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == atom(wanted)) return event.xclient.data.l[1];
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::nullopt;
  }

  void hand_over(const XSelectionRequestEvent& asked) {
    XChangeProperty(display_, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list_.data()), static_cast<int>(list_.size()));
    XEvent event{};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = asked.requestor;
    event.xselection.selection = asked.selection;
    event.xselection.target = asked.target;
    event.xselection.property = asked.property;
    event.xselection.time = asked.time;
    XSendEvent(display_, asked.requestor, False, NoEventMask, &event);
    XFlush(display_);
  }
};

std::filesystem::path other_trace(const char* signal) {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 16;
  request.signal = signal;
  return traced_file(request);
}

}  // namespace

TEST_CASE("files that another program drops on the window are shown, side by side when they are two, or reported") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  FileManager files(window.display());
  const auto message = [&](const std::string& words) {
    return window.reaches([&](const json& now) { return contains(now["message"].get<std::string>(), words); });
  };
  const synthetic::Folder folder;
  std::ofstream(folder / "letter to a friend.txt") << "no trace";
  REQUIRE(files.drops({folder / "letter to a friend.txt"}));
  CHECK(message("letter to a friend.txt: this is not a Twiddle trace"));
  CHECK(files.drops({folder.path()}));
  CHECK(message(folder.path().filename().string()));
  std::ofstream(folder / "tone.wav") << "RIFF";
  CHECK(files.drops({folder / "tone.wav"}));
  CHECK(message("--signal"));
  CHECK(window.state()["steps"] == 14);
  // What was reported of the files before is no reason to leave the second one out.
  CHECK(files.drops({other_trace("ramp"), other_trace("cosine:1")}));
  CHECK(window.reaches("steps", 38));
  CHECK(window.reaches([](const json& now) { return !now["beside_step"].is_null(); }));
  CHECK(files.drops({other_trace("impulse")}));
  CHECK(window.reaches([](const json& now) { return now["beside_step"].is_null(); }));
  CHECK(window.alive());
}

#endif
