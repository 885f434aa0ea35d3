-- Keys of single purposes that outlive SECRET_KEY, each sealed under it. Where what they have hashed is there already, the key is
-- the one that SECRET_KEY gives: null until the first start has sealed it.
create table kept_keys (
  purpose text primary key,
  sealed_key text
);
insert into kept_keys (purpose)
  select purpose from (values ('voucher'), ('device'), ('address')) as kept (purpose)
  where exists (select from vouchers) or exists (select from users) or exists (select from audit_events);
