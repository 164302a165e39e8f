-- At once, whatever the size of the table: the default is constant.

-- AlterTable
ALTER TABLE "seen_id_tokens" ADD COLUMN     "code_queued" BOOLEAN NOT NULL DEFAULT false;
