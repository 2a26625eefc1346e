"""One Chromium that opens many pages: DevTools' protocol through a pipe, with nothing but Python's own library.

    with Browser(program) as browser:
        page = browser.open("file:///…/page.html")
        page.evaluate("document.title")          # also awaits a promise; throws what the page threw
        page.press("PageDown")
        page.frames()                            # worlds of the frames in it, to evaluate in
        page.errors                              # what the console said of errors, warnings and refusals
"""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    pass


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    patience = 60  # seconds that an answer may take

    def __init__(self, program, width=1280, height=900):
        self.folder = tempfile.mkdtemp()
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "bash", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-features=IsolateSandboxedIframes", "--hide-scrollbars", f"--window-size={width},{height}",
             f"--user-data-dir={self.folder}/profile", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.write_to, self.read_from = to_write, from_read
        self.unread, self.number, self.answers, self.pages = b"", 0, {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write_to, json.dumps(message).encode() + b"\0")
        number = self.number
        self.wait(lambda: number in self.answers, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer.get("result", {})

    def wait(self, until, what):
        end = time.monotonic() + self.patience
        while not until():
            if not select.select([self.read_from], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserError(f"{what}: no answer within {self.patience} s")
            data = os.read(self.read_from, 1 << 16)
            if not data:
                raise BrowserError(f"{what}: the browser has ended")
            *messages, self.unread = (self.unread + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers[message["id"]] = message
                elif message.get("sessionId") in self.pages:
                    self.pages[message["sessionId"]].note(message["method"], message["params"])

    def open(self, address, width=None, height=None):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable", session)
        if width:
            self.call("Emulation.setDeviceMetricsOverride", session, width=width, height=height, deviceScaleFactor=1,
                      mobile=False)
        self.call("Page.navigate", session, url=address)
        self.wait(lambda: page.loaded, address)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.errors, self.worlds, self.loaded = [], {}, False

    def note(self, method, event):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(part.get("value", part.get("description"))) for part in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.errors.append(event["entry"]["text"])
        elif method == "Runtime.executionContextCreated":
            world = event["context"]
            if world.get("auxData", {}).get("isDefault"):
                self.worlds[world["id"]] = world["auxData"]["frameId"]
        elif method == "Runtime.executionContextDestroyed":
            self.worlds.pop(event["executionContextId"], None)
        elif method == "Runtime.executionContextsCleared":
            self.worlds.clear()

    def evaluate(self, script, world=None):
        parameters = {"expression": script, "awaitPromise": True, "returnByValue": True}
        if world:
            parameters["contextId"] = world
        answer = self.browser.call("Runtime.evaluate", self.session, **parameters)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def frames(self):
        """Worlds of the frames inside the page, in the order in which they came to be."""
        return [world for world, frame in sorted(self.worlds.items()) if frame != self.target]

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", self.session, type=kind, key=key, code=key,
                              windowsVirtualKeyCode=int(key) + 48 if key.isdigit() else
                              {"PageUp": 33, "PageDown": 34, "ArrowLeft": 37, "ArrowRight": 39, "Escape": 27}[key])

    def picture(self, file):
        import base64
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.browser.call("Page.captureScreenshot", self.session)["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session, None)
