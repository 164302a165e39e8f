-- AlterTable
ALTER TABLE "events" ADD COLUMN     "pending" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "types" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(6),
    "failing_since" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6),
    "lease_id" TEXT,
    "last_attempt_at" TIMESTAMPTZ(6),
    "response_status" INTEGER,
    "duration_ms" INTEGER,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "webhook_replays" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "after_id" TEXT NOT NULL,
    "before_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_deliveries_app_id_endpoint_id_id_idx" ON "webhook_deliveries"("app_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_app_id_endpoint_id_status_id_idx" ON "webhook_deliveries"("app_id", "endpoint_id", "status", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("app_id", "endpoint_id", "next_attempt_at", "id") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "events_app_id_user_id_id_idx" ON "events"("app_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "events_app_id_type_id_idx" ON "events"("app_id", "type", "id");

-- CreateIndex
CREATE INDEX "events_pending_idx" ON "events"("id") WHERE ("pending" = true);

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
