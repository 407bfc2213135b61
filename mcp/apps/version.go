package apps

// Version is the version of the messages between a view and a host.
const Version = "2026-01-26"
