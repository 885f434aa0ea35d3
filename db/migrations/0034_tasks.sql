-- Tasks that end by themselves, outside services that are down, and the mail about new tasks: decision 64.

-- When what a task is about was over. Until then the same makes no second one, also once a person has said that it is done; after that
-- it may come again. Of those of before nobody knows it: they stay the only ones of their kind, as they were.
alter table operator_tasks add column over_at timestamptz;
-- When the operator was told of it by mail.
alter table operator_tasks add column mailed_at timestamptz;
alter table operator_tasks drop constraint operator_tasks_order_id_reason_key;
drop index operator_tasks_by_subject;
create unique index operator_tasks_of_orders on operator_tasks (order_id, reason) where over_at is null;
create unique index operator_tasks_of_subjects on operator_tasks (kind, subject, reason) where order_id is null and over_at is null;
-- What is over, or still holds, is looked for by these.
create index operator_tasks_not_over on operator_tasks (kind, subject) where over_at is null;

-- What all processes together have heard of each outside service. Real time.
create table outages (
  service text primary key,
  -- Since when nobody had an answer; null: the last call of which a process knows was answered.
  failing_since timestamptz,
  -- Of this outage, or of the last one.
  last_failure_at timestamptz not null,
  failures integer not null,
  why text not null
);

-- The last mail to the operator about new tasks; one row, which is locked while the next one is written.
create table operator_mails (
  single boolean primary key default true check (single),
  mailed_at timestamptz,
  event_key text
);
insert into operator_mails default values;
