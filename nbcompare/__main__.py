"""Run the command line as ``python -m nbcompare``."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        # the working folder holds data, and no module must be imported from it
        del sys.path[0]
    from nbcompare.cli import main

    sys.exit(main())
