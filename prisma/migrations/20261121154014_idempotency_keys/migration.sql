-- CreateTable
CREATE TABLE "idempotency_keys" (
    "app_id" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "claim_id" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(6) NOT NULL,
    "key_id" SMALLINT NOT NULL,
    "request" BYTEA NOT NULL,
    "answer" BYTEA,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("app_id","actor","route","key")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");
