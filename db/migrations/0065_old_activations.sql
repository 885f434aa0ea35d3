-- no transaction
-- Activations that were given up before an order are removed after 30 days: by this index, without looking at all others.
create index concurrently if not exists activations_without_order on activations (started_at) where order_id is null;
