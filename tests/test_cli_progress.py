import io

from trigpoint.model import Progress
from trigpoint.surfaces.progress import Bar, line


def test_a_phase_with_an_end_has_a_bar_a_rate_and_the_time_left() -> None:
    shown = line(Progress("read", 500, 2_000, "src/a.py"), 2.0)
    assert shown == "read     #####............... 500/2,000 250/s, 0:06 left  src/a.py"


def test_a_phase_without_an_end_counts() -> None:
    assert line(Progress("list", 1_234, 0), 1.0) == "list     1,234"


def test_a_line_never_wraps_and_never_acts_on_the_terminal() -> None:
    shown = line(Progress("read", 3, 2, "x\x1b[2J" * 50), 0.0)
    assert len(shown) == 79
    assert "\x1b" not in shown


def test_the_bar_wipes_what_it_drew() -> None:
    stream = io.StringIO()
    bar = Bar(stream)
    bar.close()
    assert stream.getvalue() == ""
    bar(Progress("read", 2, 2))
    bar.close()
    assert stream.getvalue().startswith("\r\x1b[2Kread")
    assert stream.getvalue().endswith("\r\x1b[2K")
