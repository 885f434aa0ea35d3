-- An address is a claim until it is proved: several accounts may hold one, at most one of them proved.
alter table users drop constraint users_email_key;
create index users_by_email on users (email);
create unique index one_proved_account_for_an_address on users (email) where email_verified_at is not null;
-- The session whose order made the account: for a day that browser may confirm it without its password.
alter table users add column made_in_session uuid;

-- The proved account whose own password was typed at sign-up: the order becomes part of it.
alter table activations add column joins_user_id uuid references users on delete set null;
alter table orders add column joins_user_id uuid references users on delete set null;
create index activations_by_joined_user on activations (joins_user_id) where joins_user_id is not null;
create index orders_by_joined_user on orders (joins_user_id) where joins_user_id is not null;

-- Accounts whose address belongs to somebody else, who said so: no mail goes there.
create table mail_stops (
  user_id uuid primary key references users on delete cascade,
  stopped_at timestamptz not null
);

-- The PIN that a link to set a password asks for, where the account's address is not proved.
create table reset_pins (
  token_hash text primary key references email_tokens on delete cascade,
  pin_hash text not null,
  expires_at timestamptz not null
);

-- One row: what the salts of passwords are derived from. All accounts of an address share one salt.
create table password_salts (
  only_row boolean primary key default true check (only_row),
  seed text not null
);
insert into password_salts (seed) values (gen_random_uuid()::text || gen_random_uuid()::text);
