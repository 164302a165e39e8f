// A client generated for Go at work: see ../README.md.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"foyer"
)

func clientAt(url string) *foyer.APIClient {
	configuration := foyer.NewConfiguration()
	configuration.Servers = foyer.ServerConfigurations{{URL: url}}
	configuration.AddDefaultHeader("X-App-Key", os.Getenv("FOYER_APP_KEY"))
	return foyer.NewAPIClient(configuration)
}

func must(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		if described, ok := err.(foyer.GenericOpenAPIError); ok {
			fmt.Println(string(described.Body()))
		}
		os.Exit(1)
	}
}

func codeOf(err error) string {
	var envelope foyer.ErrorEnvelope
	must(json.Unmarshal(err.(foyer.GenericOpenAPIError).Body(), &envelope))
	return envelope.Error.Code
}

func main() {
	client, newer := clientAt(os.Getenv("FOYER_BASE_URL")), clientAt(os.Getenv("FOYER_NEWER_URL"))
	email, password := os.Getenv("FOYER_EMAIL"), "correct horse battery staple"
	anyone := context.Background()

	_, _, err := client.SignInApi.SignInSignUp(anyone).SignUpRequest(*foyer.NewSignUpRequest(email, password)).Execute()
	must(err)
	fmt.Println("ok sign-up")
	in, _, err := client.SignInApi.SignInWithPassword(anyone).PasswordSignInRequest(*foyer.NewPasswordSignInRequest(email, password)).Execute()
	must(err)
	fmt.Println("ok sign-in")
	next, _, err := client.SessionsApi.SessionsRefresh(anyone).RefreshRequest(*foyer.NewRefreshRequest(in.Data.RefreshToken)).Execute()
	must(err)
	fmt.Println("ok refresh")
	user := context.WithValue(anyone, foyer.ContextAccessToken, next.Data.AccessToken)
	me, _, err := client.ProfileApi.ProfileGet(user).Execute()
	must(err)
	if me.Data.Email == email {
		fmt.Println("ok me")
	}
	query := foyer.NewQueryRecordsRequest()
	query.SetWhere([]foyer.QueryCondition{*foyer.NewQueryCondition("done", "==", false)})
	records, _, err := client.DataApi.DataQuery(user, "notes").QueryRecordsRequest(*query).Execute()
	must(err)
	if records.Data.Items != nil {
		fmt.Println("ok query")
	}
	file, err := os.Open(os.Getenv("FOYER_FILE"))
	must(err)
	uploaded, _, err := client.FilesApi.FilesUpload(user).File(file).Visibility("private").Execute()
	must(err)
	if uploaded.Data.Size > 0 {
		fmt.Println("ok upload")
	}
	wrong := *foyer.NewPasswordSignInRequest(email, "not the password")
	_, _, err = client.SignInApi.SignInWithPassword(anyone).PasswordSignInRequest(wrong).Execute()
	if codeOf(err) == "auth/invalid-credential" {
		fmt.Println("ok error")
	}
	_, _, err = newer.SignInApi.SignInWithPassword(anyone).PasswordSignInRequest(wrong).Execute()
	if codeOf(err) == "auth/from-the-future" {
		fmt.Println("ok new code")
	}
	sessions, _, err := newer.SessionsApi.SessionsList(user).Execute()
	must(err)
	if sessions.Data.Items[0].Method == "hologram" {
		fmt.Println("ok new value")
	}
}
