-- What was used in each data cycle of a plan, and the mail of a year: decision 79.

-- A row for each cycle of a plan that has begun. Once it has ended the network is asked, whose own word is good for five weeks only.
create table cycle_usage (
  service_id uuid not null references services,
  -- Instants, local midnights but where a plan was renewed at once: that ends one cycle and begins another.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  product_id text not null references products,
  -- False: a renewal cut it short.
  is_whole boolean not null default true,
  -- MB; null while nobody knows, and for ever where the network never said.
  used_mb integer check (used_mb >= 0),
  -- When the plan's own data was used up; null: it was not.
  ran_out_at timestamptz,
  -- The product's clock: when the network is asked next; null once that is over.
  due_at timestamptz,
  primary key (service_id, starts_at),
  check (starts_at < ends_at)
);
create index cycle_usage_due on cycle_usage (due_at) where due_at is not null;
create index cycle_usage_by_end on cycle_usage (ends_at);

-- When a customer is next sent what a year has come to.
create table yearly_summaries (
  user_id uuid primary key references users on delete cascade,
  due_at timestamptz not null
);
create index yearly_summaries_due on yearly_summaries (due_at);
