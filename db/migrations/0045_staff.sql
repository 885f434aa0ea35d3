-- Who works at the provider's desk, how they sign in, and what they looked at: decision 91.

create table staff (
  id uuid primary key,
  email text not null unique,
  name text not null,
  roles text not null check (roles ~ '^(support|finance|admin)(,(support|finance|admin))*$'),
  -- Decides approvals, and ticks the random checks.
  is_lead boolean not null,
  made_at timestamptz not null,
  suspended_at timestamptz
);

create table passkeys (
  id uuid primary key,
  staff_id uuid not null references staff,
  -- As the browser names it, and its public key, both base64url.
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  made_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_staff on passkeys (staff_id);

create table staff_invitations (
  id uuid primary key,
  staff_id uuid not null references staff,
  token_hash text not null unique,
  made_by text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index staff_invitations_by_staff on staff_invitations (staff_id);

-- What a passkey is to sign, once and within five minutes, in the session that asked.
create table passkey_challenges (
  challenge_hash text primary key,
  session_hash text not null,
  invitation_id uuid references staff_invitations,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_by_invitation on passkey_challenges (invitation_id) where invitation_id is not null;

create table staff_sessions (
  id uuid primary key,
  token_hash text not null unique,
  staff_id uuid not null references staff,
  made_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- When a passkey was last shown in it.
  shown_at timestamptz not null,
  browser text,
  system text
);
create index staff_sessions_by_staff on staff_sessions (staff_id);
create index staff_sessions_by_end on staff_sessions (expires_at);

-- Each look at a customer, and each thing uncovered, with its reason. Ids only: nothing of the customer is in it.
create table access_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  staff_id uuid not null references staff,
  act text not null,
  -- No reference: who looked stays known when the customer is gone.
  user_id uuid,
  subject text,
  reason text,
  detail text
);
create index access_log_by_user on access_log (user_id, at desc, id desc) where user_id is not null;
create index access_log_by_staff on access_log (staff_id, at desc, id desc);

create table customer_notes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  staff_id uuid not null references staff,
  body text not null,
  at timestamptz not null
);
create index customer_notes_by_user on customer_notes (user_id, at desc);
create index customer_notes_by_staff on customer_notes (staff_id);

alter table audit_events add column staff_id uuid;
alter table audit_events add column reason text;

-- What a member of staff did, or looked at, is changed by nobody, and goes after two years at the earliest.
create function refuse_change_of_trail() returns trigger language plpgsql as $$
  begin if tg_op = 'DELETE' and old.at < now() - interval '2 years' then return old; end if; raise exception 'what staff did stays as it is'; end $$;
create trigger access_log_stays before update or delete on access_log
  for each row execute function refuse_change_of_trail();
create trigger staff_acts_stay before update or delete on audit_events
  for each row when (old.staff_id is not null) execute function refuse_change_of_trail();

-- What one member of staff asks for and another decides.
create table approvals (
  id uuid primary key,
  kind text not null,
  -- An order's code, by now.
  subject text not null,
  payload jsonb not null,
  asked_by uuid not null references staff,
  reason text not null,
  note text not null,
  asked_at timestamptz not null,
  lapses_at timestamptz not null,
  decided_by uuid references staff,
  decided_at timestamptz,
  decision text check (decision in ('approved', 'refused', 'lapsed')),
  words text,
  -- When the asker has seen what came of it.
  seen_at timestamptz,
  check (decided_by <> asked_by),
  check ((decision is null) = (decided_at is null))
);
create unique index one_open_approval on approvals (kind, subject) where decision is null;
create index approvals_by_asker on approvals (asked_by, asked_at desc);
create index approvals_by_decider on approvals (decided_by) where decided_by is not null;

-- Who is at a task.
alter table operator_tasks add column owner_id uuid references staff;
alter table operator_tasks add column taken_at timestamptz;
create index operator_tasks_by_owner on operator_tasks (owner_id) where owner_id is not null and done_at is null;
