-- CreateTable
CREATE TABLE "user_exports" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL,
    "file_id" TEXT,
    "size" INTEGER,
    "expires_at" TIMESTAMPTZ(6),

    CONSTRAINT "user_exports_pkey" PRIMARY KEY ("app_id","user_id")
);

-- On Citus, where the other tables are distributed.
DO $$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) THEN
      PERFORM create_distributed_table('user_exports', 'app_id', colocate_with => 'users');
    END IF;
  END IF;
END $$;

-- AddForeignKey
ALTER TABLE "user_exports" ADD CONSTRAINT "user_exports_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- The queues of its jobs: making one takes longer than all the rest of a start.
SELECT pgboss.create_queue(name, '{"policy": "standard"}') FROM unnest(ARRAY['user_export', 'user_export_expiry']) AS name;
