-- no transaction
-- Staff find customers by any words of their name, in any order. Searches read the indexes at once instead of collecting new rows in a list,
-- which each search would have to read.
create index concurrently if not exists users_by_name_words on users
  using gin (array_to_tsvector(name_words(first_name || ' ' || last_name))) with (fastupdate = off);
-- Activations that are unfinished or have failed are found by name, email address, number and SIM, by the beginning or the end of a number.
create index concurrently if not exists unfinished_activation_orders_by_words on orders
  using gin (array_to_tsvector(name_words(full_name) || array['email:' || email, 'number:' || msisdn, 'number end:' || reverse(msisdn),
    'sim:' || iccid, 'sim end:' || reverse(iccid)])) with (fastupdate = off)
  where kind = 'activation' and state <> 'completed';
create index concurrently if not exists activations_without_order_by_words on activations
  using gin (array_to_tsvector(name_words(full_name) || array['email:' || coalesce(email, ''), 'number:' || msisdn,
    'number end:' || reverse(msisdn), 'sim:' || iccid, 'sim end:' || reverse(iccid)])) with (fastupdate = off)
  where order_id is null;
-- Numbers that are being transferred are found by their last digits, as callers say them without the prefix.
create index concurrently if not exists porting_requests_by_number_end on porting_requests ("right"(msisdn, 4));
