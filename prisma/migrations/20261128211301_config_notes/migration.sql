-- AlterTable
ALTER TABLE "config_versions" ADD COLUMN     "changed_count" INTEGER,
ADD COLUMN     "changed_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "note" TEXT;
