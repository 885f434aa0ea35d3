-- What the desk says on the portal, how the outside services answer by the minute, and what a day came to: decision 96.

-- What customers are told on every page. The product's clock.
create table notices (
  id uuid primary key,
  kind text not null check (kind in ('payments', 'network', 'transfers', 'messages')),
  staff_id uuid not null references staff,
  said_at timestamptz not null,
  -- When it ends by itself.
  ends_at timestamptz not null,
  -- When somebody ended it, or the next of its kind took its place.
  ended_at timestamptz,
  check (ends_at > said_at)
);
create unique index one_open_notice_of_a_kind on notices (kind) where ended_at is null;
create index notices_by_staff on notices (staff_id);

-- What all processes together have heard of each outside service. Real time, kept for 14 days.
create table provider_minutes (
  minute timestamptz not null,
  provider text not null,
  ok integer not null,
  failed integer not null,
  -- Of those that were answered.
  slow integer not null,
  -- The highest that a process has found for itself.
  p95_ms integer not null,
  primary key (minute, provider)
);

-- What a day of the market came to. Written when it is over, and again in the nights after, until all its outcomes are known.
create table daily_figures (
  day date primary key,
  activated integer not null,
  renewed integer not null,
  renewed_by_themselves integer not null,
  addons integer not null,
  taken_cents bigint not null,
  given_cents bigint not null,
  payments_asked integer not null,
  payments_refused integer not null,
  -- The same by the minute, as far as there was anything.
  minutes jsonb not null,
  written_at timestamptz not null
);

-- What today has come to so far: counted once for all who look. One row.
create table present_figures (
  single boolean primary key default true check (single),
  -- Real time, and by how much the product's clock was ahead of it.
  counted_at timestamptz not null,
  offset_ms bigint not null,
  -- Since when a process counts anew.
  counting_since timestamptz,
  figures jsonb not null
);
