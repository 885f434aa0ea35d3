-- Sessions, limits, the demo's clock, the outbox and the audit trail: what every slice stands on.

create table sessions (
  id uuid primary key,
  token_hash text not null unique,
  user_id uuid,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id) where user_id is not null;
create index sessions_by_expiry on sessions (expires_at);

create table rate_limits (
  key text primary key,
  window_started_at timestamptz not null,
  count integer not null
);
create index rate_limits_by_window on rate_limits (window_started_at);

-- One row: how far the product's clock runs ahead of real time. Only the demo moves it.
create table clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0
);
insert into clock default values;

create table messages (
  id uuid primary key,
  -- Names the business event; the same event never makes a second message.
  event_key text not null unique,
  -- Sent with every try, so that a mailbox can tell a repeat.
  message_id text not null unique,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  subject text not null,
  -- Sealed, because it holds links with tokens; wiped once it is sent.
  sealed_body text,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz not null
);
create index messages_waiting on messages (next_try_at) where sent_at is null and refused_at is null;

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  event text not null,
  user_id uuid,
  session_id uuid,
  details jsonb not null default '{}'
);
create index audit_events_by_user on audit_events (user_id, at) where user_id is not null;
create index audit_events_by_time on audit_events (at);
