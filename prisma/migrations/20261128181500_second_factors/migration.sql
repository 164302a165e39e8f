-- AlterTable
ALTER TABLE "users" ADD COLUMN     "second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "second_factors" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret" BYTEA,
    "enrolled_at" TIMESTAMPTZ(6),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "recovery_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "pending_secret" BYTEA,
    "pending_at" TIMESTAMPTZ(6),
    "guess_times" TIMESTAMPTZ(6)[] DEFAULT ARRAY[]::TIMESTAMPTZ(6)[],
    "guess_tickets" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "used_tickets" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("app_id","user_id")
);

-- On Citus, where the other tables are distributed.
DO $$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) THEN
      PERFORM create_distributed_table('second_factors', 'app_id', colocate_with => 'users');
    END IF;
  END IF;
END $$;

-- CreateIndex
CREATE INDEX "second_factors_pending_idx" ON "second_factors"("app_id", "pending_at") WHERE ("pending_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
