-- no transaction
-- A change of mind: an order that takes the place of the plan that waits once it is paid for: decision 82.

-- The order of the plan that it is to take the place of, for good.
alter table orders add column if not exists instead_of_order_id uuid references orders;

-- Of the renewals of a plan one stands. One that is to take the place of another stands from the moment at which it does; that one
-- no more, and one that comes too late never.
create unique index concurrently if not exists one_next_plan on orders (schedule_id, renews_order_id)
  where kind = 'recharge' and state not in ('refused', 'undone', 'cancelling', 'cancelled')
    and (instead_of_order_id is null or (state in ('finishing', 'completed') and failure_code is null));
-- One change of a plan at a time.
create unique index concurrently if not exists one_change_of_a_plan on orders (instead_of_order_id)
  where instead_of_order_id is not null and state not in ('refused', 'undone', 'cancelling', 'cancelled');
drop index concurrently if exists one_standing_renewal;
