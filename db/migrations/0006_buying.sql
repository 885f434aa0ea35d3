-- Renewals, add-ons, auto-renewal, refunds.

-- Whose plan an order renews, and after which order's: one live renewal for a schedule and cycle.
alter table orders add column schedule_id uuid references schedules;
alter table orders add column renews_order_id uuid references orders;
-- The product's clock: when a plan that is paid for ahead begins; null: at once.
alter table orders add column starts_at timestamptz;
-- Charged by us and not by a press of a button.
alter table orders add column auto_renewal boolean not null default false;
create unique index one_live_renewal on orders (schedule_id, renews_order_id) where kind = 'recharge' and state not in ('refused', 'undone');
create unique index one_addon_under_way on orders (service_id, product_id) where kind = 'addon' and state not in ('refused', 'completed', 'undone');
create index orders_by_service on orders (service_id) where service_id is not null;
create index orders_by_renewed_order on orders (renews_order_id) where renews_order_id is not null;

-- A plan that is paid for and waits for the one before it to end.
create table queued_plans (
  service_id uuid primary key references services,
  order_id uuid not null unique references orders,
  product_id text not null references products,
  -- As it was sold.
  length_days integer not null,
  starts_at timestamptz not null
);
create index queued_plans_by_product on queued_plans (product_id);

-- What auto-renewal does next, on the product's clock; null: nothing for this plan.
alter table schedules add column auto_step text check (auto_step in ('notice', 'charge-1', 'charge-2', 'charge-3'));
alter table schedules add column auto_due_at timestamptz;
alter table schedules add constraint schedules_auto_step_due check ((auto_step is null) = (auto_due_at is null));
-- The charge whose end auto-renewal has yet to take in.
alter table schedules add column auto_order_id uuid references orders;
-- What the customer was told it would be: that binds.
alter table schedules add column notified_cents integer;
alter table schedules add column notified_product_id text references products;
create index schedules_auto_due on schedules (auto_due_at) where auto_due_at is not null;
create index schedules_by_auto_order on schedules (auto_order_id) where auto_order_id is not null;
create index schedules_by_notified_product on schedules (notified_product_id) where notified_product_id is not null;

-- Money given back: the intent is here before the call leaves.
create table refunds (
  id uuid primary key,
  order_id uuid not null unique references orders,
  -- After a definite no it may be asked for once more, under a new key.
  attempt integer not null,
  -- `<reference of the payment's attempt>-refund`, and `-2` and so on behind it when asked again.
  reference text not null unique,
  idempotency_key text not null unique,
  state text not null check (state in ('sent', 'unknown', 'received', 'refused')),
  amount_cents integer not null check (amount_cents > 0),
  psp_reference text,
  refusal text,
  -- Real time.
  created_at timestamptz not null,
  wake_at timestamptz,
  tries integer not null default 0
);
create index refunds_to_wake on refunds (wake_at) where wake_at is not null;

-- A credit note belongs to its refund.
alter table invoices add column refund_id uuid unique references refunds;
create index invoices_by_order on invoices (order_id);

-- A file that goes with a mail, by what it is of: it is made when the mail is sent.
alter table messages add column attachment text;
