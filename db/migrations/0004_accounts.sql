-- Signing in, confirming, recovering and changing details.

-- One table for every link that a mail carries. A link is good for one purpose, for one address, and once.
alter table email_tokens add constraint email_tokens_purpose check (purpose in ('verify', 'reset', 'change-email', 'phone'));
-- What the link is about: the request to change the address, or the service whose number becomes the contact phone.
alter table email_tokens add column subject_id uuid;

create table email_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
  state text not null check (state in ('REQUESTED', 'VERIFIED', 'EXPIRED', 'FINISHED', 'CANCELED')),
  version integer not null default 0,
  -- Keyed hash; six digits alone would be found in a moment.
  pin_hash text not null,
  pin_expires_at timestamptz not null,
  -- Where the PIN went, masked, for the page to say.
  sent_to text not null,
  -- A mail to the new address is to be made: the job takes this down with it, so that its repeat makes no second link.
  link_wanted boolean not null default false,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index one_email_change_for_a_user on email_changes (user_id) where ended_at is null;
create index email_changes_by_user on email_changes (user_id, created_at);
create index email_changes_by_pin_expiry on email_changes (pin_expires_at) where state = 'REQUESTED';
create index email_changes_by_age on email_changes (created_at) where ended_at is null;

-- Wrong PINs of an account, by its day: neither a new PIN nor a new request starts again at none.
create table pin_tries (
  user_id uuid not null references users on delete cascade,
  day date not null,
  wrong integer not null,
  primary key (user_id, day)
);

-- A contact phone that waits for its link to be followed.
create table phone_changes (
  user_id uuid primary key references users on delete cascade,
  service_id uuid not null references services,
  created_at timestamptz not null
);
create index phone_changes_by_service on phone_changes (service_id);

-- Sessions that ended long ago are removed, and with them what the wizard kept for them.
create index activations_by_session on activations (session_id);

-- A card stored by somebody who had no account yet is theirs at the gateway under the order's name.
alter table saved_cards add column shopper_reference text;

-- Cards stored by an authorisation of nothing: the intent is here before the call leaves.
create table card_updates (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The customer's own key for this act; a repeat answers this row.
  request_key text not null,
  reference text not null unique,
  idempotency_key text not null unique,
  state text not null check (state in ('sent', 'unknown', 'stored', 'refused', 'cancelled')),
  -- Sealed; wiped with the outcome, and gone in an hour whatever happens.
  sealed_card text,
  psp_reference text,
  -- What the gateway said, for the operator; and which sentence the customer reads.
  refusal text,
  failure text check (failure in ('declined', 'unreadable', 'unconfirmed')),
  -- The product's clock: of two cards the one that was asked for last is kept, whichever is settled last.
  asked_at timestamptz not null,
  -- Real time.
  created_at timestamptz not null,
  settle_by timestamptz not null,
  wake_at timestamptz,
  unique (user_id, request_key),
  check ((state in ('refused', 'cancelled')) = (failure is not null)),
  check (sealed_card is null or state in ('sent', 'unknown'))
);
create index card_updates_to_wake on card_updates (wake_at) where wake_at is not null;
create index card_updates_with_cards on card_updates (created_at) where sealed_card is not null;

-- Messages that are done are kept for 90 days.
create index messages_by_end on messages (coalesce(sent_at, refused_at));
