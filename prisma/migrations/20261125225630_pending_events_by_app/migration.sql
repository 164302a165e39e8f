-- Takes about a second per million events, while new ones wait: with many millions, run it with CONCURRENTLY before. If that
-- fails, it leaves an INVALID index, which IF NOT EXISTS accepts: drop that index and repeat the statement.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "events_pending_app_idx" ON "events"("app_id", "id") WHERE ("pending" = true);
