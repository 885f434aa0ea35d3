-- Work that is done later is found by its row. Links to set a new password had none: they were jobs of the queue's library.
create table password_reset_requests (
  id uuid primary key,
  sealed_email text not null,
  sealed_next text not null,
  session_id uuid,
  created_at timestamptz not null,
  -- Real time; null once the request has been given up.
  retry_at timestamptz,
  tries integer not null default 0
);
create index password_reset_requests_due on password_reset_requests (retry_at) where retry_at is not null;

-- When the link to the new address is made; null: no link is wanted, or a process of the version before wants it.
alter table email_changes add column retry_at timestamptz, add column tries integer not null default 0;
