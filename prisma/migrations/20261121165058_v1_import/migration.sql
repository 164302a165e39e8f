-- AlterTable
ALTER TABLE "users" ADD COLUMN     "password_from_v1" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "v1_imports" (
    "app_id" TEXT NOT NULL,
    "v1_id" INTEGER NOT NULL,
    "line_hash" BYTEA NOT NULL,

    CONSTRAINT "v1_imports_pkey" PRIMARY KEY ("app_id","v1_id")
);

-- AddForeignKey
ALTER TABLE "v1_imports" ADD CONSTRAINT "v1_imports_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
