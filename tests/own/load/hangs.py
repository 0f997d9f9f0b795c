"""Reading the file takes ten minutes: no answer to any question."""

import time

time.sleep(600)
