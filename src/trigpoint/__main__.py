"""`python -m trigpoint` is `trig`."""

import sys

from trigpoint.surfaces.cli import main

sys.exit(main())
