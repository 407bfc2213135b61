// Package heldout imports what the held-out questions are about, so that the
// go command keeps it in go.mod.
package heldout

import (
	_ "github.com/aws/aws-sdk-go-v2/service/sqs"
	_ "github.com/golang-jwt/jwt/v5"
	_ "github.com/prometheus/client_golang/prometheus"
	_ "github.com/redis/go-redis/v9"
)
