#!/bin/sh
# The fast part of `make accuracy`: the samples against their labels, some healthy bundles, some mutations.
set -u
. tests/lib.sh
suite=accuracy
command -v python3 >/dev/null || skip_all 'no python3'
export PYTHONDONTWRITEBYTECODE=1
python3 tests/accuracy/selftest.py || exit
python3 tests/accuracy/accuracy.py "$gpudx" --fast
