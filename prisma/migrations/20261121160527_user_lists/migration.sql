-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "user_created_at" TIMESTAMPTZ(6);

UPDATE "identities" AS i SET "user_created_at" = u."created_at"
FROM "users" AS u WHERE u."app_id" = i."app_id" AND u."id" = i."user_id";

ALTER TABLE "identities" ALTER COLUMN "user_created_at" SET NOT NULL;

-- CreateIndex
CREATE INDEX "identities_app_id_provider_user_created_at_user_id_idx" ON "identities"("app_id", "provider", "user_created_at", "user_id");

-- CreateIndex
CREATE INDEX "users_app_id_disabled_email_verified_created_at_id_idx" ON "users"("app_id", "disabled", "email_verified", "created_at", "id");

-- Emails are ASCII in lower case: in the order of their bytes one index serves look-ups, prefixes and lists in order.
ALTER TABLE "users" ALTER COLUMN "email" TYPE TEXT COLLATE "C";

-- Names by prefix, in any case, in the order of their bytes.
CREATE INDEX "users_folded_first_name" ON "users"("app_id", lower("first_name") COLLATE "C") WHERE "first_name" IS NOT NULL;
CREATE INDEX "users_folded_last_name" ON "users"("app_id", lower("last_name") COLLATE "C") WHERE "last_name" IS NOT NULL;

-- The users of v1 in the order of the list: all others may be newer than any of them.
CREATE INDEX "users_of_v1" ON "users"("app_id", "created_at", "id") WHERE "v1_last_used_at" IS NOT NULL;

-- A sign-in changes its user's row and no index (a HOT update), as long as there is room for it on the page.
ALTER TABLE "users" SET (fillfactor = 90);
