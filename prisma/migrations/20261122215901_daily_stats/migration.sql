-- CreateTable
CREATE TABLE "daily_stats" (
    "app_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "name" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "daily_stats_pkey" PRIMARY KEY ("app_id","day","name")
);

-- CreateTable
CREATE TABLE "daily_active_users" (
    "app_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "version" SMALLINT NOT NULL,
    "user_id" TEXT NOT NULL,

    CONSTRAINT "daily_active_users_pkey" PRIMARY KEY ("app_id","day","version","user_id")
);

-- CreateIndex
CREATE INDEX "daily_stats_day_idx" ON "daily_stats"("day");

-- CreateIndex
CREATE INDEX "daily_active_users_day_idx" ON "daily_active_users"("day");

-- AddForeignKey
ALTER TABLE "daily_stats" ADD CONSTRAINT "daily_stats_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
