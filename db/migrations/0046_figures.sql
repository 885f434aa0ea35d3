-- no transaction
-- What the desk's first page counts: ranges of a day, read from the index alone.
create index concurrently if not exists orders_by_completion on orders (completed_at) include (kind, auto_renewal, amount_cents)
  where completed_at is not null;
create index concurrently if not exists payment_attempts_by_time on payment_attempts (created_at, state);
create index concurrently if not exists payment_attempts_refused on payment_attempts (created_at) include (refusal) where state = 'refused';
create index concurrently if not exists refunds_by_time on refunds (created_at) include (state, amount_cents, psp_reference);
-- The list of what is not well, newest first.
create index concurrently if not exists orders_to_look_at on orders (created_at desc, id desc) where state not in ('completed', 'cancelled');
-- What one member of staff did, their refunds of a day among it.
create index concurrently if not exists audit_events_by_staff on audit_events (staff_id, at desc) where staff_id is not null;
-- What all of them did and looked at, newest first.
create index concurrently if not exists audit_events_of_staff on audit_events (at desc) where staff_id is not null;
create index concurrently if not exists access_log_by_time on access_log (at desc);
