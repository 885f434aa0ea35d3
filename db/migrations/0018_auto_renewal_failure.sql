-- Why the last charge came to nothing, or why auto-renewal was given up: what the customer sees until a renewal or a switch.
-- `failed_card` is the card as it was named to them then; it may have been replaced since.
alter table auto_renewals
  add column failure text,
  add column failed_card text;
