//! Reads a draft that a person wrote.

import Osier

let draft = try Draft(strict: "# a lid\nrand\nwale\n", style: [.remarks, .topDown])
// A lid has its stakes doubled: twice the number of the basket below.
let lid = draft.basket(stakes: 2 * 24, rim: .plaited)
print(lid?.draft() ?? "no lid")
