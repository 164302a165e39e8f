-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "request_url" TEXT,
ADD COLUMN     "response_body" TEXT;

-- CreateIndex
CREATE INDEX "webhook_deliveries_response_idx" ON "webhook_deliveries"("app_id", "event_id") WHERE ("response_body" IS NOT NULL);
