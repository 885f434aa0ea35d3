-- Numbers that are on their way here, each for one transfer. An order that brings one has it from its payment on, so that two
-- that pay at once can't both; its service has it from its delivery until the transfer is through or has failed.
create table reserved_numbers (
  msisdn text primary key,
  -- An order or a service.
  holder uuid not null
);
create index reserved_numbers_by_holder on reserved_numbers (holder);
-- Of several that are open for one number, the one that was first has it.
insert into reserved_numbers (msisdn, holder)
  select distinct on (msisdn) msisdn, service_id from porting_requests
  where status in ('NEW', 'SUBMITTED') order by msisdn, created_at, id;
