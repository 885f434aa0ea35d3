-- Plans of a week or less are reminded of two days before their end as well. One that runs already has its last day's alone.
alter table service_deadlines drop constraint service_deadlines_kind_check;
alter table service_deadlines add constraint service_deadlines_kind_check check (kind in
  ('ends-7', 'ends-3', 'ends-2', 'ends-1', 'expiry', 'reminder-14', 'reminder-7', 'reminder-1', 'release')) not valid;
