-- CreateTable
CREATE TABLE "files" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "owner_id" TEXT,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "visibility" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "files_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateIndex
CREATE INDEX "files_app_id_owner_id_id_idx" ON "files"("app_id", "owner_id", "id");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_app_id_owner_id_fkey" FOREIGN KEY ("app_id", "owner_id") REFERENCES "users"("app_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
