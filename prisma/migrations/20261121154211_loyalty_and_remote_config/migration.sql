-- CreateTable
CREATE TABLE "config_versions" (
    "app_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "parameters" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "updated_by" TEXT NOT NULL,
    "rolled_back_to" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "config_versions_pkey" PRIMARY KEY ("app_id","version")
);

-- CreateTable
CREATE TABLE "loyalty_entries" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "reference" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "loyalty_entries_pkey" PRIMARY KEY ("app_id","user_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "loyalty_entries_app_id_user_id_reference_key" ON "loyalty_entries"("app_id", "user_id", "reference");

-- AddForeignKey
ALTER TABLE "config_versions" ADD CONSTRAINT "config_versions_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "loyalty_entries" ADD CONSTRAINT "loyalty_entries_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The balance was never anything else, and may never become it.
ALTER TABLE "users" ADD CONSTRAINT "users_points_check" CHECK ("points" >= 0);

-- Apps that are there already begin with what a new app begins with.
INSERT INTO "config_versions" ("app_id", "version", "parameters", "content_hash", "updated_by", "created_at")
SELECT "id", 1, '{"telegram_url":{"type":"string","value":"","description":""},"tiers":{"type":"json","value":[],"description":""},"exclusive_offers":{"type":"json","value":[],"description":""},"events":{"type":"json","value":[],"description":""},"services":{"type":"json","value":[],"description":""},"cards":{"type":"json","value":[],"description":""},"payment_infrastructure":{"type":"json","value":{},"description":""},"concierge":{"type":"json","value":{},"description":""},"meta_ads":{"type":"json","value":{},"description":""}}', '6da509e230231763', 'system', "created_at"
FROM "apps";
