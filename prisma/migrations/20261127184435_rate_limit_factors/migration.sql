ALTER TABLE "apps" ADD COLUMN "rate_limit_factors" JSONB NOT NULL DEFAULT '{}';

-- The factor of a group is the rule of its main policy, compared with the default. Rules of other policies are dropped: for the
-- whole group, a strict rule of one rare call would refuse the ordinary ones. Emailed codes are not raised.
-- `rate_limits` stays as it is for instances of earlier versions, which still read it; a later migration drops it.
UPDATE "apps" SET "rate_limit_factors" = COALESCE((
  SELECT jsonb_object_agg("factors"."name", "factors"."factor") FROM (
    SELECT "main"."name", GREATEST(0.001, LEAST("main"."highest",
      ("rules"."value" ->> 'limit')::float8 * "main"."seconds" / (("rules"."value" ->> 'windowSeconds')::float8 * "main"."calls")
    )) AS "factor"
    FROM jsonb_each("apps"."rate_limits") AS "rules"
    JOIN (VALUES
      ('auth-ip', 'sign_in', 60, 60, 1000),
      ('code-send-email-ip', 'codes', 5, 3600, 1),
      ('refresh-session', 'refresh', 120, 300, 1000),
      ('client', 'client', 300, 60, 1000),
      ('admin', 'backend', 1000, 60, 1000)
    ) AS "main" ("policy", "name", "calls", "seconds", "highest") ON "main"."policy" = "rules"."key"
  ) AS "factors" WHERE "factors"."factor" <> 1
), '{}')
WHERE "rate_limits" <> '{}';
