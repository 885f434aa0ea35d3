-- Failures of callers whom nobody knows, counted by kind and hour: a row for each would let anybody fill the audit trail.
create table anonymous_failures (
  id bigint generated always as identity primary key,
  event text not null,
  -- The beginning of the hour, in product time like the two below.
  hour timestamptz not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (event, hour)
);
-- The audit report reads the counts of a period.
create index anonymous_failures_last_at on anonymous_failures (last_at);
