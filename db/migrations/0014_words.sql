-- The trade's word: an outcome that is not known is resolved by then.
alter table payment_attempts rename column settle_by to resolve_by;
alter table card_updates rename column settle_by to resolve_by;
