-- CreateTable
CREATE TABLE "passkeys" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT[],
    "aaguid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("app_id","id")
);

-- On Citus, where the other tables are distributed.
DO $$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) THEN
      PERFORM create_distributed_table('passkeys', 'app_id', colocate_with => 'users');
    END IF;
  END IF;
END $$;

-- CreateTable
CREATE TABLE "used_passkey_challenges" (
    "app_id" TEXT NOT NULL,
    "challenge_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "used_passkey_challenges_pkey" PRIMARY KEY ("app_id","challenge_hash")
);

-- On Citus, where the other tables are distributed.
DO $$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) THEN
      PERFORM create_distributed_table('used_passkey_challenges', 'app_id', colocate_with => 'users');
    END IF;
  END IF;
END $$;

-- CreateIndex
CREATE INDEX "passkeys_app_id_user_id_id_idx" ON "passkeys"("app_id", "user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_app_id_credential_id_key" ON "passkeys"("app_id", "credential_id");

-- CreateIndex
CREATE INDEX "used_passkey_challenges_app_id_used_at_idx" ON "used_passkey_challenges"("app_id", "used_at");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
