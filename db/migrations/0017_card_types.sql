-- What is reserved on a card of a type that is not taken is let go of: that is committed before the call leaves.
alter table payment_attempts drop constraint payment_attempts_state_check;
alter table payment_attempts add constraint payment_attempts_state_check
  check (state in ('initiated', 'unknown', 'authorised', 'refused', 'capturing', 'captured', 'cancelling', 'cancelled'));
drop index one_live_payment;
create unique index one_live_payment on payment_attempts (order_id)
  where state in ('initiated', 'unknown', 'authorised', 'capturing', 'captured', 'cancelling');

alter table card_updates drop constraint card_updates_failure_check;
alter table card_updates add constraint card_updates_failure_check check (failure in ('declined', 'unreadable', 'unconfirmed', 'card_type'));
