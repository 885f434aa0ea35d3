-- no transaction
-- What was asked without an index, found by explaining every statement: decision 100.
-- When a task of a kind was last done by a person.
create index concurrently if not exists operator_tasks_done on operator_tasks (kind, reason, done_at desc) where done_at is not null;
-- How many payments were refused in a stretch of time.
create index concurrently if not exists refused_payments_refused on refused_payments (refused_at) where refused_at is not null;
-- The order that takes the place of a plan that waits.
create index concurrently if not exists orders_instead_of on orders (instead_of_order_id) where instead_of_order_id is not null;
-- What was asked for of one kind, the newest first.
create index concurrently if not exists approvals_by_kind on approvals (kind, asked_at desc);
