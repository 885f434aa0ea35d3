-- Usage alerts, and how long it is until a service's use is looked at: decision 78.

-- What a customer has chosen for a threshold, in percent of a cycle's data; without a row it is as the market has it.
create table usage_alerts (
  service_id uuid not null references services,
  threshold smallint not null check (threshold between 1 and 100),
  channel text not null check (channel in ('off', 'text', 'email', 'both')),
  primary key (service_id, threshold)
);

-- How a customer is told before a plan ends that all is well; without a row by both.
create table plan_end_alerts (
  service_id uuid primary key references services,
  channel text not null check (channel in ('email', 'both'))
);

create table usage_watch (
  service_id uuid primary key references services,
  -- The product's clock: when the network is asked next; of a row that is taken, until when its worker has it. Null: never, for now.
  due_at timestamptz,
  taken boolean not null default false,
  -- The beginning of the cycle that the rest is of.
  cycle timestamptz,
  -- The highest threshold of which the customer was told in it.
  last_threshold smallint not null default 0,
  -- All data that was left, in MB, when the network was asked last, and when that was.
  left_mb double precision,
  looked_at timestamptz
);
create index usage_watch_due on usage_watch (due_at) where due_at is not null;
create index usage_watch_taken on usage_watch (due_at) where taken;
-- Within a day, so that the network is not asked for all at once.
insert into usage_watch (service_id, due_at) select id, now() + random() * interval '24 hours' from services where released_at is null;
