"""Entry point of ``python -m nbcompare``."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working folder, which holds data: no module is imported from it
    from nbcompare.cli import main

    sys.exit(main())
