-- What the network tells of a number transfer on its way, for its customer to follow: decision 76.

-- A row for each sub-state that a transfer has come to.
create table porting_milestones (
  -- Several may have come in one moment: this is their order then.
  id bigint generated always as identity primary key,
  port_id uuid not null references porting_requests on delete cascade,
  -- In the network's own words.
  sub_state text not null,
  -- When it did, as the network tells; where it does not, when we heard of it, on the product's clock.
  at timestamptz not null,
  unique (port_id, sub_state, at)
);
