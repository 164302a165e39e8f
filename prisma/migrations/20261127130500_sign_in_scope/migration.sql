-- Keys keep exactly what they could do: the settings of sign-in were part of `settings:manage`, and have a scope of their own
-- from now on. Nothing is added for `webhooks:manage`: what it loses is `users:read`, which would be more than it had.
UPDATE "secret_keys" SET "scopes" = array_append("scopes", 'sign-in:manage')
WHERE 'settings:manage' = ANY ("scopes") AND NOT 'sign-in:manage' = ANY ("scopes");
