// Package relevance imports what the questions are about, so that the go
// command keeps it in go.mod.
package relevance

import (
	_ "entgo.io/ent"
	_ "github.com/aws/aws-sdk-go-v2/service/s3"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/jackc/pgx/v5"
	_ "go.uber.org/zap"
	_ "google.golang.org/grpc"
	_ "google.golang.org/protobuf/proto"
	_ "gorm.io/gorm"
	_ "k8s.io/api/core/v1"
)
