-- DropIndex
DROP INDEX "users_app_id_v1_last_used_at_idx";

-- CreateIndex
CREATE INDEX "users_app_id_v1_last_used_at_created_at_id_idx" ON "users"("app_id", "v1_last_used_at", "created_at", "id");

-- CreateIndex
CREATE INDEX "users_app_id_email_created_at_id_idx" ON "users"("app_id", "email", "created_at", "id");

-- Names by prefix, in any case. The collation that folds them is named, since that of the database may know ASCII letters
-- alone. A sigma at the end of a word is folded like any other: the prefix may go on in the name.
DROP INDEX "users_folded_first_name";
CREATE INDEX "users_folded_first_name"
  ON "users"("app_id", translate(lower("first_name" COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C")
  INCLUDE ("created_at", "id", "first_name") WHERE "first_name" IS NOT NULL;

DROP INDEX "users_folded_last_name";
CREATE INDEX "users_folded_last_name"
  ON "users"("app_id", translate(lower("last_name" COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C")
  INCLUDE ("created_at", "id", "last_name") WHERE "last_name" IS NOT NULL;
