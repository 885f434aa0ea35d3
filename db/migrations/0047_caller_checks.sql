-- Whether a caller has shown a member of staff that they are the customer: decision 94.

-- One row for the two: the PIN that was sent last, and when one was read out.
create table caller_checks (
  user_id uuid not null references users on delete cascade,
  staff_id uuid not null references staff,
  -- Of the PIN: its id, its keyed hash, empty once it was read out, and where it went, masked.
  pin_id uuid not null,
  pin_hash text not null,
  sent_by text not null check (sent_by in ('text', 'mail')),
  sent_to text not null,
  expires_at timestamptz not null,
  -- How often one was entered for it.
  tries integer not null,
  verified_at timestamptz,
  primary key (user_id, staff_id)
);
create index caller_checks_by_staff on caller_checks (staff_id);
