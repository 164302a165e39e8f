-- CreateTable
CREATE TABLE "v1_tokens" (
    "app_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "signed_in_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "v1_tokens_pkey" PRIMARY KEY ("app_id","token_hash")
);

-- CreateTable
CREATE TABLE "v2_usage" (
    "app_id" TEXT NOT NULL,
    "active_users" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "v2_usage_pkey" PRIMARY KEY ("app_id")
);

-- CreateIndex
CREATE INDEX "v1_tokens_app_id_user_id_idx" ON "v1_tokens"("app_id", "user_id");

-- CreateIndex
CREATE INDEX "v1_tokens_app_id_last_used_at_idx" ON "v1_tokens"("app_id", "last_used_at");

-- AddForeignKey
ALTER TABLE "v1_tokens" ADD CONSTRAINT "v1_tokens_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "v2_usage" ADD CONSTRAINT "v2_usage_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
