-- Looks of colleagues that leads check, and how much each role gives back alone: decision 101.

-- One drawing a week: the Monday on which the week begins in which it is looked at.
create table look_checks (
  week date primary key,
  drawn_at timestamptz not null,
  -- Of how many looks without an act it was drawn.
  found integer not null
);

-- What was drawn, and what a lead says of it. The look itself is a row of access_log, which stays for two years.
create table checked_looks (
  id uuid primary key,
  week date not null references look_checks on delete cascade,
  look_id bigint not null,
  -- Whose look it is: they say nothing of it.
  staff_id uuid not null references staff,
  decision text check (decision in ('in_order', 'asked')),
  decided_by uuid references staff,
  decided_at timestamptz,
  check (decided_by <> staff_id),
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null))
);
create unique index checked_looks_of_week on checked_looks (week, look_id);
create index checked_looks_by_staff on checked_looks (staff_id);
create index checked_looks_by_decider on checked_looks (decided_by) where decided_by is not null;

-- How much of an order, and within 24 hours, somebody of a role gives back alone.
create table refund_limits (
  role text primary key check (role in ('support', 'finance')),
  order_cents integer not null check (order_cents >= 0),
  day_cents integer not null check (day_cents >= order_cents),
  -- Since when, by whom, and who said yes; null: as the product came.
  changed_at timestamptz,
  changed_by uuid references staff,
  approved_by uuid references staff
);
create index refund_limits_by_changer on refund_limits (changed_by) where changed_by is not null;
create index refund_limits_by_approver on refund_limits (approved_by) where approved_by is not null;
insert into refund_limits (role, order_cents, day_cents) values ('support', 1000, 10000), ('finance', 10000, 100000);
