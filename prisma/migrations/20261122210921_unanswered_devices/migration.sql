-- AlterTable
ALTER TABLE "push_devices" ADD COLUMN     "unanswered_messages" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "unanswered_since" TIMESTAMPTZ(6);
