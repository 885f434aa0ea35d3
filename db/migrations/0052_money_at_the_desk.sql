-- no transaction
-- What a person answers a bank's dispute: accepted, or contested with evidence at the gateway's own site. Decision 99.
alter table disputes add column if not exists answer text;
alter table disputes add column if not exists answered_at timestamptz;
alter table disputes add column if not exists answered_by text;
-- Of what was handed in at the gateway: its reference there, and the market's midnight of the day.
alter table disputes add column if not exists evidence_reference text;
alter table disputes add column if not exists handed_in_at timestamptz;
-- What the desk lists: disputes that wait, what is due first; those of before; and refunds that have not arrived.
create index concurrently if not exists disputes_waiting on disputes (coalesce(due_at, '9999-12-31 00:00:00+00'::timestamptz), id)
  where outcome is null and state in ('announced', 'charged_back', 'prearbitration');
create index concurrently if not exists disputes_newest on disputes (created_at desc, id desc);
create index concurrently if not exists refunds_not_received on refunds (created_at desc, id desc) where state <> 'received';
