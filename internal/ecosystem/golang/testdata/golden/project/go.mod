// Deprecated: Use example.com/port.
module example.com/harbor

go 1.26
