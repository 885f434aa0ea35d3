-- no transaction
-- Plans that were paid for, waited for the one before them to end, and were cancelled by their customer: decision 75.

create table if not exists cancelled_plans (
  order_id uuid primary key references orders,
  service_id uuid not null references services,
  -- The product's clock.
  cancelled_at timestamptz not null
);
create index concurrently if not exists cancelled_plans_by_service on cancelled_plans (service_id, cancelled_at);

-- What was cancelled is in the way of no other renewal. An older version writes no such order, and takes one for a renewal that stands.
create unique index concurrently if not exists one_standing_renewal on orders (schedule_id, renews_order_id)
  where kind = 'recharge' and state not in ('refused', 'undone', 'cancelled');
drop index concurrently if exists one_live_renewal;
