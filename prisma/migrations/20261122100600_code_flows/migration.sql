-- Several live codes a subject. Codes that are under way go on working for clients that send no flow: an id of zeros is older
-- than every ULID, and no X-Code-Flow has an empty hash. A used code is deleted from now on.
-- An instance of the version before cannot mail codes once this is applied, so replace all instances together.
DELETE FROM "codes" WHERE "used_at" IS NOT NULL;

-- AlterTable
ALTER TABLE "codes" DROP CONSTRAINT "codes_pkey",
DROP COLUMN "used_at",
ADD COLUMN     "flow_guesses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "flow_hash" BYTEA NOT NULL DEFAULT '',
ADD COLUMN     "id" TEXT NOT NULL DEFAULT '00000000000000000000000000',
ADD CONSTRAINT "codes_pkey" PRIMARY KEY ("app_id", "purpose", "subject", "id");
ALTER TABLE "codes" ALTER COLUMN "flow_hash" DROP DEFAULT,
ALTER COLUMN "id" DROP DEFAULT;
