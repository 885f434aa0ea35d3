-- no transaction
-- The trail of staff narrowed to one kind of act or look.
create index concurrently if not exists audit_events_of_staff_by_event on audit_events (event, at desc) where staff_id is not null;
create index concurrently if not exists access_log_by_act on access_log (act, at desc);
