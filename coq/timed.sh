#!/usr/bin/env bash
# Runs a compilation and notes its seconds of processor time in build.times, beside the file that it compiles.
source=${*: -1}
TIMEFORMAT="$source %U"
{ time "$@" 2>&3; } 3>&2 2>>build.times
