-- DropIndex
DROP INDEX "sessions_app_id_user_id_idx";

-- CreateIndex
CREATE INDEX "sessions_app_id_user_id_id_idx" ON "sessions"("app_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "sessions_live_idx" ON "sessions"("app_id", "user_id", "id") WHERE ("ended_at" IS NULL);
