-- no transaction
-- A card that goes is looked for by the gateway's name for it: nobody else may have it.
create index concurrently if not exists saved_cards_by_stored_id on saved_cards (stored_id) where stored_id is not null;
