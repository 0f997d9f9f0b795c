#!/no/such/interpreter
echo ready
