"""Line 3 is no Python: a fault when the file is read, with this line."""

title = "No Python
