package main

import (
	"strings"
	"testing"
)

func TestServe_KeepsThePasswordOfRedisOffTheCommandLine(t *testing.T) {
	for _, address := range []string{"redis://:hush@127.0.0.1", "redis://127.0.0.1?password=hush"} {
		out, err := program(t, "--http", "127.0.0.1:0", "--redis", address).CombinedOutput()
		if err == nil || !strings.Contains(string(out), redisVariable) || strings.Contains(string(out), "hush") {
			t.Errorf("%v: %s", err, out)
		}
	}
}

func TestConfig_CheckRedis(t *testing.T) {
	checkConfigs(t, "http = \"127.0.0.1:0\"\n", map[string]string{
		"redis = \"redis://:hush@cache:6379/1\"":                     "is valid: 2 settings",
		"redis = \"redis://:hush@cache:port\"":                       "the URL of Redis is malformed",
		"redis = \"cache:6379\"":                                     "unknown scheme",
		"redis = \"redis://:hush@cache:6379/1\"\nstateless = true\n": "leave out one of --stateless and --redis",
	})
}
