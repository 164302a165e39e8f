-- DropIndex
DROP INDEX "audit_log_app_id_user_id_idx";

-- CreateIndex
CREATE INDEX "audit_log_app_id_actor_id_idx" ON "audit_log"("app_id", "actor", "id");

-- CreateIndex
CREATE INDEX "audit_log_app_id_action_id_idx" ON "audit_log"("app_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_log_app_id_target_id_idx" ON "audit_log"("app_id", "target", "id");

-- CreateIndex
CREATE INDEX "audit_log_app_id_user_id_id_idx" ON "audit_log"("app_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_created_at_idx" ON "audit_log" USING BRIN ("created_at");
