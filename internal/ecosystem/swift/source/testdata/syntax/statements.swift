print("public func inAString() {}")
if let x = y { func local() {} }
for i in 0..<10 { struct Local {} }
while true { break }
switch x { case 1: func inCase() {} default: break }
guard let z = w else { fatalError() }
do { try f() } catch { }
x = { public func notCode() }
let closure = { func inner() {} }
package.targets.append(1)
open("file")
final class Kept { deinit { }; func f() { } }
#warning("public func not() {}")
#sourceLocation(file: "a.swift", line: 100)
#sourceLocation()
#Preview { public func not() {} }
struct Expanded {
  #expand(a, b) { c }
  #line
  func g() {}
}
@main struct Main { static func main() async throws {} }
