// A self-signed certificate for `localhost` and its key: for test servers only. It is valid from 2020 on, so that no
// machine's clock is before it.

export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/yelitquvYXKMGZX
k+4tIHLfhOW3fKwkJUvtp5YSMMmhRANCAAS45P5lJYB0qUpV0rgdZpmJRpEmhbOQ
TGxiZADzFbRunYOvPPkadvPSJjbvM/C8WjbjyQOpX5bx1zjJd8ps4dm8
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBdTCCARqgAwIBAgIURBTnazYSyTRkhO4Ei2GrvJPodycwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjYwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS45P5lJYB0qUpV0rgdZpmJRpEmhbOQTGxiZADzFbRunYOvPPkadvPS
JjbvM/C8WjbjyQOpX5bx1zjJd8ps4dm8o0gwRjAdBgNVHQ4EFgQUA4KAUWKQMXcB
lWJxLGEbhqGm12cwDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhv
c3QwCgYIKoZIzj0EAwIDSQAwRgIhAPUkBRbvi9RsUyALlD0yIT6nUNexf9tH+pmq
vJo8wHSEAiEAvPE1nicTq3X4FQnWLcDuBOusQU6D4EliuVX7B0hWNiU=
-----END CERTIFICATE-----
`,
};
