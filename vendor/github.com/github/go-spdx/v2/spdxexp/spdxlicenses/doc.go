/*
Package spdxlicenses provides functions to get licenses, deprecated licenses,
and exceptions. These are auto-generated and should not be modified directly.
Licenses are generated from the [SPDX official machine readable license list].

In addition, this package includes a function to return license ranges for
sequential licenses and ranges including modifiers (i.e. -only, -or-later).

[SPDX official machine readable license list]: https://github.com/spdx/license-list-data
*/
package spdxlicenses
