"""Line 3 raises an exception: a fault when the file is read, with this line."""

sides = {}["sides"]
