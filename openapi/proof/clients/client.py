"""A client generated for Python at work: see ../README.md."""

import json
import os

import foyer_client
from foyer_client.api import data_api, files_api, profile_api, sessions_api, sign_in_api


def client_at(url, token=None):
    configuration = foyer_client.Configuration(host=url)
    configuration.access_token = token
    configuration.api_key["appKey"] = os.environ["FOYER_APP_KEY"]
    client = foyer_client.ApiClient(configuration)
    client.set_default_header("X-App-Key", os.environ["FOYER_APP_KEY"])
    return client


def code_of(client, wrong):
    try:
        sign_in_api.SignInApi(client).sign_in_with_password(wrong)
        return "none"
    except foyer_client.ApiException as failure:
        return json.loads(failure.body)["error"]["code"]


url, newer = os.environ["FOYER_BASE_URL"], os.environ["FOYER_NEWER_URL"]
email, password = os.environ["FOYER_EMAIL"], "correct horse battery staple"
anyone = client_at(url)
sign_in = sign_in_api.SignInApi(anyone)
sign_in.sign_in_sign_up(foyer_client.SignUpRequest(email=email, password=password))
print("ok sign-up")
first = sign_in.sign_in_with_password(foyer_client.PasswordSignInRequest(email=email, password=password)).data
print("ok sign-in")
refresh = foyer_client.RefreshRequest(refresh_token=first.refresh_token)
following = sessions_api.SessionsApi(anyone).sessions_refresh(refresh).data
print("ok refresh")
user = client_at(url, following.access_token)
if profile_api.ProfileApi(user).profile_get().data.email == email:
    print("ok me")
condition = foyer_client.QueryCondition(field="done", op="==", value=False)
query = foyer_client.QueryRecordsRequest(where=[condition])
if data_api.DataApi(user).data_query("notes", query).data.items is not None:
    print("ok query")
if files_api.FilesApi(user).files_upload(os.environ["FOYER_FILE"]).data.size > 0:
    print("ok upload")
wrong = foyer_client.PasswordSignInRequest(email=email, password="not the password")
if code_of(anyone, wrong) == "auth/invalid-credential":
    print("ok error")
if code_of(client_at(newer), wrong) == "auth/from-the-future":
    print("ok new code")
sessions = sessions_api.SessionsApi(client_at(newer, following.access_token)).sessions_list()
if sessions.data.items[0].method == "hologram":
    print("ok new value")
