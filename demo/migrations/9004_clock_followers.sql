-- The processes of a demo that go by its clock, and how far each has followed it: who moves it waits for them.
create table demo_clock_followers (
  process uuid primary key,
  offset_ms bigint not null
);
