-- The provider's people ask a transfer's customer for their answer once more, or for what is wrong: decision 105.
alter table porting_events drop constraint porting_events_event_check, add constraint porting_events_event_check check (event in
  ('requested', 'answered', 'no_answer', 'completed', 'failed', 'cancel', 'cancel_refused', 'cancelled', 'replaced', 'reminded', 'asked')) not valid;
