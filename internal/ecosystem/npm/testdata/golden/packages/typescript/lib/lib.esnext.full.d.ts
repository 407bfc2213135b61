/// <reference lib="es5" />
/// <reference lib="dom" />
