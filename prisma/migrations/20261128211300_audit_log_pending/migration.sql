-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "pending" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "audit_log_pending_idx" ON "audit_log"("id") WHERE ("pending" = true);

-- CreateIndex
CREATE INDEX "audit_log_pending_app_idx" ON "audit_log"("app_id", "id") WHERE ("pending" = true);
