-- No write is missed between the sum below and the end of this migration. Instances of an earlier version do not count
-- their writes: replace all of them soon.
LOCK TABLE "records" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "records" ADD COLUMN "counted_uid" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "data_usage" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "data_usage_pkey" PRIMARY KEY ("app_id","user_id")
) WITH (fillfactor = 70);

-- AddForeignKey
ALTER TABLE "data_usage" ADD CONSTRAINT "data_usage_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A record counts with its fields and 512 bytes (`recordOverheadBytes`).
INSERT INTO "data_usage" ("app_id", "user_id", "bytes")
SELECT "app_id", "owner_uid", sum("bytes" + 512) FROM "records" WHERE "owner_uid" IS NOT NULL
GROUP BY "app_id", "owner_uid";
