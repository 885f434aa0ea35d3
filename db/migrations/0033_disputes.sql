-- Disputes that go to arbitration, and those that a person closes. Safe beside a process of before: it counts each state that it does
-- not know as disputed, and has none of them listed as open. Decision 62.

alter table disputes drop constraint disputes_state_check;
alter table disputes add constraint disputes_state_check
  check (state in ('announced', 'charged_back', 'reversed', 'prearbitration', 'lost', 'won')) not valid;

-- What a person says came of it where the gateway does not; the gateway's next word on it takes that back.
alter table disputes add column outcome text;
alter table disputes add column closed_at timestamptz;
alter table disputes add column closed_by text;
alter table disputes add column note text;
