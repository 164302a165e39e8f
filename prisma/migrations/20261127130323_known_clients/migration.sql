-- AlterTable
ALTER TABLE "codes" ADD COLUMN     "by_known" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "flow_only" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "flow_hash" BYTEA;
