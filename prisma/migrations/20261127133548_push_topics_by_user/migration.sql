-- AlterTable
ALTER TABLE "push_topics" ADD COLUMN     "by_user" BOOLEAN;

-- Takes about a second per million rows, while writes to the table wait: on a table of many millions, run it with CONCURRENTLY
-- before. If that fails, it leaves an INVALID index, which IF NOT EXISTS accepts: drop that index and repeat the statement.
-- CreateIndex
CREATE INDEX IF NOT EXISTS "push_devices_unlinked_idx" ON "push_devices"("app_id", "id") WHERE ("user_id" IS NULL);
