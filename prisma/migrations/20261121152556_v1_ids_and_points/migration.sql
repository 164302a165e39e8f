-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "last_v1_id" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "points" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "v1_id" INTEGER,
ADD COLUMN     "v1_last_used_at" TIMESTAMPTZ(6);

-- CreateIndex
CREATE INDEX "users_app_id_v1_last_used_at_idx" ON "users"("app_id", "v1_last_used_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_app_id_v1_id_key" ON "users"("app_id", "v1_id");
