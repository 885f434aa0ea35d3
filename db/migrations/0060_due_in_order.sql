-- no transaction
-- A night's due work is taken in its order, many at a time: by these indexes it lies in that order, and is not sorted at each taking.
create index concurrently if not exists service_deadlines_in_order on service_deadlines (due_at, service_id);
drop index concurrently if exists service_deadlines_due;
create index concurrently if not exists auto_renewals_by_step on auto_renewals (step, due_at, service_id) where due_at is not null;
