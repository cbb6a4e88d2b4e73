"""The figures that Biblicus promises, measured as ratios in one run: `python -m benchmarks`."""
