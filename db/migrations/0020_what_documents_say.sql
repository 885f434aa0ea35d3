-- What a document says of its sale besides: for which number, what paid, and whether we renewed by ourselves. All of it as it
-- was then: a number is moved and a saved card replaced.
alter table invoices
  add column msisdn text,
  add column paid_with text,
  add column auto_renewal boolean;
update invoices set
  msisdn = orders.msisdn,
  auto_renewal = orders.auto_renewal,
  paid_with = case when orders.paid_with = 'voucher' then 'Voucher' else coalesce(
    (
      select case card ->> 'type' when 'visa' then 'Visa' when 'mc' then 'Mastercard' when 'amex' then 'American Express' else 'Card' end
        || coalesce(' ending ' || nullif(card ->> 'lastFour', ''), '')
      from payment_attempts where order_id = orders.id order by attempt desc limit 1
    ),
    'Card'
  ) end
from orders where orders.id = invoices.order_id;
alter table invoices
  alter column msisdn set not null,
  alter column paid_with set not null,
  alter column auto_renewal set not null;
