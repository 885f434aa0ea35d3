-- no transaction
-- Activations that the network has failed are counted each time that another one fails: by this index, without reading all other orders.
create index concurrently if not exists orders_undone_activations on orders (created_at) where kind = 'activation' and state = 'undone';
