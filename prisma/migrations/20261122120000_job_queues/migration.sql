-- The queues that have been added since the job queue's tables: making one takes longer than all the rest of a start. Those
-- that an earlier start has made stay as they are.
SELECT pgboss.create_queue(name, '{"policy": "standard"}') FROM unnest(ARRAY[
  'data_build_index', 'data_remove_index', 'data_remove_records', 'files_remove_bytes', 'push'
]) AS name;
