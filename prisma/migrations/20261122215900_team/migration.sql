-- The slug `console` is reserved for the app of the team accounts. Slugs are only names on the command line and in v1.
UPDATE "apps" SET "slug" = 'console-' || lower(right("id", 6)) WHERE "slug" = 'console';

-- CreateTable
CREATE TABLE "team_members" (
    "app_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "team_members_pkey" PRIMARY KEY ("app_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "mail_token_hash" BYTEA,
    "invited_by" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("app_id","id")
);

-- CreateIndex
CREATE INDEX "team_members_user_id_idx" ON "team_members"("user_id");

-- CreateIndex
CREATE INDEX "invitations_token_hash_idx" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_mail_token_hash_idx" ON "invitations"("mail_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_app_id_email_key" ON "invitations"("app_id", "email");

-- AddForeignKey
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
