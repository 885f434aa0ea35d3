-- no transaction
-- Payments that the gateway could not capture, which do not count as taken.
create index concurrently if not exists payment_attempts_capture_failed on payment_attempts (order_id)
  where capture_failed_at is not null;
