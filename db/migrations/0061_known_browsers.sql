-- A known browser stays known until the account's password epoch changes, and for fewer than ten failed logins in a row: decision 128.

alter table users add column password_epoch integer not null default 0;

-- Failed logins in a row of one known browser. A login that succeeds deletes its row.
create table browser_failures (
  -- SHA-256 of the random id in the browser's cookie.
  device_hash text primary key,
  failures integer not null check (failures >= 0),
  failed_at timestamptz not null
);
create index browser_failures_by_date on browser_failures (failed_at);
