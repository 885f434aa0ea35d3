-- Files that came with the demo's mail.
create table demo_attachments (
  id uuid primary key,
  message_id uuid not null references demo_messages on delete cascade,
  position integer not null,
  filename text not null,
  content_type text not null,
  content bytea not null,
  unique (message_id, position)
);
