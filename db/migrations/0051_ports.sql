-- no transaction
-- What the desk lists of number transfers: those under way, and those that ended, the newest first.
create index concurrently if not exists porting_requests_open on porting_requests (created_at, id) include (status, sub_state)
  where status in ('NEW', 'SUBMITTED', 'CANCELLING');
create index concurrently if not exists porting_requests_not_come on porting_requests (ended_at desc, id desc) include (status)
  where status in ('FAILED', 'CANCELLED');
create index concurrently if not exists porting_requests_come on porting_requests (ended_at desc, id desc) where status = 'COMPLETED';
-- A number that is looked for by its beginning.
create index concurrently if not exists porting_requests_by_number on porting_requests (msisdn collate "C", created_at desc);
