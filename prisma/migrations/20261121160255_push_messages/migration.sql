-- CreateTable
CREATE TABLE "push_messages" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "target" JSONB NOT NULL,
    "content" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "target_count" INTEGER NOT NULL,
    "accepted_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "invalid_count" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "pass" INTEGER NOT NULL DEFAULT 1,
    "after_device" TEXT NOT NULL DEFAULT '',
    "wait_seconds" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "push_messages_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "push_receipts" (
    "app_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "provider_message_id" TEXT,
    "attempts" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "push_receipts_pkey" PRIMARY KEY ("app_id","message_id","device_id")
);

-- AddForeignKey
ALTER TABLE "push_messages" ADD CONSTRAINT "push_messages_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
