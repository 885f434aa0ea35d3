-- no transaction
-- What came of mail and texts, for whoever looks after them: decision 103.

-- What was said to the last try that did not succeed, without an address or a number; gone once it is sent.
alter table messages add column if not exists answer text;
-- Real time: when it was last handed to whoever sends it. Those of before, and of an older version, have none.
alter table messages add column if not exists queued_at timestamptz;

create index concurrently if not exists messages_refused on messages (refused_at, id) where refused_at is not null;
-- Those that are to be sent now; what waits for the morning is not among them.
create index concurrently if not exists messages_waiting on messages (coalesce(queued_at, created_at), id) where retry_at is not null;
