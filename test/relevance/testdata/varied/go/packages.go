// Package varied imports what the varied questions are about, so that the
// go command keeps it in go.mod.
package varied

import (
	_ "github.com/PuerkitoBio/goquery"
	_ "github.com/bwmarrin/discordgo"
	_ "github.com/eclipse/paho.mqtt.golang"
	_ "github.com/go-playground/validator/v10"
	_ "github.com/hashicorp/vault/api"
	_ "github.com/miekg/dns"
	_ "github.com/minio/minio-go/v7"
	_ "github.com/pkg/sftp"
	_ "github.com/rivo/tview"
	_ "github.com/xuri/excelize/v2"
	_ "github.com/yuin/goldmark"
	_ "gonum.org/v1/gonum/mat"
)
