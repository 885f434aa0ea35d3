create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) <= 254),
  email_verified_at timestamptz,
  password_hash text not null,
  first_name text not null check (length(first_name) <= 30),
  last_name text not null check (length(last_name) <= 150),
  marketing_consent boolean not null,
  -- The contact phone is the number of one of their services.
  contact_service_id uuid,
  -- The order that made the account; an order undone for good takes its account with it.
  made_by_order uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_by_making_order on users (made_by_order) where made_by_order is not null;

-- A card kept for later payments: what the gateway told, never more.
create table saved_cards (
  user_id uuid primary key references users on delete cascade,
  stored_id text not null,
  card_type text,
  last_four text not null,
  expiry text not null,
  holder_name text not null,
  saved_at timestamptz not null
);

create table email_tokens (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_tokens_by_user on email_tokens (user_id);

create table orders (
  id uuid primary key,
  order_code text not null unique,
  kind text not null check (kind in ('activation', 'recharge', 'addon')),
  state text not null,
  version integer not null default 0,
  session_id uuid references sessions on delete set null,
  user_id uuid references users on delete set null,
  -- The customer's own key for this purchase; a repeat answers this order.
  idempotency_key text,
  product_id text not null references products,
  -- The catalogue as it was at the time of sale: prices and texts come from here from then on.
  product jsonb not null,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null,
  voucher_id uuid references vouchers,
  iccid text not null references sim_packs,
  msisdn text not null,
  email text not null,
  full_name text not null,
  password_hash text,
  marketing_consent boolean not null default false,
  porting jsonb,
  service_id uuid,
  failure_code text,
  -- Real time: when a worker should look again, and how long one may hold it.
  wake_at timestamptz,
  tries integer not null default 0,
  lease_token uuid,
  lease_until timestamptz,
  -- The product's clock: when ERROR_CAN_RETRY is given up.
  due_at timestamptz,
  -- Real time: from when an operator should see that it is still not over.
  overdue_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  unique (session_id, idempotency_key)
);
create index orders_to_wake on orders (wake_at) where wake_at is not null;
create index orders_due on orders (due_at) where due_at is not null;
create index orders_overdue on orders (overdue_at) where overdue_at is not null;
create index orders_by_user on orders (user_id) where user_id is not null;
create index orders_by_voucher on orders (voucher_id) where voucher_id is not null;
create index orders_by_iccid on orders (iccid);
create index orders_by_product on orders (product_id);

alter table vouchers add constraint vouchers_order foreign key (order_id) references orders;
alter table sim_packs add constraint sim_packs_order foreign key (order_id) references orders;

create table payment_attempts (
  id uuid primary key,
  order_id uuid not null references orders,
  attempt integer not null,
  -- `<order_code>-<attempt>`, the gateway's merchantReference.
  reference text not null unique,
  idempotency_key text not null unique,
  state text not null,
  amount_cents integer not null,
  currency text not null,
  shopper_reference text not null,
  -- Sealed; wiped with the outcome, and gone in an hour whatever happens.
  sealed_card text,
  stored_card_id text,
  store boolean not null,
  psp_reference text,
  card jsonb,
  refusal text,
  -- Real time.
  created_at timestamptz not null,
  settle_by timestamptz not null,
  capture_psp_reference text,
  captured_at timestamptz,
  capture_failed_at timestamptz,
  cancelled_at timestamptz,
  unique (order_id, attempt)
);
-- At most one payment of an order is open or taken.
create unique index one_live_payment on payment_attempts (order_id) where state in ('sent', 'unknown', 'authorised', 'capturing', 'captured');
create index payment_attempts_with_cards on payment_attempts (created_at) where sealed_card is not null;
create index payment_attempts_by_psp on payment_attempts (psp_reference) where psp_reference is not null;

-- What we asked of the mobile network; `external_id` makes a repeat harmless.
create table network_operations (
  external_id text primary key,
  order_id uuid not null references orders,
  kind text not null,
  attempt integer not null,
  state text not null check (state in ('sent', 'completed', 'failed', 'rejected')),
  fault text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index network_operations_by_order on network_operations (order_id, created_at);
-- One activation and one plan under way or done for an order.
create unique index one_live_operation on network_operations (order_id, kind) where state in ('sent', 'completed');

create table gateway_notifications (
  psp_reference text not null,
  event_code text not null,
  success boolean not null,
  received_at timestamptz not null,
  primary key (psp_reference, event_code, success)
);

create table network_events (
  event_id text primary key,
  received_at timestamptz not null
);
create index network_events_by_time on network_events (received_at);

-- What a person has to look at: nothing here mends itself.
create table operator_tasks (
  id uuid primary key,
  order_id uuid not null references orders,
  reason text not null,
  created_at timestamptz not null,
  done_at timestamptz,
  unique (order_id, reason)
);
create index operator_tasks_open on operator_tasks (created_at) where done_at is null;

create table activations (
  id uuid primary key,
  session_id uuid not null references sessions on delete cascade,
  user_id uuid references users on delete set null,
  state text not null,
  iccid text not null references sim_packs,
  msisdn text not null,
  setup_porting boolean not null,
  porting jsonb,
  full_name text,
  email text,
  password_hash text,
  marketing_consent boolean not null default false,
  method text check (method in ('voucher', 'payment')),
  voucher_id uuid references vouchers,
  product_id text references products,
  order_id uuid unique references orders,
  started_at timestamptz not null,
  -- The product's clock: without a step it lapses then.
  lapses_at timestamptz not null,
  ended_at timestamptz
);
create unique index one_activation_for_a_session on activations (session_id) where ended_at is null;
create index activations_lapsing on activations (lapses_at) where ended_at is null;
create index activations_by_user on activations (user_id) where user_id is not null;
create index activations_by_iccid on activations (iccid);
create index activations_by_voucher on activations (voucher_id) where voucher_id is not null;
create index activations_by_product on activations (product_id) where product_id is not null;

create table services (
  id uuid primary key,
  user_id uuid not null references users,
  -- The order that made it: one service for an activation.
  order_id uuid not null unique references orders,
  iccid text not null unique references sim_packs,
  msisdn text not null,
  created_at timestamptz not null,
  released_at timestamptz
);
create unique index one_service_for_a_number on services (msisdn) where released_at is null;
create index services_by_user on services (user_id);

create table schedules (
  id uuid primary key,
  short_id text not null unique,
  service_id uuid not null unique references services,
  product_id text not null references products,
  order_id uuid not null unique references orders,
  auto_recharge_enabled boolean not null default false,
  starts_on date not null,
  expires_at timestamptz not null
);
create index schedules_by_expiry on schedules (expires_at);
create index schedules_by_product on schedules (product_id);

create table porting_requests (
  id uuid primary key,
  -- Our operation id at the network: a repeat is harmless.
  external_id text not null unique,
  service_id uuid not null references services,
  -- The wizard's order that asked for it; null when asked for later.
  order_id uuid unique references orders,
  msisdn text not null,
  provider_id text not null references porting_providers,
  billing_method text not null check (billing_method in ('prepay', 'account')),
  prepaid_sim_number text,
  account_number text,
  status text not null check (status in ('NEW', 'SUBMITTED', 'COMPLETED', 'FAILED')),
  version integer not null default 0,
  failure_code text,
  failure_acknowledged_at timestamptz,
  wake_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index porting_requests_by_service on porting_requests (service_id);
create index porting_requests_by_provider on porting_requests (provider_id);
create index porting_requests_to_wake on porting_requests (wake_at) where wake_at is not null;
create unique index one_live_port_for_a_service on porting_requests (service_id) where status in ('NEW', 'SUBMITTED');

create table invoices (
  id uuid primary key,
  -- A credit note has a code of its own.
  order_code text not null unique,
  order_id uuid not null references orders,
  document_type text not null check (document_type in ('invoice', 'credit')),
  service_id uuid not null references services,
  user_id uuid not null references users,
  refund_ref text,
  created_at timestamptz not null,
  email text not null,
  full_name text not null,
  line_items jsonb not null,
  tax_cents integer not null,
  total_cents integer not null,
  currency text not null,
  issuer jsonb not null
);
create unique index one_invoice_for_an_order on invoices (order_id) where document_type = 'invoice';
create index invoices_by_service on invoices (service_id, created_at);
create index invoices_by_user on invoices (user_id);
