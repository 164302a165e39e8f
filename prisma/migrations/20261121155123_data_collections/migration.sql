-- CreateTable
CREATE TABLE "collections" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT COLLATE "C",
    "access_mode" TEXT NOT NULL,
    "on_user_delete" TEXT NOT NULL,
    "indexes" JSONB NOT NULL DEFAULT '[]',
    "last_index_number" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateTable: ids are ordered by their bytes, whatever the database collates by.
CREATE TABLE "records" (
    "app_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "fields" JSON NOT NULL,
    "bytes" INTEGER NOT NULL,
    "owner_uid" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "records_pkey" PRIMARY KEY ("app_id","collection_id","id")
);

-- CreateTable
CREATE TABLE "record_index" (
    "app_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sort_key" BYTEA NOT NULL,
    "record_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "record_index_pkey" PRIMARY KEY ("app_id","collection_id","number","sort_key","record_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "collections_app_id_name_key" ON "collections"("app_id", "name");

-- CreateIndex
CREATE INDEX "records_app_id_collection_id_owner_uid_id_idx" ON "records"("app_id", "collection_id", "owner_uid", "id");

-- CreateIndex
CREATE INDEX "record_index_app_id_collection_id_record_id_idx" ON "record_index"("app_id", "collection_id", "record_id");

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_app_id_collection_id_fkey" FOREIGN KEY ("app_id", "collection_id") REFERENCES "collections"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "record_index" ADD CONSTRAINT "record_index_app_id_collection_id_record_id_fkey" FOREIGN KEY ("app_id", "collection_id", "record_id") REFERENCES "records"("app_id", "collection_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
