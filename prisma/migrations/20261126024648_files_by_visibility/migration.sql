-- Takes about a second per million files, while new ones wait: with many millions, run it with CONCURRENTLY before. If that
-- fails, it leaves an INVALID index, which IF NOT EXISTS accepts: drop that index and repeat the statement.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "files_app_id_visibility_id_idx" ON "files"("app_id", "visibility", "id");
