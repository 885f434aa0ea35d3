-- A passkey takes part in what needs two people once its person has had it for a day: decision 132.
-- From when a passkey counts for that. Null: a day after it was made.
alter table passkeys add column counts_from timestamptz;
-- The command line on the server made this invitation: its passkey counts at once.
alter table staff_invitations add column counts_at_once boolean not null default false;
-- 'demo': by the button of the demo, without a passkey.
alter table staff_sessions add column opened_by text not null default 'passkey';
