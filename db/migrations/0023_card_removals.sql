-- Cards that the gateway is to keep no longer: the intent is here before the call leaves.
create table card_removals (
  id uuid primary key,
  -- Both as the gateway knows them.
  stored_id text not null,
  shopper_reference text not null,
  idempotency_key text not null unique,
  state text not null check (state in ('initiated', 'removed', 'refused', 'kept')),
  -- What the gateway said, for the log.
  refusal text,
  -- Real time.
  created_at timestamptz not null,
  retry_at timestamptz,
  tries integer not null default 0,
  check ((state = 'initiated') = (retry_at is not null))
);
create index card_removals_to_retry on card_removals (retry_at) where retry_at is not null;
-- A card that is being charged is not taken away from under the charge.
create index payment_attempts_open_by_card on payment_attempts (stored_card_id)
  where stored_card_id is not null and state in ('initiated', 'unknown');
