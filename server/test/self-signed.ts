// A certificate for `localhost` that nobody vouches for, and its key, which opens nothing: for servers of tests alone.

export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/yelitquvYXKMGZX
k+4tIHLfhOW3fKwkJUvtp5YSMMmhRANCAAS45P5lJYB0qUpV0rgdZpmJRpEmhbOQ
TGxiZADzFbRunYOvPPkadvPSJjbvM/C8WjbjyQOpX5bx1zjJd8ps4dm8
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUf5b3qTcajzK0he4uIuORnlm6LuQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE5NTEyNloYDzIxMjYxMDI4
MTk1MTI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS45P5lJYB0qUpV0rgdZpmJRpEmhbOQTGxiZADzFbRunYOvPPkadvPS
JjbvM/C8WjbjyQOpX5bx1zjJd8ps4dm8o2kwZzAdBgNVHQ4EFgQUA4KAUWKQMXcB
lWJxLGEbhqGm12cwHwYDVR0jBBgwFoAUA4KAUWKQMXcBlWJxLGEbhqGm12cwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAJkFPGxq6AJkMiefR/VLjNOMBYxgmJsI7cmh/04jkLtIAiEA3hP4QtI+
MNei55aUEk2qGO5HdlsTd5PrwSOtZfhD4uo=
-----END CERTIFICATE-----
`,
};
