-- How an order was paid, said instead of guessed from its amount.
alter table orders add column paid_with text;
update orders set paid_with = case
  when voucher_id is not null then 'voucher'
  when exists (select from payment_attempts where order_id = orders.id and stored_card_id is not null) then 'saved_card'
  else 'card' end;
alter table orders
  alter column paid_with set not null,
  add constraint orders_paid_with_check check (paid_with in ('card', 'saved_card', 'voucher')),
  add constraint orders_voucher_is_paid_with check ((paid_with = 'voucher') = (voucher_id is not null));
