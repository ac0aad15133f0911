# SPDX-License-Identifier: LGPL-2.1-or-later
# Drives a headless browser through the DevTools protocol over a pipe, with real clicks and keys.
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
KEYS = {"Enter": 13, "Escape": 27, "Backspace": 8, "Tab": 9, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def find():
    """Returns the path of a browser, or None."""
    names = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else NAMES
    return next((path for path in map(shutil.which, names) if path), None)


class Browser:
    """A page in a browser process of its own. `requests` lists the URLs that it has requested."""

    def __init__(self, path, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="tracer-html.")
        to_browser, self.to = os.pipe()
        self.from_, from_browser = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', path, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder, "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.requests = []
        self.errors = []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network":
            self.call(domain + ".enable")
        self.resize(width, height)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self, seconds):
        """Returns the next message from the browser."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.from_], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.from_, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.buffer += more
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def event(self, message):
        params = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif message.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif message.get("method") == "Page.javascriptDialogOpening":
            self.errors.append("a dialog: " + params["message"])

    def call(self, method, seconds=120, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.message(seconds)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.event(answer)

    def ask(self, expression):
        """Returns the value of a JavaScript expression in the page. If it is a promise, waits for
        it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        return answer["result"].get("value")

    def until(self, expression, seconds=60):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.ask(f"(() => {{const v = ({expression}); return v && typeof v === 'object' ? true : v;}})()")
            if value:
                return value
            if time.monotonic() > end:
                raise TimeoutError("never true: " + expression)
            time.sleep(0.03)

    def open(self, path):
        """Opens a file. Returns the seconds until the page reports that it is ready."""
        begun = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.until("document.documentElement?.dataset.ready === 'yes'")
        return time.monotonic() - begun

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, times=1, **more):
        self.mouse("mouseMoved", x, y)
        for n in range(1, times + 1):
            self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=n, **more)
            self.mouse("mouseReleased", x, y, button="left", clickCount=n, **more)

    def drag(self, x, y, to_x, to_y, **more):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, **more)
        for i in range(1, 6):
            self.mouse("mouseMoved", x + (to_x - x) * i / 5, y + (to_y - y) * i / 5, button="left", buttons=1, **more)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1, **more)

    def center(self, selector):
        """The middle of an element, as x and y."""
        return self.ask(f"(() => {{const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                        "return [b.x + b.width / 2, b.y + b.height / 2];})()")

    def click_on(self, selector, **more):
        self.click(*self.center(selector), **more)

    def key(self, key, modifiers=0):
        # The codes of punctuation depend on the keyboard. No test needs them.
        code = KEYS.get(key, ord(key.upper()) if key.isalnum() and len(key) == 1 else 0)
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        for c in text:
            self.key(c)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
