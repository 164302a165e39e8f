// Exports of other services as their own tools write them; server/src/cli/import/README.md names the sources of each format.

/** As firebase-tools writes it: one object with a list. Its exporter leaves out identities of Apple. */
export const firebaseExport = `{"users": [
{
  "localId": "fb-ada",
  "email": "Ada@Example.com",
  "emailVerified": true,
  "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  "salt": "42xEC+ixf3L2lw==",
  "displayName": "Ada King Lovelace",
  "photoUrl": "https://lh3.googleusercontent.com/a/ada",
  "lastSignedInAt": "1700000000123",
  "createdAt": "1600000000456",
  "disabled": false,
  "customAttributes": "{\\"role\\":\\"editor\\",\\"sub\\":\\"x\\"}",
  "providerUserInfo": [
    {
      "providerId": "google.com",
      "rawId": "117000000000000000001",
      "email": "ada@example.com",
      "displayName": "Ada King Lovelace",
      "photoUrl": "https://lh3.googleusercontent.com/a/ada"
    },
    {
      "providerId": "facebook.com",
      "rawId": "10150000000000001",
      "displayName": "Ada"
    }
  ]
},
{
  "localId": "fb-anonymous",
  "lastSignedInAt": "1700000000123",
  "createdAt": "1600000000456",
  "providerUserInfo": []
},
{
  "localId": "fb-phone",
  "createdAt": "1600000000456",
  "phoneNumber": "+15555550100",
  "providerUserInfo": []
},
{
  "localId": "fb-disabled",
  "email": "disabled@example.com",
  "emailVerified": false,
  "displayName": "Prince",
  "createdAt": "1600000000456",
  "phoneNumber": "+15555550101",
  "disabled": true,
  "mfaInfo": [{ "mfaEnrollmentId": "1" }],
  "providerUserInfo": []
},
{
  "localId": "fb-again",
  "email": "ada@example.com",
  "createdAt": "1600000000456"
},
{
  "localId": "fb-invalid",
  "email": "ada@localhost",
  "createdAt": "1600000000456"
}]}
`;

const supabaseHeader =
  'instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,invited_at,last_sign_in_at,raw_app_meta_data,' +
  'raw_user_meta_data,is_super_admin,created_at,updated_at,phone,banned_until,is_sso_user,deleted_at,is_anonymous';
const instance = '00000000-0000-0000-0000-000000000000';

/** As `COPY auth.users TO STDOUT WITH (FORMAT csv, HEADER)` of PostgreSQL writes it. */
export const supabaseCsv = `${supabaseHeader}
${instance},sb-ada,authenticated,authenticated,ada@example.com,$2a$10$abcdefghijklmnopqrstuuJ3H0YtC4EwP1lKDpWq5Vh9n1xq2mJ2a,2024-01-15 10:30:00.123456+00,,2024-02-01 08:00:00+00,"{""provider"": ""email"", ""providers"": [""email"", ""google""], ""role"": ""editor""}","{""sub"": ""1"", ""full_name"": ""Ada Lovelace"", ""avatar_url"": ""https://example.com/a.png"", ""plan"": ""gold""}",,2024-01-15 10:29:00.5+00,2024-01-15 10:30:00+00,,,f,,f
${instance},sb-phone,authenticated,authenticated,,,,,,"{""provider"": ""phone"", ""providers"": [""phone""]}",{},,2024-01-15 10:29:00+00,2024-01-15 10:30:00+00,15555550100,,f,,f
${instance},sb-anonymous,authenticated,authenticated,,,,,,{},{},,2024-01-15 10:29:00+00,2024-01-15 10:30:00+00,,,f,,t
${instance},sb-deleted,authenticated,authenticated,gone@example.com,,,,,{},{},,2024-01-15 10:29:00+00,2024-01-15 10:30:00+00,,,f,2024-03-01 00:00:00+00,f
${instance},sb-banned,authenticated,authenticated,banned@example.com,,,,,"{""provider"": ""email"", ""providers"": [""email""]}","{""name"": ""Line\\nBreak""}",,2024-01-15 10:29:00+00,2024-01-15 10:30:00+00,,2100-01-01 00:00:00+00,f,,f
`;

