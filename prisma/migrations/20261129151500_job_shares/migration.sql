-- Finds the first due jobs of each share of a queue, however many jobs of others wait.
CREATE INDEX IF NOT EXISTS job_shares ON pgboss.job (name, coalesce(singleton_key, ''), created_on, id) WHERE state < 'active';
