-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "user_id" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_proven" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app_secrets" (
    "app_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "app_secrets_pkey" PRIMARY KEY ("app_id","name")
);

-- CreateTable
CREATE TABLE "codes" (
    "app_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "key_id" SMALLINT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "codes_pkey" PRIMARY KEY ("app_id","purpose","subject")
);

-- CreateTable
CREATE TABLE "identities" (
    "app_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" TEXT,
    "client_id" TEXT NOT NULL,
    "refresh_token" BYTEA,
    "linked_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("app_id","provider","subject")
);

-- CreateTable
CREATE TABLE "seen_id_tokens" (
    "app_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "seen_id_tokens_pkey" PRIMARY KEY ("app_id","token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "identities_app_id_user_id_provider_key" ON "identities"("app_id", "user_id", "provider");

-- CreateIndex
CREATE INDEX "audit_log_app_id_user_id_idx" ON "audit_log"("app_id", "user_id");

-- AddForeignKey
ALTER TABLE "app_secrets" ADD CONSTRAINT "app_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
