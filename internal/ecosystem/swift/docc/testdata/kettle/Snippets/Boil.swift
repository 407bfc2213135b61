//! Boils water.

// snippet.hide
import Kettle
// snippet.show
let kettle = Kettle()
// snippet.heat
do {
  // snippet.hide
  print("hidden")
  // snippet.show
  kettle.heat(to: 100)
}
// snippet.end
kettle.drain()
