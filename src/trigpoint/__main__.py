"""`python -m trigpoint` is `trig`."""

from trigpoint.surfaces.cli import run

run()
