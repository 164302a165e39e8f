-- What breaks the rules that follow: replays of webhooks that are gone, and all but the oldest of each webhook.
DELETE FROM "webhook_replays" AS r WHERE
  NOT EXISTS (SELECT FROM "webhook_endpoints" AS e WHERE e."app_id" = r."app_id" AND e."id" = r."endpoint_id")
  OR EXISTS (SELECT FROM "webhook_replays" AS o
    WHERE o."app_id" = r."app_id" AND o."endpoint_id" = r."endpoint_id" AND o."id" < r."id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_replays_app_id_endpoint_id_key" ON "webhook_replays"("app_id", "endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_app_id_endpoint_id_fkey" FOREIGN KEY ("app_id", "endpoint_id") REFERENCES "webhook_endpoints"("app_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
