-- What the card gateway has acknowledged and not told the outcome of, and the books that are compared every night: decision 69.

-- A row for each call that waits for its notification; it goes with it, so that there are few.
create table unconfirmed_calls (
  id uuid primary key,
  order_id uuid not null references orders,
  kind text not null check (kind in ('capture', 'cancel', 'technicalCancel', 'refund')),
  -- The attempt's reference.
  payment text not null,
  -- As the call was sent, for it to be sent again.
  reference text not null,
  original_reference text not null,
  idempotency_key text not null,
  amount_cents integer not null,
  currency text not null,
  -- The gateway's, of the call.
  psp_reference text not null,
  -- Real time: a key is kept for so long.
  acknowledged_at timestamptz not null,
  -- What comes next, and when on the product's clock; null once a person is told.
  step text not null check (step in ('ask', 'report')),
  due_at timestamptz,
  -- Real time: when the gateway is asked once more; null while nobody asks.
  retry_at timestamptz,
  tries integer not null default 0,
  unique (kind, reference)
);
create index unconfirmed_calls_by_payment on unconfirmed_calls (payment, kind);
create index unconfirmed_calls_due on unconfirmed_calls (due_at) where due_at is not null;
create index unconfirmed_calls_retried on unconfirmed_calls (retry_at) where retry_at is not null;

-- A row for each night in which what was sold was compared with the providers' books.
create table nightly_reconciliations (
  -- The market's day in whose early hours it began.
  night text primary key,
  -- The product's clock: what was sold from then on is compared, and what was sold up to `after_at` has been.
  since timestamptz not null,
  begun_at timestamptz not null,
  after_at timestamptz,
  after_id uuid,
  checked integer not null default 0,
  findings integer not null default 0,
  silent integer not null default 0,
  -- Real time.
  done_at timestamptz,
  retry_at timestamptz,
  tries integer not null default 0
);
create index nightly_reconciliations_open on nightly_reconciliations (retry_at) where retry_at is not null;
