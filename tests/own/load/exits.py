"""Reading the file ends the process with status 3: no answer to any question."""

import os

os._exit(3)
