#!/bin/sh
# A bot without the execute bit: it must never run.
echo ready
