package lights

// Registry is the key under which lamps are known.
const Registry = "Lamps"

// Dim exists on Windows only.
func (l *Lamp) Dim(percent int) {}

// Driver is what Windows needs.
type Driver struct {
	// Handle is a handle.
	Handle uintptr
}

// Load loads the driver.
func (d *Driver) Load() {}
