-- An intent that is committed before its call leaves is `initiated`: nothing is sent before it is sent.
drop index one_live_payment;
update payment_attempts set state = 'initiated' where state = 'sent';
alter table payment_attempts add constraint payment_attempts_state_check
  check (state in ('initiated', 'unknown', 'authorised', 'refused', 'capturing', 'captured', 'cancelled'));
create unique index one_live_payment on payment_attempts (order_id) where state in ('initiated', 'unknown', 'authorised', 'capturing', 'captured');

drop index one_live_operation;
alter table network_operations drop constraint network_operations_state_check;
update network_operations set state = 'initiated' where state = 'sent';
alter table network_operations add constraint network_operations_state_check check (state in ('initiated', 'completed', 'failed', 'rejected'));
create unique index one_live_operation on network_operations (order_id, kind) where state in ('initiated', 'completed');

alter table card_updates drop constraint card_updates_state_check, drop constraint card_updates_check1;
update card_updates set state = 'initiated' where state = 'sent';
alter table card_updates
  add constraint card_updates_state_check check (state in ('initiated', 'unknown', 'stored', 'refused', 'cancelled')),
  add constraint card_updates_card_while_open check (sealed_card is null or state in ('initiated', 'unknown'));

alter table service_releases drop constraint service_releases_state_check;
update service_releases set state = 'initiated' where state = 'sent';
alter table service_releases add constraint service_releases_state_check check (state in ('initiated', 'completed', 'failed'));

alter table refunds drop constraint refunds_state_check;
update refunds set state = 'initiated' where state = 'sent';
alter table refunds add constraint refunds_state_check check (state in ('initiated', 'unknown', 'received', 'refused'));
