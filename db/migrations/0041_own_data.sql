-- One's own data: erasure that the customer asks for: decision 80.

-- Erasures that customers have asked for; the row goes with the customer.
create table erasure_requests (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  state text not null check (state in ('waiting', 'called_off')),
  asked_at timestamptz not null,
  -- The product's clock: when it is done, or looked at again.
  due_at timestamptz,
  -- Since when something stands in its way.
  put_off_at timestamptz,
  ended_at timestamptz,
  check ((state = 'waiting') = (due_at is not null))
);
create unique index one_waiting_erasure_of_a_user on erasure_requests (user_id) where state = 'waiting';
create index erasure_requests_by_user on erasure_requests (user_id);
create index erasure_requests_due on erasure_requests (due_at) where due_at is not null;

-- The links of its mails, each of which calls it off.
create table erasure_links (
  token_hash text primary key,
  request_id uuid not null references erasure_requests on delete cascade
);
create index erasure_links_by_request on erasure_links (request_id);
