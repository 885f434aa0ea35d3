-- A number transfer can be called off: CANCELLING while the network has not said yet whether it still can be, CANCELLED once it is.
alter table porting_requests drop constraint porting_requests_status_check;
alter table porting_requests add constraint porting_requests_status_check
  check (status in ('NEW', 'SUBMITTED', 'CANCELLING', 'COMPLETED', 'FAILED', 'CANCELLED'));
create unique index one_open_port_for_a_service on porting_requests (service_id) where status in ('NEW', 'SUBMITTED', 'CANCELLING');
drop index one_live_port_for_a_service;

alter table porting_requests
  -- Real time: when a call that hands it in last left; null: the network can't have it. What was asked for before, and
  -- by an older version beside this one, may have left.
  add column handed_in_at timestamptz default now(),
  -- The product's clock: the asking to call it off has it as its name at the network.
  add column cancel_asked_at timestamptz,
  -- As the network words it.
  add column sub_state text;
create index porting_requests_by_status on porting_requests (status, created_at, id);
create index porting_requests_by_msisdn on porting_requests (msisdn, created_at);

-- What happened to a transfer, as the people at the provider read it.
create table porting_events (
  id bigint generated always as identity primary key,
  port_id uuid not null references porting_requests on delete cascade,
  -- The product's clock.
  at timestamptz not null,
  event text not null check (event in
    ('requested', 'answered', 'no_answer', 'completed', 'failed', 'cancel', 'cancel_refused', 'cancelled', 'replaced')),
  status text not null,
  sub_state text,
  -- In the network's own words; never shown to a customer.
  code text,
  message text,
  -- 'operator:NAME' or 'system'; null for the customer.
  actor text
);
create index porting_events_by_port on porting_events (port_id, id);
