-- CreateTable
CREATE TABLE "apps" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "app_key" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "access_token_seconds" INTEGER NOT NULL DEFAULT 3600,
    "token_algorithm" TEXT NOT NULL DEFAULT 'ES256',
    "allowed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rate_limits" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret_keys" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "secret_keys_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "current_at" TIMESTAMPTZ(6),
    "retired_at" TIMESTAMPTZ(6),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "sessions" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_id" SMALLINT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "secret_hash" BYTEA NOT NULL,
    "spends" TIMESTAMPTZ(6)[] DEFAULT ARRAY[]::TIMESTAMPTZ(6)[],
    "method" TEXT NOT NULL,
    "amr" TEXT[],
    "auth_time" TIMESTAMPTZ(6) NOT NULL,
    "device_name" TEXT,
    "device_type" TEXT NOT NULL,
    "os" TEXT,
    "browser" TEXT,
    "app_version" TEXT,
    "ip_address" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "end_reason" TEXT,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "users" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "first_name" TEXT,
    "last_name" TEXT,
    "photo_url" TEXT,
    "password_hash" TEXT,
    "credential_version" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "claims" JSONB NOT NULL DEFAULT '{}',
    "member_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,
    "last_sign_in_at" TIMESTAMPTZ(6),

    CONSTRAINT "users_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "ip_address" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "apps_slug_key" ON "apps"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "apps_app_key_key" ON "apps"("app_key");

-- CreateIndex
CREATE UNIQUE INDEX "secret_keys_app_id_key_hash_key" ON "secret_keys"("app_id", "key_hash");

-- CreateIndex
CREATE INDEX "sessions_app_id_user_id_idx" ON "sessions"("app_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_app_id_email_key" ON "users"("app_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "users_app_id_member_id_key" ON "users"("app_id", "member_id");

-- AddForeignKey
ALTER TABLE "secret_keys" ADD CONSTRAINT "secret_keys_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A refresh updates its session's row in place. With room left on each page the new version goes beside the old one and
-- no index is touched (a HOT update), and the old version is cleared away by the next visit to the page.
ALTER TABLE "sessions" SET (fillfactor = 70);

-- Prisma reads NULL in a list column as an empty list, but SQL does not: cardinality(NULL) is NULL, and no condition on it
-- holds. These columns are always lists.
ALTER TABLE "apps" ALTER COLUMN "allowed_origins" SET NOT NULL;
ALTER TABLE "secret_keys" ALTER COLUMN "scopes" SET NOT NULL;
ALTER TABLE "sessions" ALTER COLUMN "spends" SET NOT NULL, ALTER COLUMN "amr" SET NOT NULL;
