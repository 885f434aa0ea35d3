-- What a person at the provider needs to find a customer, to see what happened, and to put it right.

alter table users
  -- Neither signs in nor pays from then on.
  add column blocked_at timestamptz,
  -- Part of the keys of the account's own limits: counted up, they begin anew.
  add column limits_epoch integer not null default 0,
  -- What was kept of the person is gone. The row stays for the invoices.
  add column erased_at timestamptz;

-- Whose a message is, and what it is about: so that it can be found, and composed anew. Those of before know neither.
alter table messages
  add column user_id uuid,
  add column kind text,
  add column ref text;
create index messages_by_user on messages (user_id, created_at) where user_id is not null;
create index messages_by_recipient on messages (recipient);

-- Searches by the beginning of a text, or by its last four digits.
create index users_by_email_prefix on users (email text_pattern_ops);
create index users_by_last_name on users (lower(last_name) text_pattern_ops, lower(first_name) text_pattern_ops);
create index users_by_first_name on users (lower(first_name) text_pattern_ops, lower(last_name) text_pattern_ops);
create index orders_by_code_prefix on orders (order_code text_pattern_ops);
create index services_by_number_prefix on services (msisdn collate "C");
create index services_by_iccid_prefix on services (iccid collate "C");
create index services_by_number_end on services ("right"(msisdn, 4));
create index services_by_iccid_end on services ("right"(iccid, 4));
create index saved_cards_by_end on saved_cards (last_four);

-- Of visitors who never became customers; found when the customer of that address is erased.
create index orders_of_nobody_by_email on orders (email) where user_id is null;
create index activations_by_email on activations (email) where email is not null;

-- Erased customers, by the id that stays: the intent is here before gateway and network are asked for what is left.
create table erasures (
  user_id uuid primary key references users,
  state text not null check (state in ('initiated', 'completed')),
  -- When it was written into the list that is kept apart from the backup.
  listed_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Real time.
  retry_at timestamptz,
  tries integer not null default 0,
  check ((state = 'initiated') = (retry_at is not null))
);
create index erasures_to_retry on erasures (retry_at) where retry_at is not null;
-- Whether the gateway has forgotten all cards of a customer.
create index card_removals_by_shopper on card_removals (shopper_reference);
