// Put beside the guide's function: a server that believes what the function believes.
package main

import (
	"io"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/parley-events", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isFromParley(body, r.Header, os.Getenv("PARLEY_WEBHOOK_SECRET")) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		store(r.Header.Get("webhook-id"), body)
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe(":3000", nil))
}
