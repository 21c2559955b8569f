"""A real browser that looks at a page."""

import io
import math
import re
import shutil
from contextlib import contextmanager

import numpy as np
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from sweepscope.viewer.display import pose_of

expect.set_options(timeout=30_000)  # a machine without a GPU may be slow
_ARGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--headless=new"]


@contextmanager
def chromium():
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=shutil.which("chromium"), args=_ARGS)
        yield found
        found.close()


class Visitor:
    """One visitor of a page: its tab, errors on its console, and requests to other machines."""

    def __init__(self, browser, url, width, height, scheme):
        self.errors, self.elsewhere = [], []
        window = {"width": width, "height": height}
        self._context = browser.new_context(viewport=window, color_scheme=scheme, accept_downloads=True)
        self.tab = self._context.new_page()
        self.tab.set_default_timeout(30_000)
        self.tab.on("console", self._heard)
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("request", lambda request: self._asked(request.url, url))
        self.tab.goto(url)

    def _heard(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _asked(self, address, url):
        if not address.startswith((url, f"blob:{url}", "data:")):
            self.elsewhere.append(address)

    def leave(self):
        self._context.close()

    def open(self, tab):
        self.tab.get_by_role("tab", name=tab, exact=True).click()

    def reads(self, *texts):
        """Wait until the page says all of this."""
        for text in texts:
            expect(self.tab.get_by_text(text, exact=True).filter(visible=True).first).to_be_visible()

    def comes_to_read(self, text):
        """Wait until the page says what `text()` returns, which may change: the mouse's last moves may still be on their way."""
        for _ in range(300):
            if self.tab.get_by_text(text(), exact=True).filter(visible=True).count():
                return
            self.frames(1)
        raise AssertionError(f"the page does not say {text()!r}")

    def field(self, label):
        """The input beside a label."""
        row = self.tab.locator("label").filter(has_text=re.compile(f"^{re.escape(label)}$")).locator("xpath=../../..")
        return row.locator("input").filter(visible=True)

    def squares(self, name):
        """The colors of the squares before a body's name, as the browser has them."""
        chips = self.tab.locator("td span").filter(has_text=re.compile(f"^{re.escape(name)}$")).filter(visible=True)
        return chips.evaluate_all("all => all.map(each => getComputedStyle(each.previousElementSibling).color)")

    def client(self, page):
        """The server's side of this visitor, which comes with its camera, later than the page's text."""
        for _ in range(300):
            clients = list(page._server.get_clients().values())
            if clients:
                return clients[-1]
            self.frames(1)
        raise AssertionError("the server has no client with a camera")

    def frames(self, count=3):
        """Wait until the browser has drawn so many frames."""
        self.tab.evaluate(
            "n => new Promise(done => { const f = k => k ? requestAnimationFrame(() => f(k - 1)) : done(); f(n) })", count
        )

    def picture(self):
        """What is on the canvas of the scene, as an image."""
        self.frames()
        png = self.tab.screenshot(clip={"x": 0, "y": 160, "width": 640, "height": 440})
        return Image.open(io.BytesIO(png)).convert("RGB")

    def sees_other_than(self, before):
        """Wait until the canvas differs from an earlier picture; return the new one."""
        for _ in range(200):
            now = self.picture()
            if now.tobytes() != before.tobytes():
                return now
        raise AssertionError("the canvas does not change")


def on_screen(camera, point):
    """Where a point of the scene is in the window."""
    local = (np.asarray(point) - camera.position) @ pose_of(camera.wxyz, camera.position)[:3, :3]
    half = 0.5 * camera.image_height / math.tan(0.5 * camera.fov)
    return (
        0.5 * camera.image_width + half * local[0] / local[2],
        0.5 * camera.image_height + half * local[1] / local[2],
    )
