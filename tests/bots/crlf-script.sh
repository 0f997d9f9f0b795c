#!/bin/sh
# A bot with DOS line ends: it must never run.
echo ready
