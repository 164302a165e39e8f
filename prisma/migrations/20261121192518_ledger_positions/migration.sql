-- Entries are counted in the order in which they took effect; of those that are there, in the order of their ids.
ALTER TABLE "loyalty_entries" ADD COLUMN "position" INTEGER;
UPDATE "loyalty_entries" AS e SET "position" = o."position" FROM (
    SELECT "app_id", "user_id", "id", row_number() OVER (PARTITION BY "app_id", "user_id" ORDER BY "id") AS "position"
    FROM "loyalty_entries"
) AS o WHERE e."app_id" = o."app_id" AND e."user_id" = o."user_id" AND e."id" = o."id";
ALTER TABLE "loyalty_entries" DROP CONSTRAINT "loyalty_entries_pkey",
ALTER COLUMN "position" SET NOT NULL,
ADD CONSTRAINT "loyalty_entries_pkey" PRIMARY KEY ("app_id", "user_id", "position");

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "ledger_size" INTEGER NOT NULL DEFAULT 0;
UPDATE "users" AS u SET "ledger_size" = e."size" FROM (
    SELECT "app_id", "user_id", count(*) AS "size" FROM "loyalty_entries" GROUP BY "app_id", "user_id"
) AS e WHERE u."app_id" = e."app_id" AND u."id" = e."user_id";
