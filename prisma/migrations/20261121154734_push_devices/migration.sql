-- CreateTable
CREATE TABLE "push_devices" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token" BYTEA NOT NULL,
    "platform" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "app_version" TEXT,
    "locale" TEXT,
    "name" TEXT,
    "user_id" TEXT,
    "invalid_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_registered_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "push_devices_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "push_topics" (
    "app_id" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,

    CONSTRAINT "push_topics_pkey" PRIMARY KEY ("app_id","topic","device_id")
);

-- CreateIndex
CREATE INDEX "push_devices_app_id_user_id_idx" ON "push_devices"("app_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "push_devices_app_id_provider_token_hash_key" ON "push_devices"("app_id", "provider", "token_hash");

-- CreateIndex
CREATE INDEX "push_topics_app_id_device_id_idx" ON "push_topics"("app_id", "device_id");

-- AddForeignKey
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_topics" ADD CONSTRAINT "push_topics_app_id_device_id_fkey" FOREIGN KEY ("app_id", "device_id") REFERENCES "push_devices"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
