"""`biblicus` and `python -m biblicus`."""

import sys

from biblicus.connectors.cli.app import run


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
