-- Only the demo has these: what fixtures say in clear, and where its mail ends up.

create table demo_sims (
  iccid text primary key references sim_packs,
  behaviour text not null,
  about text not null,
  position integer not null unique
);

create table demo_vouchers (
  code text primary key,
  product_id text not null references products,
  about text not null,
  position integer not null unique
);

create table demo_messages (
  id uuid primary key,
  message_id text not null unique,
  channel text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  sent_at timestamptz not null,
  -- How often it arrived: a mailbox shows a Message-ID once.
  deliveries integer not null
);
create index demo_messages_by_recipient on demo_messages (recipient, sent_at);
create index demo_messages_by_time on demo_messages (sent_at);
