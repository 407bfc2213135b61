// Command token signs and checks a token with version 4 of the library.
package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

type claims struct {
	jwt.RegisteredClaims

	Role string
}

func sign(key []byte) (string, error) {
	c := claims{Role: "clerk", RegisteredClaims: jwt.RegisteredClaims{
		ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Hour)),
	}}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(key)
}

func check(text string, key []byte) error {
	token, err := jwt.ParseWithClaims(text, &claims{}, func(t *jwt.Token) (interface{}, error) {
		return key, nil
	})
	var failed *jwt.ValidationError
	if errors.As(err, &failed) {
		return err
	}
	if errors.Is(err, jwt.ErrTokenExpired) {
		return err
	}
	c, ok := token.Claims.(*claims)
	if !ok || !token.Valid {
		return jwt.ErrInvalidKey
	}
	if err := c.Valid(); err != nil {
		return err
	}
	if !c.VerifyIssuer("shop", true) {
		return jwt.ErrTokenInvalidIssuer
	}
	if !c.VerifyAudience("till", true) {
		return jwt.ErrTokenInvalidAudience
	}
	return nil
}

func decode(s string) ([]byte, error) {
	return jwt.DecodeSegment(s)
}

func encode(b []byte) string {
	return jwt.EncodeSegment(b)
}

func old() jwt.Claims {
	return &jwt.StandardClaims{Issuer: "shop"}
}

func hmac(parts string, signature string, key []byte) error {
	return jwt.SigningMethodHS256.Verify(parts, signature, key)
}

func main() {
	jwt.TimePrecision = time.Second
	jwt.DecodePaddingAllowed = true
	jwt.MarshalSingleStringAsArray = false
	text, err := sign([]byte("key"))
	fmt.Println(text, err, check(text, []byte("key")))
	_ = jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithJSONNumber())
	_ = jwt.NewValidationError("bad", jwt.ValidationErrorExpired)
	_ = jwt.MapClaims{"a": 1}.VerifyExpiresAt(1, true)
	_, _, _, _ = decode, encode, old, hmac
}
