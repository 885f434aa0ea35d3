-- A message may rest on what is so of a service: it is looked at again when it leaves, and dropped when that has changed.
alter table messages
  add column service_id uuid,
  add column premise text,
  -- Not at night: then it is put off to an instant of the product's clock.
  add column by_day boolean not null default false,
  add column due_at timestamptz,
  add column dropped_at timestamptz,
  add constraint messages_premise_of_service check ((service_id is null) = (premise is null));
create index messages_due on messages (due_at) where due_at is not null;
drop index messages_by_end;
create index messages_by_end on messages (coalesce(sent_at, refused_at, dropped_at));

-- Reminders before a plan's end, beside those before its number goes.
alter table service_deadlines drop constraint service_deadlines_kind_check;
alter table service_deadlines add constraint service_deadlines_kind_check check (kind in
  ('ends-7', 'ends-3', 'ends-1', 'expiry', 'reminder-14', 'reminder-7', 'reminder-1', 'release'));

-- Of the plans that run, those that are still to come: at 9 in the morning of so many days before the end, which is a
-- midnight of the market's zone. Plans of a week or less have the last day's only.
insert into service_deadlines (service_id, kind, due_at)
  select service_id, 'ends-' || days, due_at
  from schedules
    join services on services.id = schedules.service_id
    join products on products.unique_id = schedules.product_id
    cross join (values (7), (3), (1)) as reminder (days)
    cross join lateral (
      select case when (expires_at at time zone 'Pacific/Auckland')::time = '00:00' then 'Pacific/Auckland'
        else 'Australia/Sydney' end as zone
    ) as market
    cross join lateral (
      select ((expires_at at time zone zone)::date - days + time '09:00') at time zone zone as due_at
    ) as due
  where released_at is null
    and (days = 1 or length_days > 7)
    and due_at > now() + (select coalesce(max(offset_ms), 0) from clock) * interval '1 millisecond';
