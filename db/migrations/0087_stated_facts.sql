-- What a reminder or a notice of a charge stated (amount, days, card), so that staff can send a copy; null: no copy can be sent.
alter table messages add column stated jsonb;
