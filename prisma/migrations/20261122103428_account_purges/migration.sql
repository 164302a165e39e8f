-- DropForeignKey
ALTER TABLE "files" DROP CONSTRAINT "files_app_id_owner_id_fkey";

-- DropForeignKey
ALTER TABLE "loyalty_entries" DROP CONSTRAINT "loyalty_entries_app_id_user_id_fkey";

-- DropForeignKey
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_app_id_user_id_fkey";

-- CreateTable
CREATE TABLE "account_purges" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(6) NOT NULL,
    "audit_after" TEXT NOT NULL,
    "events_after" TEXT NOT NULL,
    "rows_left" BOOLEAN NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_purges_pkey" PRIMARY KEY ("app_id","user_id")
);

-- CreateIndex
CREATE INDEX "account_purges_due_at_idx" ON "account_purges"("due_at");

-- CreateIndex
CREATE INDEX "account_purges_rows_left_idx" ON "account_purges"("app_id", "user_id") WHERE ("rows_left" = true);

-- AddForeignKey
ALTER TABLE "account_purges" ADD CONSTRAINT "account_purges_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
