"""The report in a real browser: it opens from a file, asks for nothing, and its tables work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from injections import FORMULAS, INJECTIONS
from report_support import hostile

from rankscope import report
from rankscope.errors import printable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="runs where there is Chromium: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="runs with: pip install playwright")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = [str(ROOT / "examples" / f"{name}.run") for name in ("bm25", "dense", "hybrid")]
    path = tmp_path_factory.mktemp("report") / "report.html"
    report(str(ROOT / "examples" / "judgments.qrels"), runs).save(path)
    return path


class Visit:
    """A page that is open, and everything it asked for or complained of."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.page: Page = browser.new_context(**options).new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(path.as_uri())

    def column(self, number: int) -> list[str]:
        cells = self.page.locator(f"#lines tbody tr:not([hidden]) > :nth-child({number})")
        return cells.all_inner_texts()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_it_opens_without_a_request_or_a_complaint(
    browser: Browser, ordinary: Path, scheme: Any, width: int
) -> None:
    visit = Visit(browser, ordinary, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert visit.requests == [ordinary.as_uri()]
    assert visit.complaints == []
    # Nothing sticks out of the window: what is wider scrolls by itself.
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_light_and_dark_differ(browser: Browser, ordinary: Path) -> None:
    schemes: tuple[Any, ...] = ("light", "dark")
    colours = [
        Visit(browser, ordinary, color_scheme=scheme).page.evaluate(
            "[getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('figure svg text')).fill]"
        )
        for scheme in schemes
    ]
    assert colours[0][0] != colours[1][0]
    assert colours[0][1] != colours[1][1]


def test_paper_is_light_and_has_everything(browser: Browser, ordinary: Path) -> None:
    visit = Visit(browser, ordinary, color_scheme="dark", viewport={"width": 690, "height": 900})
    visit.page.emulate_media(media="print", color_scheme="dark")
    assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not visit.page.locator("nav").is_visible()
    assert not visit.page.locator(".tools").first.is_visible()
    assert visit.page.locator("#shown-query").inner_text() == visit.column(1)[0]
    # Nothing is cut off: neither rows that would scroll, nor columns.
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 690
    assert visit.page.evaluate(
        "(box => box.scrollHeight <= box.clientHeight)(document.querySelector('.tall'))"
    )


@pytest.mark.parametrize("width", [1280, 380])
def test_long_names_and_many_runs_stay_inside(browser: Browser, tmp_path: Path, width: int) -> None:
    judgments = {
        f"{'a long query ' * 9}{q}": {f"{'item' * 20}{i}": i % 3 for i in range(6)} for q in range(5)
    }
    runs = {
        f"{'unbreakable' * 8}{n}" if n % 3 == 0 else f"run-{n}": {
            q: sorted(items, key=lambda item: item[::-1], reverse=True)[n % 5 :]
            for q, items in judgments.items()
        }
        for n in range(20)
    }
    path = tmp_path / "many.html"
    report(judgments, runs, "nDCG@10").save(path)
    visit = Visit(browser, path, viewport={"width": width, "height": 800})
    assert visit.complaints == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_sorting_and_searching(browser: Browser, ordinary: Path) -> None:
    visit = Visit(browser, ordinary)
    visit.page.get_by_role("button", name="hybrid").click()
    falling = [float(cell) for cell in visit.column(4)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] > falling[-1]
    visit.page.get_by_role("button", name="hybrid").press("Enter")
    assert [float(cell) for cell in visit.column(4)] == falling[::-1] or sorted(falling) == [
        float(cell) for cell in visit.column(4)
    ]
    visit.page.get_by_label("Search").fill("Q0")
    assert visit.column(1) != []
    assert all(name.startswith("q0") for name in visit.column(1))
    assert visit.page.get_by_role("status").inner_text() == f"{len(visit.column(1))} of 50"


def test_another_measure_is_shown(browser: Browser, ordinary: Path) -> None:
    visit = Visit(browser, ordinary)
    before = visit.column(2)
    visit.page.get_by_label("Measure").select_option("P@10")
    after = visit.column(2)
    assert after != before
    assert all(round(10 * float(cell), 6) % 1 == 0 for cell in after)


def test_a_query_is_chosen_by_keyboard_and_from_the_table(browser: Browser, ordinary: Path) -> None:
    visit = Visit(browser, ordinary)
    names = visit.column(1)
    chosen = visit.page.locator("#query")
    assert chosen.input_value() == names[0]
    visit.page.get_by_role("button", name="The next query").press("Enter")
    assert chosen.input_value() == names[1]
    visit.page.locator("#lines tbody a").nth(4).press("Enter")
    assert chosen.input_value() == names[4]
    assert visit.page.locator("#rankings h3").count() == 4


def test_without_a_script_the_tables_are_there(browser: Browser, ordinary: Path) -> None:
    visit = Visit(browser, ordinary, java_script_enabled=False)
    assert len(visit.column(1)) == 50
    assert visit.page.locator("#best table").first.is_visible()
    assert not visit.page.locator(".tools").first.is_visible()
    assert visit.page.locator("noscript p").is_visible()


def test_hostile_ids_do_nothing_and_are_shown_as_they_are(browser: Browser, tmp_path: Path) -> None:
    assert len(INJECTIONS) >= 100
    path = tmp_path / "hostile.html"
    report(*hostile(), "RR", title=INJECTIONS[1]).save(path)
    visit = Visit(browser, path)
    assert sorted(visit.column(1)) == sorted(printable(text) for text in [*INJECTIONS, *FORMULAS])
    for _ in range(30):
        visit.page.get_by_role("button", name="The next query").click()
    visit.page.get_by_label("Search").fill("<script>")
    assert visit.page.evaluate("window.pwned") is None
    assert visit.requests == [path.as_uri()]
    assert visit.complaints == []
    assert visit.page.title() == INJECTIONS[1]


def test_what_is_downloaded_is_no_formula(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    report(*hostile(), "RR").save(path)
    visit = Visit(browser, path)
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download as CSV").click()
    text = Path(download.value.path()).read_text("utf-8")
    for formula in FORMULAS:
        quoted = formula.replace('"', '""')
        assert f'"\'{quoted}"' in text
        assert f'\n"{quoted}"' not in text