/** As the query of README.md prints it with psql: an object per line, with identities and factors. */
export const supabaseLines = `{"id": "sb-eve", "aud": "authenticated", "role": "authenticated", "email": "eve@example.com", "encrypted_password": "", "email_confirmed_at": "2024-01-15T10:30:00.123456+00:00", "raw_app_meta_data": {"provider": "google", "providers": ["google", "apple", "github"]}, "raw_user_meta_data": {"iss": "https://accounts.google.com", "sub": "118000000000000000001", "name": "Eve", "picture": "http://example.com/a.png"}, "created_at": "2024-01-15T10:29:00+00:00", "phone": null, "banned_until": "2020-01-01T00:00:00+00:00", "deleted_at": null, "is_anonymous": false, "identities": [{"id": "9b1c", "provider_id": "118000000000000000001", "user_id": "sb-eve", "provider": "google", "identity_data": {"sub": "118000000000000000001", "email": "eve@example.com"}, "created_at": "2024-01-15T10:31:00+00:00"}, {"provider_id": "001234.0123456789abcdef.0123", "provider": "apple", "identity_data": {"email": "abc@privaterelay.appleid.com"}, "created_at": "2024-01-15T10:32:00+00:00"}, {"provider_id": "583231", "provider": "github", "identity_data": {}, "created_at": "2024-01-15T10:33:00+00:00"}], "factors": [{"factor_type": "totp", "status": "verified"}]}

{"id": "sb-thief", "email": "thief@example.com", "raw_app_meta_data": {"provider": "email", "providers": ["email"]}, "raw_user_meta_data": {"sub": "119000000000000000009", "role": "admin"}, "created_at": "2024-01-15T10:29:00+00:00", "identities": [{"provider_id": "sb-thief", "provider": "email", "identity_data": {"sub": "sb-thief"}}], "factors": null}
not JSON
`;

/** As a job of `POST /api/v2/jobs/users-exports` with `"format": "json"` writes it. */
export const auth0Export = `{"user_id":"auth0|5ce405424afaa","email":"ada@example.com","email_verified":true,"username":"ada","given_name":"Ada","family_name":"Lovelace","name":"ada@example.com","nickname":"ada","picture":"https://s.gravatar.com/avatar/1.png","created_at":"2019-05-21T14:03:46.999Z","updated_at":"2019-07-19T08:10:00.408Z","last_login":"2019-07-19T08:10:00.408Z","logins_count":111,"blocked":true,"app_metadata":{"plan":"gold"},"user_metadata":{"color":"red"},"multifactor":["guardian"],"identities":[{"user_id":"5ce405424afaa","provider":"auth0","connection":"Username-Password-Authentication","isSocial":false},{"profileData":{"email":"ada@gmail.example"},"user_id":"117000000000000000001","provider":"google-oauth2","connection":"google-oauth2","isSocial":true}]}
{"user_id":"google-oauth2|118000000000000000001","email":"ada@example.com","email_verified":true,"name":"Ada Lovelace","created_at":"2020-05-21T14:03:46.999Z"}
{"user_id":"apple|001234.0123456789abcdef.0123","email":"eve@example.com","email_verified":true,"name":"Eve","created_at":"2020-05-21T14:03:46.999Z"}
{"user_id":"sms|5ce405424afab","phone_number":"+15555550100","phone_verified":true,"name":"+15555550100","created_at":"2020-05-21T14:03:46.999Z"}
{"_id":{"$oid":"60425dc43519d90068f82973"},"email":"hash@example.com","email_verified":false,"passwordHash":"$2b$10$Z6hUTEEeoJXN5/AmSm/4.eZ75RYgFVriQM9LPhNEC7kbAbS/VAaJ2","password_set_date":{"$date":"2021-03-05T16:35:16.775Z"},"tenant":"dev","connection":"Username-Password-Authentication","_tmp_is_unique":true}
`;

