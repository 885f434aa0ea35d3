-- What happens to a plan and to its number over time, and what the network last said of its use.

-- Everything that is due for a service on the product's clock. What is done is gone from here.
create table service_deadlines (
  service_id uuid not null references services on delete cascade,
  -- The plan's end; so many days before the number goes; the day on which it goes.
  kind text not null check (kind in ('expiry', 'reminder-14', 'reminder-7', 'reminder-1', 'release')),
  due_at timestamptz not null,
  primary key (service_id, kind)
);
create index service_deadlines_due on service_deadlines (due_at);

create index users_by_contact_service on users (contact_service_id) where contact_service_id is not null;

-- A number that goes back to the network: asked for until it is done.
create table service_releases (
  service_id uuid primary key references services,
  -- Our operation id at the network: a repeat is harmless.
  external_id text not null unique,
  state text not null check (state in ('sent', 'completed', 'failed')),
  fault text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Real time.
  wake_at timestamptz,
  tries integer not null default 0
);
create index service_releases_to_wake on service_releases (wake_at) where wake_at is not null;

-- What the network said lately, so that a list of services does not ask it for each of them at every look.
create table usage_readings (
  service_id uuid not null references services on delete cascade,
  -- 'summary', or 'detail-<page>'.
  kind text not null,
  reading jsonb not null,
  -- Real time, for how long it is good; and the product's, to be shown.
  fetched_at timestamptz not null,
  read_at timestamptz not null,
  primary key (service_id, kind)
);
create index usage_readings_by_age on usage_readings (fetched_at);
