-- Every prefix of order codes so far. The provider's folder sets the prefix of new order codes, and a reference with an earlier prefix is
-- still ours.
create table order_prefixes (
  prefix text primary key check (prefix ~ '^[A-Z]{2,4}$')
);
-- All orders of earlier versions have this prefix.
insert into order_prefixes (prefix) values ('FT');
