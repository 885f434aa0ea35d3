-- Refunds in part, disputes, what happened to an order, tasks about anything. Safe beside a process of before: decisions 55 and 56.

-- Several refunds of an order, of which one at a time is open. A process of before gives back all at once, under the reference of the
-- first: it is still refused by that, as `reference` stays unique.
alter table refunds drop constraint refunds_order_id_key;
create unique index one_open_refund on refunds (order_id) where state in ('initiated', 'unknown');
-- The number of the try among all that were made for its order.
create unique index refunds_by_attempt on refunds (order_id, attempt);
alter table refunds drop constraint refunds_state_check;
alter table refunds add constraint refunds_state_check check (state in ('initiated', 'unknown', 'received', 'refused', 'returned'));
-- In the operator's words.
alter table refunds add column reason text;

-- A credit note is of exactly what its refund gives back. A process of before would write one of all the money for a part: it cannot.
alter table refunds add column credit_cents integer generated always as (-amount_cents) stored;
alter table refunds add constraint refunds_by_credit unique (id, credit_cents);
alter table invoices add constraint invoices_credit_of_refund foreign key (refund_id, total_cents) references refunds (id, credit_cents);
alter table invoices add column is_partial boolean not null default false;

-- What a bank takes back of a payment, or may.
create table disputes (
  id uuid primary key,
  order_id uuid not null references orders,
  -- The gateway's, the same in all that it tells of one dispute.
  psp_reference text not null unique,
  state text not null check (state in ('announced', 'charged_back', 'reversed', 'lost')),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  reason text not null,
  -- Until when it can be contested, as the gateway says.
  due_at timestamptz,
  -- Real time.
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index disputes_by_order on disputes (order_id);
create index disputes_by_time on disputes (created_at);
create index disputes_open on disputes (created_at) where state in ('announced', 'charged_back');

-- What happened to an order, beyond what its attempts, operations and refunds say. Rows are only ever added, or counted up.
create table order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders,
  -- Real time; of one that came several times the first and the last.
  at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  kind text not null check (kind in ('state', 'call', 'notification', 'act')),
  name text not null,
  -- The reference of what it is about.
  subject text,
  from_state text,
  to_state text,
  detail text,
  -- Who acted, as in audit_events.
  actor text
);
create index order_events_by_order on order_events (order_id, id);

-- Tasks about anything. A process of before makes and lists those about orders.
alter table operator_tasks alter column order_id drop not null;
alter table operator_tasks add column kind text not null default 'order';
alter table operator_tasks add column subject text;
alter table operator_tasks add column due_at timestamptz;
alter table operator_tasks add column done_by text;
alter table operator_tasks add column note text;
alter table operator_tasks add constraint operator_tasks_about check (order_id is not null or subject is not null);
create unique index operator_tasks_by_subject on operator_tasks (kind, subject, reason) where order_id is null;

-- What has been sold since a day, in its order: to be compared with the gateway and the network.
create index orders_by_time on orders (created_at, id);
create index gateway_notifications_by_event on gateway_notifications (event_code, received_at);
