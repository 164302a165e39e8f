-- No foreign key follows a changed app id, so that the tables can be distributed by app. No id is ever changed.
-- NOT VALID: the keys replace keys that were checked; the next migration reads the rows without stopping writes.
ALTER TABLE "team_members" DROP CONSTRAINT "team_members_app_id_fkey",
  ADD CONSTRAINT "team_members_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_app_id_fkey",
  ADD CONSTRAINT "invitations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "app_secrets" DROP CONSTRAINT "app_secrets_app_id_fkey",
  ADD CONSTRAINT "app_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "secret_keys" DROP CONSTRAINT "secret_keys_app_id_fkey",
  ADD CONSTRAINT "secret_keys_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "config_versions" DROP CONSTRAINT "config_versions_app_id_fkey",
  ADD CONSTRAINT "config_versions_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "v1_tokens" DROP CONSTRAINT "v1_tokens_app_id_user_id_fkey",
  ADD CONSTRAINT "v1_tokens_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "identities" DROP CONSTRAINT "identities_app_id_user_id_fkey",
  ADD CONSTRAINT "identities_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "push_devices" DROP CONSTRAINT "push_devices_app_id_fkey",
  ADD CONSTRAINT "push_devices_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "push_devices" DROP CONSTRAINT "push_devices_app_id_user_id_fkey",
  ADD CONSTRAINT "push_devices_app_id_user_id_fkey" FOREIGN KEY ("app_id", "user_id") REFERENCES "users"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "push_topics" DROP CONSTRAINT "push_topics_app_id_device_id_fkey",
  ADD CONSTRAINT "push_topics_app_id_device_id_fkey" FOREIGN KEY ("app_id", "device_id") REFERENCES "push_devices"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "push_messages" DROP CONSTRAINT "push_messages_app_id_fkey",
  ADD CONSTRAINT "push_messages_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "users" DROP CONSTRAINT "users_app_id_fkey",
  ADD CONSTRAINT "users_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "account_purges" DROP CONSTRAINT "account_purges_app_id_fkey",
  ADD CONSTRAINT "account_purges_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "files" DROP CONSTRAINT "files_app_id_fkey",
  ADD CONSTRAINT "files_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "v2_usage" DROP CONSTRAINT "v2_usage_app_id_fkey",
  ADD CONSTRAINT "v2_usage_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "v1_imports" DROP CONSTRAINT "v1_imports_app_id_fkey",
  ADD CONSTRAINT "v1_imports_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "collections" DROP CONSTRAINT "collections_app_id_fkey",
  ADD CONSTRAINT "collections_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "records" DROP CONSTRAINT "records_app_id_collection_id_fkey",
  ADD CONSTRAINT "records_app_id_collection_id_fkey" FOREIGN KEY ("app_id", "collection_id") REFERENCES "collections"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "data_usage" DROP CONSTRAINT "data_usage_app_id_fkey",
  ADD CONSTRAINT "data_usage_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "record_index" DROP CONSTRAINT "record_index_app_id_collection_id_record_id_fkey",
  ADD CONSTRAINT "record_index_app_id_collection_id_record_id_fkey" FOREIGN KEY ("app_id", "collection_id", "record_id") REFERENCES "records"("app_id", "collection_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_app_id_fkey",
  ADD CONSTRAINT "webhook_endpoints_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "webhook_replays" DROP CONSTRAINT "webhook_replays_app_id_endpoint_id_fkey",
  ADD CONSTRAINT "webhook_replays_app_id_endpoint_id_fkey" FOREIGN KEY ("app_id", "endpoint_id") REFERENCES "webhook_endpoints"("app_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "daily_stats" DROP CONSTRAINT "daily_stats_app_id_fkey",
  ADD CONSTRAINT "daily_stats_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
