package lights

// Pins are the pins of the board.
var Pins = [4]int{}
