-- no transaction
-- What is left in stock, and at which pace it goes, is counted on the desk's first page: neither looks through vouchers that are used up.
create index concurrently if not exists vouchers_unused on vouchers (product_id, batch_id, expires_at)
  where order_id is null and voided_at is null;
create index concurrently if not exists vouchers_redeemed on vouchers (redeemed_at, product_id) where redeemed_at is not null;

-- Who of the provider's people is at a number transfer; one without a row is free.
create table if not exists port_owners (
  port_id uuid primary key references porting_requests on delete cascade,
  staff_id uuid not null references staff,
  taken_at timestamptz not null
);
create index concurrently if not exists port_owners_by_staff on port_owners (staff_id);

-- What came of the transfers of late from one provider.
create index concurrently if not exists porting_requests_of_donor on porting_requests (provider_id, created_at)
  include (status, failure_code, ended_at);
