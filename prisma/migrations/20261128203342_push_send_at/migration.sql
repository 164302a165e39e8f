-- AlterTable
ALTER TABLE "push_messages" ADD COLUMN     "send_at" TIMESTAMPTZ(6);