/** As the dashboard of Clerk writes it. */
export const clerkCsv = `id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher
user_ada,Ada,"Lovelace, Countess",ada,ada@example.com,,ada@example.com|ada@work.example,,,,JBSWY3DPEHPK3PXP,$2a$10$fgPOubgdJs90F1GK2u.Qye7Xyyi2ajrQJoB5LDG5bnITEvFR/xhZ.,bcrypt
user_eve,,,,eve@example.com,+15555550101,,eve@example.com,+15555550101,,,$argon2id$v=19$m=19456$c2FsdA$aGFzaA,argon2id
user_phone,,,,,+15555550100,,,+15555550100,,,,
`;

/** As `GET /v1/users` of its Backend API answers. */
export const clerkJson = `[
  {
    "id": "user_api", "object": "user", "username": null, "first_name": "Ada", "last_name": null,
    "image_url": "https://img.clerk.com/x", "has_image": true, "primary_email_address_id": "idn_2",
    "password_enabled": true, "two_factor_enabled": false, "totp_enabled": false,
    "email_addresses": [
      { "id": "idn_1", "email_address": "old@example.com", "verification": { "status": "unverified" } },
      { "id": "idn_2", "email_address": "api@example.com", "verification": { "status": "verified" } }
    ],
    "phone_numbers": [],
    "external_accounts": [
      { "object": "external_account", "provider": "oauth_google", "provider_user_id": "117000000000000000001",
        "email_address": "api@example.com", "verification": { "status": "verified" }, "created_at": 1612378466000 },
      { "object": "external_account", "provider": "oauth_apple", "provider_user_id": "001234.unfinished",
        "email_address": "", "verification": { "status": "unverified" } },
      { "object": "external_account", "provider": "oauth_github", "provider_user_id": "583231",
        "email_address": "api@example.com", "verification": { "status": "verified" } }
    ],
    "public_metadata": { "role": "admin" }, "private_metadata": { "stripe": "cus_1" }, "unsafe_metadata": { "theme": "dark" },
    "banned": true, "last_sign_in_at": 1612378467000, "created_at": 1612378465000
  }
]
`;

/** As the query of README.md prints it with psql; the second user as an adapter with names in snake case has it. */
export const betterAuthLines = `{"id": "ba-ada", "name": "Ada Lovelace", "email": "ada@example.com", "emailVerified": true, "image": null, "createdAt": "2025-01-15T10:29:00.5", "updatedAt": "2025-01-15T10:29:00.5", "twoFactorEnabled": true, "role": "admin", "banned": false, "accounts": [{"id": "a1", "accountId": "ba-ada", "providerId": "credential", "userId": "ba-ada", "password": "26b3ab5a1c1f7d5b8b5e6e2f:9c8d7e6f5a4b3c2d1e0f", "createdAt": "2025-01-15T10:29:00.5"}, {"id": "a2", "accountId": "117000000000000000001", "providerId": "google", "userId": "ba-ada", "password": null, "createdAt": "2025-02-15T10:29:00.5"}, {"id": "a3", "accountId": "80351110224678912", "providerId": "discord", "userId": "ba-ada", "createdAt": "2025-02-15T10:29:00.5"}]}
{"id": 7, "name": "Eve", "email": "eve@example.com", "email_verified": 0, "created_at": 1736937000000, "banned": 1, "ban_expires": null, "phone_number": "+15555550100", "role": "user", "accounts": [{"account_id": "001234.0123456789abcdef.0123", "provider_id": "apple", "user_id": 7}]}
{"id": "ba-anonymous", "name": "Anonymous", "email": "temp-1@example.com", "emailVerified": false, "isAnonymous": true, "createdAt": "2025-01-15T10:29:00.5", "accounts": null}
`;
