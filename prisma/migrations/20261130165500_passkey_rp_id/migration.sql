-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "rp_id" TEXT;
