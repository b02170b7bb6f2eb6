"""``python -m nbcompare``."""

import sys

from nbcompare.cli import main

if __name__ == "__main__":
    sys.exit(main())
