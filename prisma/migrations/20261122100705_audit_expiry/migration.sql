-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "expires_at" TIMESTAMPTZ(6);

-- CreateIndex
CREATE INDEX "audit_log_expires_at_idx" ON "audit_log"("expires_at") WHERE ("expires_at" IS NOT NULL);
