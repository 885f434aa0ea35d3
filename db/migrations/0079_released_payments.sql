-- When the gateway confirmed that a payment's reserved money was released. A process of the version before leaves it null.
alter table payment_attempts add column released_at timestamptz;
