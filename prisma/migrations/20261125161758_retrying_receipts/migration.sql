-- Takes about a second per million receipts, while writes to the table wait: with many millions, run it with CONCURRENTLY
-- before. If that fails, it leaves an INVALID index, which IF NOT EXISTS accepts: drop that index and repeat the statement.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "push_receipts_retrying_idx" ON "push_receipts"("app_id", "message_id", "device_id") WHERE ("status" = 'retrying');
