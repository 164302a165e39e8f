-- AlterTable
ALTER TABLE "push_messages" ADD COLUMN     "created_by" TEXT;
