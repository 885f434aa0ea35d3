-- Auto-renewal is one slice with one store, so it has a table of its own. A service has a row once it has been switched on.
create table auto_renewals (
  service_id uuid primary key references services,
  enabled boolean not null,
  -- What it does next, on the product's clock; null: nothing for this plan.
  step text check (step in ('notice', 'charge')),
  due_at timestamptz,
  -- Charges for the next plan that have been tried. How many there may be is the product's affair.
  attempts integer not null default 0,
  -- The charge whose end has yet to be taken in.
  charge_order_id uuid references orders,
  -- What the customer was told it would be: that binds.
  notified_cents integer,
  notified_product_id text references products,
  constraint auto_renewals_step_due check ((step is null) = (due_at is null))
);
insert into auto_renewals
  select service_id, auto_recharge_enabled, split_part(auto_step, '-', 1), auto_due_at,
    case auto_step when 'charge-2' then 1 when 'charge-3' then 2 else 0 end,
    auto_order_id, notified_cents, notified_product_id
  from schedules
  where auto_recharge_enabled or auto_step is not null or auto_order_id is not null;
create index auto_renewals_due on auto_renewals (due_at) where due_at is not null;
create index auto_renewals_by_charge on auto_renewals (charge_order_id) where charge_order_id is not null;
create index auto_renewals_by_notified_product on auto_renewals (notified_product_id) where notified_product_id is not null;

alter table schedules
  drop column auto_recharge_enabled, drop column auto_step, drop column auto_due_at, drop column auto_order_id,
  drop column notified_cents, drop column notified_product_id;
