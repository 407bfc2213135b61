@_exported import OsierCore
@_exported import OsierText
