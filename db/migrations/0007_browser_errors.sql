-- Unexpected errors in customers' browsers, each once, with how often it was reported. Nothing in it is of a customer.
create table browser_errors (
  -- Hash of name, message, top frame and page.
  fingerprint text primary key,
  kind text not null check (kind in ('error', 'rejection', 'render', 'call')),
  name text not null,
  message text not null,
  -- Innermost frame of our own; null: none was told.
  top_frame text,
  -- The page's pattern, never its path.
  page text not null,
  -- The build that it was reported of last.
  build text not null,
  -- Real time.
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  count integer not null check (count > 0)
);
-- Listed newest first; the oldest go when there are too many.
create index browser_errors_by_last_seen on browser_errors (last_seen);
