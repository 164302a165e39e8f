-- Each of these statements takes about a second per million rows, while writes to its table wait: on tables of many
-- millions, run them with CONCURRENTLY before. If one fails, it leaves an INVALID index, which IF NOT EXISTS accepts: drop
-- that index and repeat the statement.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "codes_app_id_sent_at_idx" ON "codes"("app_id", "sent_at");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "push_devices_invalid_idx" ON "push_devices"("app_id", "invalid_at") WHERE ("invalid_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX IF NOT EXISTS "seen_id_tokens_app_id_seen_at_idx" ON "seen_id_tokens"("app_id", "seen_at");
