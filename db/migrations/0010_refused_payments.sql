-- Payments that were refused, and those on their way: what the limits of refused payments count, and what the operator sees of
-- a wave of them. Nothing here says which card it was.
create table refused_payments (
  -- The gateway's merchantReference: asking again about the same attempt counts once.
  reference text primary key,
  kind text not null check (kind in ('activation', 'recharge', 'addon', 'card_update')),
  -- Real time, as of all limits.
  asked_at timestamptz not null,
  -- Null while there is no answer: counted as refused until it is not. One that succeeds is taken out.
  refused_at timestamptz,
  -- Keyed: the table does not say where anybody was.
  address_hash text not null,
  session_id uuid,
  iccid text,
  user_id uuid
);
create index refused_payments_by_time on refused_payments (asked_at);
create index refused_payments_by_address on refused_payments (address_hash, asked_at);
create index refused_payments_by_session on refused_payments (session_id, asked_at) where session_id is not null;
create index refused_payments_by_sim on refused_payments (iccid, asked_at) where iccid is not null;
create index refused_payments_by_user on refused_payments (user_id, asked_at) where user_id is not null;
